import { hash, randomBytes } from "node:crypto"
import { mintSecret } from "./domain/keys/secret.ts"
import { allScopes } from "./domain/scopes.ts"
import type { Questions, Store } from "./domain/store.ts"
import type { Passwords } from "./domain/users/passwords.ts"
import type { Clock } from "./kernel/clock.ts"
import { addClients } from "./sandbox/clients.ts"
import { addKeys } from "./sandbox/keys.ts"
import { addOrders } from "./sandbox/orders.ts"
import { addPets } from "./sandbox/pets.ts"
import { addUsers, hashPasswords } from "./sandbox/users.ts"

/** Fills an empty store with what the sandbox is known for; does nothing from the second start on. */
export async function fillSandbox(store: Store, clock: Clock, passwords: Passwords): Promise<void> {
  if (!(await isEmpty(store))) return
  const hashes = await hashPasswords(passwords)
  await once(store, async (tx) => {
    await addKeys(tx, clock)
    await addClients(tx, clock.now())
    await addPets(tx, clock)
    await addUsers(tx, hashes)
    await addOrders(tx, clock)
  })
}

/**
 * Gives an empty store its first account and a key that may do everything. The key is shown before it is stored, so
 * that whenever the process dies, a key that works has been seen.
 */
export const makeFirstKey = (store: Store, clock: Clock, show: (secret: string) => void): Promise<void> =>
  once(store, async (tx) => {
    const account = await tx.accounts.add({ name: "operator", plan: "enterprise" })
    const secret = mintSecret(randomBytes)
    show(secret)
    await tx.keys.add({
      accountId: account.id,
      name: "first key",
      scopes: allScopes,
      hash: hash("sha256", secret),
      expiresAt: undefined,
      allowedCidrs: [],
      createdAt: clock.now(),
    })
  })

const once = (store: Store, fill: (tx: Questions) => Promise<void>): Promise<void> =>
  store.transaction(async (tx) => {
    if (await isEmpty(tx)) await fill(tx)
  })

const isEmpty = async (asked: Questions): Promise<boolean> => (await asked.accounts.read(1)) === undefined
