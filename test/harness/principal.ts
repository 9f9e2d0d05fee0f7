import type { Principal } from "../../src/core/api/authentication/principal-cache.ts"
import { unbounded } from "../../src/core/domain/accounts/model.ts"

/** The principal of a key of this account. */
export const principalOf = (accountId: number): Principal => ({
  caller: {
    account: { id: accountId, name: "someone", plan: "free" },
    ownerId: accountId,
    credential: { kind: "key", id: 1 },
    bounds: unbounded,
    scopes: new Set(),
  },
  expiresAt: undefined,
})
