import type { Logger } from "pino"
import type { Ports } from "../../domain/ports/ports.ts"
import type { Database } from "../../domain/ports/store.ts"
import { mcpPath } from "../../kernel/network/path.ts"
import type { HttpContext } from "../../server/http-context.ts"
import { type AccessParts, type Authenticate, createAuthenticator } from "../authentication/authenticate.ts"
import { createKeyUses, type KeyUses } from "../authentication/key-usage.ts"
import { resourceMetadataUrl } from "../authentication/resource-metadata.ts"
import { type AccountQuota, createAccountQuota } from "./account-quota.ts"
import { type Admission, createAdmission } from "./admission.ts"

export type Access = AccountQuota &
  Admission & {
    authenticate: Authenticate
    uses: KeyUses
    /** Admits callers of the tools for language models, a resource with metadata of its own. */
    admitToTools: Admission["admit"]
  }

export function createAccess(
  parts: AccessParts & { ports: Ports & { log: Logger; store: Database } },
  http: HttpContext,
): Access {
  const { ports } = parts
  const { store, clock, log, publicUrl } = ports
  const uses = createKeyUses(store, clock, (error) => log.error({ err: error }, "uses not stored"))
  const authenticate = createAuthenticator(parts, uses, http.lookups)
  const quota = createAccountQuota(ports, http.requests.quota)
  const admissionTo = (path?: string) =>
    createAdmission(authenticate, quota, http, () => resourceMetadataUrl(publicUrl(), path))
  return { ...quota, ...admissionTo(), authenticate, uses, admitToTools: admissionTo(mcpPath).admit }
}
