import { hash, randomBytes } from "node:crypto"
import { mintSecret } from "../domain/keys/secret.ts"
import type { BlobStore, Passwords, Profile, Repositories, Store } from "../domain/ports.ts"
import { allScopes } from "../domain/scopes.ts"
import { CannotStart } from "../kernel/cannot-start.ts"
import type { Clock } from "../kernel/clock.ts"
import { addClients } from "./clients.ts"
import { addKeys } from "./keys.ts"
import { addOrders } from "./orders.ts"
import { addPets, keepImages } from "./pets.ts"
import { addUsers, hashPasswords } from "./users.ts"

/** Fills an empty store with what the sandbox is known for; does nothing from the second start on. */
export async function fillSandbox(store: Store, clock: Clock, passwords: Passwords, blobs: BlobStore): Promise<void> {
  if (!(await isEmpty(store, "sandbox"))) return
  const [hashes, images] = await Promise.all([hashPasswords(passwords), keepImages(blobs, clock)])
  await once(store, "sandbox", async (tx) => {
    await addKeys(tx, clock)
    await addClients(tx, clock.now())
    await addPets(tx, clock, images, 1)
    await addUsers(tx, hashes)
    await addOrders(tx, clock)
  })
}

/**
 * Gives an empty store its first account and a key with every scope, and returns that key. `keep` writes the key to a
 * file before it is stored, or returns the one it wrote earlier: whenever the process dies, the key in the file works.
 */
export async function makeFirstKey(
  store: Store,
  clock: Clock,
  keep: (mint: () => string) => string,
): Promise<string | undefined> {
  let secret: string | undefined
  await once(store, "production", async (tx) => {
    const account = await tx.accounts.add({ name: "operator", plan: "enterprise" })
    secret = keep(() => mintSecret(randomBytes))
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
  return secret
}

const once = (store: Store, profile: Profile, fill: (tx: Repositories) => Promise<void>): Promise<void> =>
  store.transaction(async (tx) => {
    if (!(await isEmpty(tx, profile))) return
    await tx.origin.put(profile)
    await fill(tx)
  })

/** Throws CannotStart when the data belong to the other profile. */
async function isEmpty(asked: Repositories, profile: Profile): Promise<boolean> {
  const origin = await asked.origin.read()
  if (origin !== undefined && origin !== profile) throw new CannotStart(belongToOther[origin])
  return origin === undefined
}

const belongToOther = {
  sandbox:
    "These data belong to the sandbox profile, whose keys everybody knows. Choose another PETSTORE_DATA_DIR for " +
    "production, or set PETSTORE_PROFILE=sandbox.",
  production:
    "These data belong to the production profile. Set PETSTORE_PROFILE=production, or choose another " +
    "PETSTORE_DATA_DIR for the sandbox.",
}
