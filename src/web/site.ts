import type { ProblemCode } from "../domain/problems/problems.ts"
import type { Scope } from "../domain/scopes.ts"
import type { Endpoint } from "../kernel/endpoint.ts"
import type { HttpResponse } from "../kernel/network/http-response.ts"

/** What the pages describe. */
export type Site = {
  api: Record<string, Endpoint<Scope, ProblemCode>>
  /** The OpenAPI documents, of every operation and of the classic ones; to be asked once the service listens. */
  describe: { whole(): object; classic(): object }
  problemExample(code: ProblemCode): unknown
  version: string
  /** The address clients use, without a trailing slash. */
  publicUrl(): string
  /** The public keys of the sandbox; none in production. */
  knownKeys: readonly { secret: string; plan: string; scopes: readonly Scope[] }[]
  /** The OAuth client the reference authorizes as; undefined where the reader names one. */
  docsClientId: string | undefined
}

/** What GET shows at a path (`:name` is a parameter); undefined where there is nothing. */
export type SitePage = {
  path: string
  respond(request: {
    params: Readonly<Record<string, string | undefined>>
    acceptsGzip: boolean
  }): HttpResponse | undefined | Promise<HttpResponse | undefined>
}
