import type { Static, TSchema } from "typebox"
import type { Clock } from "../kernel/clock.ts"
import type { Answer, Code, Endpoint, Input } from "../kernel/endpoint.ts"
import type { Reply } from "../kernel/json-response.ts"
import type { Refusal, Violation } from "../kernel/problem.ts"
import type { Caller } from "./accounts/contract.ts"
import type { PhotoLab } from "./images/lab.ts"
import type { Plans, Standing } from "./limits/contract.ts"
import type { Policy } from "./policy.ts"
import type { ProblemCode } from "./problems.ts"
import type { Sealing } from "./sealing.ts"
import type { Store } from "./store.ts"
import type { Targets } from "./targets.ts"
import type { Passwords } from "./users/passwords.ts"
import type { Attempts } from "./users/sessions/attempts.ts"

/** Problems every operation may answer with, because the rule they break is the schema's. */
type Always = "invalid-body" | "invalid-parameter"

export type Refuse<Listed> = (code: Listed, detail: string | Violation[]) => never

/** All an operation may know and do, handed to it with each request. */
export type Context<E extends Endpoint = Endpoint> = {
  caller: E extends { scope: "open" } ? undefined : Caller
  store: Store
  clock: Clock
  sealing: Sealing
  targets: Targets
  /** Where the caller's account stands in each window of its plan; empty when the plan has no limit. */
  standings(): Promise<readonly Standing[]>
  plans: Plans
  policy: Policy
  passwords: Passwords
  attempts: Attempts
  /** That many bytes nobody can guess. */
  random(count: number): Uint8Array
  /** SHA-256 of the text's UTF-8, in hex: what is stored of a secret. */
  sha256(text: string): string
  /** The network address the request comes from. */
  address: string
  /** The token in `Authorization: Bearer …`, unchecked, for the operations that end one. */
  bearer: string | undefined
  lab: PhotoLab
  /** Writes a line of its own to the log, with the request's id and credential; no secrets, and of people only ids. */
  log(what: string, facts: Readonly<Record<string, string | number>>): void
  /** The address clients use, without a trailing slash. */
  publicUrl: string
  /**
   * Says that credentials of an account, or its plan, are being changed: whatever remembers them forgets them once the
   * change is committed and before the answer goes out.
   */
  credentialsChanged(accountId: number): void
  /** The entity tags of `If-Match`: undefined when the header is absent, "*" for any. */
  ifMatch: readonly string[] | "*" | undefined
  /** Ends the request with a problem the contract lists. */
  refuse: Refuse<(Code<E> & ProblemCode) | Always>
  /** A rule's result; ends the request when the rule refused. */
  accept: <T>(outcome: T) => Exclude<T, Refusal<(Code<E> & ProblemCode) | Always>>
  /** The value, checked against a schema; ends the request with every violation otherwise. */
  valid: <S extends TSchema>(schema: S, value: unknown) => Static<S>
}

/** What an endpoint does: find, decide, record, announce. */
export type Operation<E extends Endpoint> = (
  ctx: Context<E>,
  input: Input<E>,
) => Promise<Answer<E> | Reply<Answer<E>>> | Answer<E> | Reply<Answer<E>>

/** One operation for every endpoint of a contract; an incomplete set does not compile. */
export type Operations<Api extends Record<string, Endpoint>> = { [Name in keyof Api]: Operation<Api[Name]> }
