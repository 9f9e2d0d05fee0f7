import { hash, randomBytes, randomUUID } from "node:crypto"
import { mintSecret } from "../domain/keys/secret.ts"
import type { Database, Repositories, Store } from "../domain/ports/store.ts"
import { allScopes } from "../domain/scopes.ts"
import { CannotStart } from "../kernel/cannot-start.ts"
import type { Clock } from "../kernel/clock.ts"
import { untilRowsAreFree } from "./until-rows-are-free.ts"

type FirstStart = {
  store: Database
  clock: Clock
  profile: string
  /** Writes the key to a file before it is stored, or returns the one written earlier: the key in the file works after any crash. */
  keepKey(mint: () => string): string
}

/**
 * Gives an empty store its first account and a key with every scope, and returns that key; does nothing after the first start.
 * Throws CannotStart for data of the other profile.
 */
export async function makeFirstKey({ store, clock, profile, keepKey }: FirstStart): Promise<string | undefined> {
  let secret: string | undefined
  await fillOnce(store, profile, async (tx) => {
    const account = await tx.accounts.add({ name: "operator", plan: "enterprise" })
    secret = keepKey(() => mintSecret(randomBytes))
    const id = await tx.keys.add({
      accountId: account.id,
      name: "first key",
      scopes: allScopes,
      hash: hash("sha256", secret),
      expiresAt: undefined,
      allowedCidrs: [],
      createdAt: clock.now(),
    })
    await tx.audit.append([{ principal: "service", action: "key.created", thing: `key:${id}` }], clock.now())
  })
  return secret
}

/** Fills an empty store in a transaction. Throws CannotStart for data of the other profile. */
export const fillOnce = (store: Store, profile: string, fill: (tx: Repositories) => Promise<void>): Promise<void> =>
  untilRowsAreFree(() =>
    store.transaction(async (tx) => {
      await tx.origin.lock()
      if (!(await isEmpty(tx, profile))) return
      await tx.origin.put(profile, randomUUID())
      await fill(tx)
    }),
  )

/** Whether nothing was ever stored. Throws CannotStart when the data belong to the other profile. */
export async function isEmpty(repositories: Repositories, profile: string): Promise<boolean> {
  const origin = await repositories.origin.read()
  if (origin !== undefined && origin !== profile) throw new CannotStart(belongToOther(origin))
  return origin === undefined
}

const belongToOther = (origin: string): string =>
  origin === "production"
    ? "The data belong to the production profile. Set PETSTORE_PROFILE=production, or choose another " +
      "PETSTORE_DATA_DIR for the sandbox."
    : "The data belong to the sandbox profile, whose keys are public. Choose another PETSTORE_DATA_DIR for " +
      "production, or set PETSTORE_PROFILE=sandbox."
