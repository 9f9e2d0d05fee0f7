import type { Static, TArray, TObject, TOptional, TSchema } from "typebox"
import { jsonType } from "../network/media-types.ts"
import type { Problem } from "../problem.ts"
import { Type } from "../schema/type.ts"
import { encodeCursor, type Page, pageLimitDefault, pageLimitMax, type Sort, type SortedPage } from "./page.ts"

/**
 * An operation as data: routes, validation, types, OpenAPI, client, CLI and reference derive from it. `Scope`, `Code` and
 * `Action` are the scopes, problem codes and audited actions there are.
 */
export type Endpoint<Scope extends string = string, Code extends string = string, Action extends string = string> = {
  method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE"
  /** Below the base address, with parameters in braces: `/pet/{petId}`. */
  path: `/${string}`
  summary: string
  description?: string
  tag: string
  /** The command: a noun and a verb, `pets get`. */
  command: `${string} ${string}`
  /** Of its tool for language models: a shorter name, and, of a POST, whether it only reads, replaces what exists, or may be repeated. */
  tool?: { name?: string; reads?: true; replaces?: true; repeatable?: true }
  /** The required scope; `any` accepts every credential, `open` requires none. */
  scope: Scope | "any" | "open"
  /** Requests that a call counts against the plan; 1 by default. */
  cost?: 0
  params?: TObject
  query?: TObject
  /** Refuses unknown query parameters, which it would otherwise ignore: a misspelt filter would show everything. */
  knownQuery?: true
  /** `Type.Optional(…)` when the body may be omitted. */
  body?: TSchema
  /** Maximum size of the body, where it differs from the default of `bodyBytesMaxOf`. */
  bodyBytesMax?: number
  /** The body may contain a file, which may take long to arrive and does not count towards the maximum size. */
  takesFile?: true
  /** Hashes a password, which is slow on purpose: an address may send few such requests without a credential. */
  hashesPassword?: true
  /**
   * The body is an array whose items stand for themselves: the verb receives a problem instead of an invalid item, and each
   * counts against the plan as a request.
   */
  itemwise?: true
  /** The problems that an item may be refused with, besides `invalid-body` and `quota-exceeded`. */
  itemProblems?: readonly Code[]
  /** Media types of the body, the default first; `application/json` by default. */
  consumes?: readonly string[]
  /** Numbers and times of the body may have the forms of the classic v2, and a GET may have a body, which is ignored. */
  classicValues?: true
  /** A file instead of a JSON body. */
  upload?: UploadShape
  response: TSchema
  /** Media types of the response, the default first; `application/json` by default. */
  produces?: readonly string[]
  /** 201 requires a `Location`: the verb responds with `created`. */
  status: 200 | 201
  /** Response headers set by the verb, by name. */
  headers?: { readonly [name: string]: { description: string; example: string | number } }
  /** The problems that the verb may raise. Those of the server itself follow from the other fields. */
  problems: readonly Code[]
  /** The actions it writes to the audit log, each in the transaction of the change. */
  audited?: readonly [Action, ...Action[]]
  /** Takes `limit` and `cursor`, returns an array with `Link: rel="next"`. */
  paged?: true
  /** The orders of a paged list, the default first; newest first by default. */
  sorts?: readonly [Sort, ...Sort[]]
  /** Counts the whole list for `Prefer: count=exact`. */
  counted?: true
  /** Streams values of `response` as they occur (`text/event-stream`, WHATWG HTML section 9.2), resuming after `Last-Event-ID`. */
  streams?: true
  /** May wait for what others do: meanwhile it counts as no load, and nothing waits for it. */
  waits?: true
  /** Honours `Idempotency-Key`. */
  idempotent?: "by-key"
  /** Returns an `ETag`; honours `If-Match`, a GET also `If-None-Match`. */
  conditional?: true
  /** Overrides `invalid-body` for violations at these pointers. */
  bodyProblems?: { readonly [pointer: string]: Code }
  /** Since this day (`2026-11-21`): responses have `Deprecation` (RFC 9745). */
  deprecated?: string
}

