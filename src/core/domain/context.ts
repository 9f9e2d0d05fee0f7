import type { Static, TSchema } from "typebox"
import type { Code, Endpoint, Input, ResponseOf, Upload } from "../kernel/endpoint/endpoint.ts"
import type { JsonResponse } from "../kernel/endpoint/json-response.ts"
import type { Cursor, Page, PageOf, PageText, SortedPage } from "../kernel/endpoint/page.ts"
import type { Awaitable } from "../kernel/flow/awaitable.ts"
import type { Json } from "../kernel/json/json.ts"
import type { Preconditions } from "../kernel/network/preconditions.ts"
import type { Problem, Violation } from "../kernel/problem.ts"
import type { Caller } from "./accounts/model.ts"
import type { ApiContract } from "./api.ts"
import type { AuditAction } from "./audit/actions.ts"
import type { Actor, Details, Reference } from "./audit/model.ts"
import type { StreamStart } from "./events/model.ts"
import type { Ports } from "./ports/ports.ts"
import type { ProblemCode } from "./problems/problems.ts"

/** Everything available to an operation. */
export type Context<E extends Endpoint = Endpoint> = Ports &
  RequestFacts<E> &
  Refusals<E> & { audit: Audit<ActionOf<E>> }

/** The request apart from its input, and how the verb reports besides its response. */
type RequestFacts<E extends Endpoint = Endpoint> = {
  caller: E extends { scope: "open" } ? undefined : Caller
  /** The client's network address. */
  address: string
  /** The value of `X-Request-Id`. */
  requestId: string
  /** Of the request that waits for it, which a page is not. */
  response: Closing | undefined
  /** The unverified token of `Authorization: Bearer …`, for operations that revoke it. */
  bearer: string | undefined
  /** The conditions of a change, which the verbs of resources with an `ETag` evaluate. */
  preconditions: Preconditions
  /** Whether the client asks for the total of a list, for endpoints that count. */
  wantsTotal: boolean
  /** The unverified value of `Last-Event-ID`; undefined when absent, and for endpoints that do not stream. */
  lastEventId: string | undefined
  /** Writes a log line with the request's id and credential. No secrets; people only by id. */
  log(what: string, facts: Readonly<Record<string, string | number>>): void
  /** Reports a change of an account's credentials or plan: caches drop them after the commit and before the response. */
  credentialsChanged(accountId: number): void
}

/** A response, which closes when it was sent or the client has disconnected. */
export type Closing = {
  /** Whether it has closed before. */
  readonly destroyed: boolean
  once(event: "close", listener: () => void): unknown
  off(event: "close", listener: () => void): unknown
}

/** Ends the request with a problem that the contract lists. */
type Refusals<E extends Endpoint = Endpoint> = {
  refuse: Refuse<(Code<E> & ProblemCode) | Always>
  accept: Accept<(Code<E> & ProblemCode) | Always>
  /** Runs a part of the operation, and returns the problem that it raises instead of ending the request. */
  attempt: <T>(part: () => Promise<T>) => Promise<T | Problem>
  /** Returns the value if it matches the schema; otherwise ends the request with all violations. */
  valid: <S extends TSchema>(schema: S, value: unknown) => Static<S>
}

/** Ends the request with a problem. The detail defaults to the problem's title; a list of violations is also its detail. */
type Refuse<Listed> = (code: Listed, detail?: string | Violation[]) => never

/** Returns a rule's result or raises its problem. Does not compile for a problem that the contract does not list. */
type Accept<Listed extends string> = <T>(
  outcome: T,
  ...unlisted: [Unlisted<T, Listed>] extends [never] ? [] : [Unlisted<T, Listed>]
) => Exclude<T, Problem<Listed>>

type Unlisted<T, Listed extends string> = Exclude<Extract<T, Problem>, Problem<Listed>>

/**
 * Adds an entry to the audit log at the end of the open transaction; only actions that the contract lists compile.
 * `by` is the actor of a request without a credential.
 */
type Audit<Listed> = (
  action: Listed,
  thing: Reference,
  more?: { details?: Details; by?: Omit<Actor, "address" | "requestId"> },
) => void

type ActionOf<E extends Endpoint> = E extends { audited: readonly (infer Action extends AuditAction)[] }
  ? Action
  : never

/** The part of a context that a function shared by verbs needs: fields, problems it may raise and actions it may log. */
export type ContextPart<Fields extends keyof Context, Listed = never, Noted = never> = Pick<Context, Fields> &
  ([Listed] extends [never] ? unknown : { refuse: Refuse<Listed> }) &
  ([Noted] extends [never] ? unknown : { audit: Audit<Noted> })

/** Problems of every operation, because the schema states the rule. */
type Always = "invalid-body" | "invalid-parameter"

/** The implementation of the endpoint with this operationId: find, decide, record, announce. */
export type Verb<Name extends keyof ApiContract> = VerbOf<ApiContract[Name]>

export type VerbOf<E extends Endpoint> = (
  ctx: Context<E>,
  input: Input<E>,
) => Awaitable<
  E extends { streams: true }
    ? StreamStart
    : E extends { paged: true }
      ? ListPage<ResponseOf<E>>
      : ResponseOf<E> | JsonResponse<ResponseOf<E>>
>

type ListPage<List> = List extends readonly (infer Item)[]
  ? PageText<List, Cursor | number> | PageOf<Item | Json<Item>, Cursor | number>
  : never

/** The input of an operation whose endpoint is known at run time only, checked against its schemas. */
export type AnyInput = {
  params: object
  query: object
  body: unknown
  upload: Upload<object> | undefined
  page: Page | SortedPage | undefined
}

/**
 * An operation whose endpoint is known at run time only. Declared as a method, whose parameters the compiler compares in both
 * directions: every `VerbOf` is one. Requires a whole `Context`.
 */
export type AnyOperation = {
  run(ctx: Ports & AnyFacts, input: AnyInput): Awaitable<unknown>
}["run"]

/** Undefined is the caller of an open endpoint only. */
type AnyFacts = Omit<RequestFacts, "caller"> & { caller: Caller | undefined }

/** The context of an operation whose endpoint is known at run time only. */
export type AnyContext = Omit<Context, keyof AnyFacts> & AnyFacts
