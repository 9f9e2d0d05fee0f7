import { unbounded } from "../../src/domain/accounts/model.ts"
import type { Principal } from "../../src/http/authentication/principal-cache.ts"

/** What a key of this account stands for. */
export const principalOf = (accountId: number): Principal => ({
  caller: {
    account: { id: accountId, name: "somebody", plan: "free" },
    ownerId: accountId,
    credential: { kind: "key", id: 1 },
    bounds: unbounded,
    scopes: new Set(),
  },
  expiresAt: undefined,
})
