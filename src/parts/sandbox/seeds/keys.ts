import { hash } from "node:crypto"
import type { Plan } from "../../../core/domain/accounts/contract.ts"
import type { Repositories } from "../../../core/domain/ports/store.ts"
import { allScopes, type Scope } from "../../../core/domain/scopes.ts"
import type { Clock } from "../../../core/kernel/clock.ts"

const petScopes: Scope[] = ["read:pets", "write:pets", "read:orders", "write:orders"]

type SandboxKey = { secret: string; plan: Plan; scopes: Scope[] }

/** The well-known keys of the sandbox, unknown to production; the first has all scopes. */
export const sandboxKeys: readonly [SandboxKey, ...SandboxKey[]] = [
  { secret: "special-key", plan: "enterprise", scopes: allScopes },
  { secret: "pro-key", plan: "pro", scopes: petScopes },
  { secret: "free-key", plan: "free", scopes: petScopes },
]

/** Adds the keys, each with an account of its own. */
export async function addKeys(tx: Repositories, clock: Clock): Promise<void> {
  for (const { secret, plan, scopes } of sandboxKeys) {
    const account = await tx.accounts.add({ name: `sandbox ${plan}`, plan })
    await tx.keys.add({
      accountId: account.id,
      name: secret,
      scopes,
      hash: hash("sha256", secret),
      expiresAt: undefined,
      allowedCidrs: [],
      createdAt: clock.now(),
    })
  }
}
