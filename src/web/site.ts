import type { Store } from "../domain/ports.ts"
import type { ProblemCode } from "../domain/problems.ts"
import type { Scope } from "../domain/scopes.ts"
import type { Endpoint } from "../kernel/endpoint.ts"

/** What the pages tell of. */
export type Site = {
  api: Record<string, Endpoint<Scope, ProblemCode>>
  version: string
  /** The address clients use, without a trailing slash. */
  publicUrl(): string
  store: Pick<Store, "pets">
  /** The keys everybody knows: those of the sandbox, and none in production. */
  knownKeys: readonly { secret: string; plan: string; scopes: readonly Scope[] }[]
  /** The OAuth client the reference authorizes as; undefined where whoever reads it names one. */
  docsClientId: string | undefined
}
