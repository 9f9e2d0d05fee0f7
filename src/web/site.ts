import type { ProblemCode } from "../domain/problems/problems.ts"
import type { Scope } from "../domain/scopes.ts"
import type { Endpoint } from "../kernel/endpoint.ts"

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