/**
 * A file sent as the body, under one of the media types (with `image/*`), or as the part `file` of multipart/form-data,
 * beside further fields. The example is a file in ASCII, so that tools which take it from a description send it as it is.
 */
export type UploadShape = { types: readonly string[]; bytesMax: number; fields: TObject; example?: string }

/** An incoming file. Nothing is read before `receive`, so refuse first what can be refused without it. */
export type Upload<Fields> = {
  /** Reads the file; ends the request with a problem when it is too large, incomplete or not a single file. */
  receive(): Promise<Received<Fields>>
}

/** `file` is in `directory`, which may hold further files and is deleted when the operation ends. */
export type Received<Fields> = { directory: string; file: string; fields: Fields }

/** The validated path parameters of an endpoint. */
export type Params<E extends Endpoint> = E extends { params: infer P extends TObject } ? Static<P> : object
/** The validated query parameters of an endpoint, without those of paging. */
export type Query<E extends Endpoint> = E extends { query: infer Q extends TObject } ? Static<Q> : object
/** The validated body of an endpoint; undefined when it takes none. */
export type Body<E extends Endpoint> = E extends { body: infer B extends TSchema }
  ? Static<B> | (B extends TOptional<TSchema> ? undefined : never)
  : undefined
/** What a verb receives as the body. */
type ReadBody<E extends Endpoint> = E extends { itemwise: true; body: TArray<infer Item> }
  ? (Static<Item> | Problem)[]
  : Body<E>
export type ResponseOf<E extends Endpoint> = Static<E["response"]>
export type Code<E extends Endpoint> =
  | E["problems"][number]
  | (E extends { itemProblems: readonly (infer Item)[] } ? Item : never)

/** The validated input of a request. */
export type Input<E extends Endpoint> = {
  params: Params<E>
  query: Query<E>
  body: ReadBody<E>
  upload: E extends { upload: { fields: infer F extends TObject } } ? Upload<Static<F>> : undefined
  page: E extends { sorts: readonly (infer S extends Sort)[] }
    ? SortedPage<S>
    : E extends { paged: true }
      ? Page
      : undefined
}

const kibibyte = 1024

/** Maximum size of the body in bytes; smaller for anonymous clients. */
export const bodyBytesMaxOf = ({ bodyBytesMax, scope }: Endpoint): number =>
  bodyBytesMax ?? (scope === "open" ? 16 : 64) * kibibyte

/** Whether the body may be JSON: true for all but forms. */
export const takesJson = ({ body, consumes = [jsonType] }: Endpoint): boolean =>
  body !== undefined && consumes.some((type) => /[/+]json$/.test(type))

/** All query parameters of an endpoint, including those of paging. */
export function queryOf(endpoint: Endpoint): TObject {
  const { sorts } = endpoint
  return Type.Object({
    ...endpoint.query?.properties,
    ...(sorts && { sort: sorting(sorts) }),
    ...(endpoint.paged && paging(sorts?.includes("name") ? namedCursorMax : cursorMax)),
  })
}

const sorting = (sorts: readonly Sort[]) =>
  Type.Optional(Type.Enum([...sorts], { description: "The order; `-` is descending", examples: [sorts[0]] }))

/** Maximum length of a cursor: an id, and for the second a name of 255 characters of up to four bytes. */
const cursorMax = 64
const namedCursorMax = 1500

const paging = (maxLength: number) => ({
  limit: Type.Integer({ minimum: 1, maximum: pageLimitMax, default: pageLimitDefault, description: "Items a page" }),
  cursor: Type.Optional(
    Type.String({
      maxLength,
      format: "base64url",
      description: "Where the page starts, from the last one's `Link`; base64url without padding",
      examples: [encodeCursor({ sort: "-id", id: 1000 })],
    }),
  ),
})
