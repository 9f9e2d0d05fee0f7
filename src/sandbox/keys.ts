import { hash } from "node:crypto"
import type { Plan } from "../domain/accounts/contract.ts"
import type { Repositories } from "../domain/ports/store.ts"
import { allScopes, type Scope } from "../domain/scopes.ts"
import type { Clock } from "../kernel/clock.ts"

const petScopes: Scope[] = ["read:pets", "write:pets", "read:orders", "write:orders"]

/** The well-known keys of the sandbox, unknown to production. */
export const sandboxKeys: { secret: string; plan: Plan; scopes: Scope[] }[] = [
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
