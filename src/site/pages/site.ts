import type { Description } from "../../api/descriptions/descriptions.ts"
import type { ProblemCode } from "../../domain/problems/problems.ts"
import type { Scope } from "../../domain/scopes.ts"
import type { Endpoint } from "../../kernel/endpoint/endpoint.ts"
import type { HttpResponse } from "../../kernel/network/http-response.ts"

export type Site = {
  api: Record<string, Endpoint<Scope, ProblemCode>>
  descriptions: readonly Description[]
  problemExample(code: ProblemCode): unknown
  version: string
  /** The name of the sandbox whose pages these are; undefined for the service itself. */
  sandbox: string | undefined
  /** Whether anonymous visitors see the store. */
  hasStore: boolean
  /** Without a trailing slash. */
  publicUrl(): string
  /** The sandbox's public API keys; empty in production. */
  knownKeys: readonly { secret: string; plan: string; scopes: readonly Scope[] }[]
  /** The OAuth client that the reference uses by default; undefined when the reader enters one. */
  docsClientId: string | undefined
}

/** A page at a path (`:name` is a parameter). `respond` returns undefined for 404. */
export type SitePage = {
  path: string
  respond(request: {
    params: Readonly<Record<string, string | undefined>>
    query: string
    acceptsGzip: boolean
  }): HttpResponse | undefined | Promise<HttpResponse | undefined>
}
