import type { Static, TObject, TOptional, TSchema } from "typebox"
import { jsonType } from "./network/media-types.ts"
import { encodeCursor, type Page, pageLimitDefault, pageLimitMax, type Sort, type SortedPage } from "./page.ts"
import { Type } from "./schema/type.ts"

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
  /** What the command line calls it: a noun and a verb, `pets get`. */
  command: `${string} ${string}`
  /** The scope a credential needs; `any` is content with every credential, `open` needs none. */
  scope: Scope | "any" | "open"
  /** Requests of the plan that one call uses up; 1 unless told. */
  cost?: 0
  params?: TObject
  query?: TObject
  /** `Type.Optional(…)` when the request may come without one. */
  body?: TSchema
  /** The largest body, where it is not `bodyBytesMaxOf` of its kind. */
  bodyBytesMax?: number
  /** Hashes a password, which is slow on purpose: an address may send few such requests without a credential. */
  hashesPassword?: true
  /** Media types of the body, the usual one first; `application/json` unless told. */
  consumes?: readonly string[]
  /** A file in place of a JSON body. */
  upload?: UploadShape
  answer: TSchema
  /** Media types of the response, the usual one first; `application/json` unless told. */
  produces?: readonly string[]
  /** 201 has a `Location`: the verb responds with `created`. */
  status: 200 | 201
  /** Headers of the response that the verb itself fills in, by name. */
  headers?: { readonly [name: string]: { description: string; example: string | number } }
  /** What the verb may refuse with. What the server itself may refuse with follows from the other members. */
  problems: readonly Code[]
  /** What the audit log tells of it; the verb notes each in the transaction of the change. */
  audited?: readonly [Action, ...Action[]]
  /** Takes `limit` and `cursor`, returns an array with `Link: rel="next"`. */
  paged?: true
  /** What a paged list can be sorted by, the usual order first; the newest come first unless told. */
  sorts?: readonly [Sort, ...Sort[]]
  /** Streams values of `answer` as they occur (`text/event-stream`, WHATWG HTML section 9.2), resuming after `Last-Event-ID`. */
  streams?: true
  /** Honours `Idempotency-Key`. */
  idempotent?: "by-key"
  /** Returns an `ETag`; a GET honours `If-None-Match`, anything else `If-Match`. */
  conditional?: true
  /** A code other than `invalid-body` for a body that breaks the schema at one of these pointers. */
  bodyProblems?: { readonly [pointer: string]: Code }
  deprecated?: true
}

/**
 * A file sent as the body, under one of the media types (with `image/*`), or as the part `file` of multipart/form-data,
 * beside further fields.
 */
export type UploadShape = { types: readonly string[]; bytesMax: number; fields: TObject }

/** A file on its way. Nothing of it is read before `receive`, so refuse first what can be refused without it. */
export type Upload<Fields> = {
  /** Takes it in; ends the request with a problem when it is too large, incomplete or not one file. */
  receive(): Promise<Received<Fields>>
}

/** `file` lies in `directory`, which takes further files and goes with everything in it when the operation has ended. */
export type Received<Fields> = { directory: string; file: string; fields: Fields }

/** The path parameters of an endpoint, as validated. */
export type Params<E extends Endpoint> = E extends { params: infer P extends TObject } ? Static<P> : object
/** The query parameters of an endpoint, as validated, those of paging left out. */
export type Query<E extends Endpoint> = E extends { query: infer Q extends TObject } ? Static<Q> : object
/** The body an endpoint takes, as validated; undefined when it takes none. */
export type Body<E extends Endpoint> = E extends { body: infer B extends TSchema }
  ? Static<B> | (B extends TOptional<TSchema> ? undefined : never)
  : undefined
/** What an endpoint responds with. */
export type Answer<E extends Endpoint> = Static<E["answer"]>
/** The problems an endpoint lists. */
export type Code<E extends Endpoint> = E["problems"][number]

/** Everything a request says, validated. */
export type Input<E extends Endpoint> = {
  params: Params<E>
  query: Query<E>
  body: Body<E>
  upload: E extends { upload: { fields: infer F extends TObject } } ? Upload<Static<F>> : undefined
  page: E extends { sorts: readonly (infer S extends Sort)[] }
    ? SortedPage<S>
    : E extends { paged: true }
      ? Page
      : undefined
}

const kibibyte = 1024

/** The largest body an endpoint reads: what it needs, and less from callers nobody knows. */
export const bodyBytesMaxOf = ({ bodyBytesMax, scope }: Endpoint): number =>
  bodyBytesMax ?? (scope === "open" ? 16 : 64) * kibibyte

/** Whether the body may be JSON, as every body may but a form's. */
export const takesJson = ({ body, consumes = [jsonType] }: Endpoint): boolean =>
  body !== undefined && consumes.some((type) => /[/+]json$/.test(type))

/** All query parameters of an endpoint, those of paging included. */
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

/** Characters of a cursor: an id, and beside it a name of 255 characters of at most four bytes each. */
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
