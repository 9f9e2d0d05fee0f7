import { mintSecret } from "../keys/secret.ts"
import type { Ports } from "../ports/ports.ts"
import { allScopes } from "../scopes.ts"

/** Creates a key with every scope for the oldest account, which is the operator's. */
export async function createOperatorKey(
  { store, clock, random, sha256 }: Pick<Ports, "store" | "clock" | "random" | "sha256">,
  name: string,
): Promise<{ id: number; account: number; secret: string } | undefined> {
  const secret = mintSecret(random)
  const unlimited = { expiresAt: undefined, allowedCidrs: [] }
  return store.transaction(async (tx) => {
    const account = (await tx.accounts.first())?.id
    if (account === undefined) return undefined
    const key = { accountId: account, name, scopes: allScopes, hash: sha256(secret), createdAt: clock.now() }
    const id = await tx.keys.add({ ...key, ...unlimited })
    const details = { account, scopes: allScopes.join(" ") }
    await tx.audit.append([{ principal: "operator", action: "key.created", thing: `key:${id}`, details }], clock.now())
    return { id, account, secret }
  })
}
