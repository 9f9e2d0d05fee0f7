import type { Logger } from "pino"
import type { Ports } from "../../domain/ports/ports.ts"
import type { Invalidation } from "../../domain/ports/signals.ts"
import type { Database } from "../../domain/ports/store.ts"
import type { Clock } from "../../kernel/clock.ts"
import { mcpPath } from "../../kernel/network/path.ts"
import type { HttpContext } from "../../server/http-context.ts"
import { type Authenticate, authenticator } from "../authentication/authenticate.ts"
import type { ExternalIssuer } from "../authentication/external-issuer.ts"
import { type KeyUses, keyUses } from "../authentication/key-usage.ts"
import { resourceMetadataUrl } from "../authentication/resource-metadata.ts"
import { type AccountQuota, accountQuota } from "./account-quota.ts"
import { type Admission, admission } from "./admission.ts"

export type AccessParts = {
  ports: Ports & { log: Logger; store: Database }
  signals: Invalidation
  /** A monotonic clock. */
  steady: Clock
  /** The API key for which requests without a valid credential act; undefined when they are refused. */
  anonymousKey: string | undefined
  /** The external issuer whose tokens are accepted besides the service's own. */
  externalIssuer: ExternalIssuer | undefined
}

export type Access = AccountQuota &
  Admission & {
    authenticate: Authenticate
    uses: KeyUses
    /** Admits callers of the tools for language models, a resource with metadata of its own. */
    admitToTools: Admission["admit"]
  }

export function createAccess(parts: AccessParts, http: HttpContext): Access {
  const { ports, signals, steady, anonymousKey, externalIssuer } = parts
  const { store, clock, log, publicUrl } = ports
  const { limitAddress, lookups } = http
  const { requireUnreadBudget } = http.unread
  const uses = keyUses(store, clock, (error) => log.error({ err: error }, "uses not stored"))
  const authenticate = authenticator({
    store,
    clock,
    steady,
    signals,
    uses,
    lookups,
    anonymousKey,
    externalIssuer,
  })
  const quota = accountQuota(ports, http.requests.quota)
  const { limitAccount } = quota
  const judging = { authenticate, limitAddress, limitAccount, requireUnreadBudget }
  const admitting = admission({ ...judging, metadataUrl: () => resourceMetadataUrl(publicUrl()) })
  const { admit: admitToTools } = admission({
    ...judging,
    metadataUrl: () => resourceMetadataUrl(publicUrl(), mcpPath),
  })
  return { ...quota, ...admitting, authenticate, uses, admitToTools }
}
