import { type Static, type TObject, type TSchema, Type } from "typebox"
import { encodeCursor, type Page, pageLimitDefault, pageLimitMax } from "./page.ts"

/** The largest JSON body. */
export const bodyBytesMax = 1024 * 1024

/**
 * One operation of the interface as data. Routing, validation, types, OpenAPI, the client, the CLI and the reference
 * pages are read from it. `Scope` and `Code` are the scopes and problem codes there are.
 */
export type Endpoint<Scope extends string = string, Code extends string = string> = {
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
  body?: TSchema
  /** Media types of the body; `application/json` unless told. */
  consumes?: readonly string[]
  answer: TSchema
  status: 200 | 201
  /** Headers of the answer that the verb itself fills in, by name. */
  headers?: { readonly [name: string]: { description: string; example: string | number } }
  /** What the verb may refuse with. What the server itself may answer follows from the other members. */
  problems: readonly Code[]
  /** Takes `limit` and `cursor`, answers an array with `Link: rel="next"`. */
  paged?: true
  /** Honours `Idempotency-Key`. */
  idempotent?: "by-key"
  /** Answers an `ETag`; a GET honours `If-None-Match`, anything else `If-Match`. */
  conditional?: true
  /** A code other than `invalid-body` for a body that breaks the schema at one of these pointers. */
  bodyProblems?: { readonly [pointer: string]: Code }
  deprecated?: true
}

export type Params<E extends Endpoint> = E extends { params: infer P extends TObject } ? Static<P> : object
export type Query<E extends Endpoint> = E extends { query: infer Q extends TObject } ? Static<Q> : object
export type Body<E extends Endpoint> = E extends { body: infer B extends TSchema } ? Static<B> : undefined
export type Answer<E extends Endpoint> = Static<E["answer"]>
export type Code<E extends Endpoint> = E["problems"][number]

/** Everything a request says, validated. */
export type Input<E extends Endpoint> = {
  params: Params<E>
  query: Query<E>
  body: Body<E>
  page: E extends { paged: true } ? Page : undefined
}

/** All query parameters of an endpoint, those of paging included. */
export function queryOf(endpoint: Endpoint): TObject {
  return Type.Object({ ...endpoint.query?.properties, ...(endpoint.paged && paging) })
}

const paging = {
  limit: Type.Integer({ minimum: 1, maximum: pageLimitMax, default: pageLimitDefault, description: "Items a page" }),
  cursor: Type.Optional(
    Type.String({
      maxLength: 64,
      description: "Where the page starts, from the last one's `Link`",
      examples: [encodeCursor(1000)],
    }),
  ),
}
