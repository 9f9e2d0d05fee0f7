import { hash, randomBytes, randomUUID } from "node:crypto"
import { mintSecret } from "../domain/keys/secret.ts"
import {
  type Database,
  type Repositories,
  type Store,
  StoreUnavailable,
  type TableRows,
} from "../domain/ports/store.ts"
import { allScopes } from "../domain/scopes.ts"
import { CannotStart } from "../kernel/cannot-start.ts"
import type { Clock } from "../kernel/clock.ts"
import type { Profile } from "../kernel/profile.ts"
import type { Seeds } from "./seeds.ts"

/** Dependencies of filling an empty store. Filling does nothing after the first start; throws CannotStart for data of the other profile. */
export type Filling = {
  store: Database
  seeds: Seeds
  publicUrl: string
  clock: Clock
  /** Writes the key to a file before it is stored, or returns the one written earlier: the key in the file works after any crash. */
  keepKey(mint: () => string): string
}

/** Fills an empty store with the sample data of the sandbox. */
export async function fillSandbox({ store, seeds, publicUrl }: Filling): Promise<undefined> {
  if (!(await isEmpty(store, "sandbox"))) return
  const { fill, tables } = await seeds("initial").catch((error) => {
    if (!(error instanceof StoreUnavailable)) throw error
    throw new CannotStart(`The first start cannot store the sample images: ${error.message}`, { cause: error })
  })
  const fillHere = (tx: Repositories) => fill(tx, publicUrl)
  await (tables ? startFromFile(store, fillHere, tables) : once(store, "sandbox", fillHere))
}

/** Replaces an empty store by the tables of a sandbox file, which have its origin. */
async function startFromFile(store: Database, fill: (tx: Repositories) => Promise<void>, tables: readonly TableRows[]) {
  try {
    await store.startOver(fill, tables)
  } catch (error) {
    throw new CannotStart(`PETSTORE_SEED: the data of the file cannot be stored: ${(error as Error).message}`, {
      cause: error,
    })
  }
}

/** Gives an empty store its first account and a key with every scope, and returns that key. */
export async function makeFirstKey({ store, clock, keepKey }: Filling): Promise<string | undefined> {
  let secret: string | undefined
  await once(store, "production", async (tx) => {
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

const once = (store: Store, profile: Profile, fill: (tx: Repositories) => Promise<void>): Promise<void> =>
  store.transaction(async (tx) => {
    await tx.origin.lock()
    if (!(await isEmpty(tx, profile))) return
    await tx.origin.put(profile, randomUUID())
    await fill(tx)
  })

/** Throws CannotStart when the data belong to the other profile. */
async function isEmpty(repositories: Repositories, profile: Profile): Promise<boolean> {
  const origin = await repositories.origin.read()
  if (origin !== undefined && origin !== profile) throw new CannotStart(belongToOther[origin])
  return origin === undefined
}

const belongToOther = {
  sandbox:
    "The data belong to the sandbox profile, whose keys are public. Choose another PETSTORE_DATA_DIR for " +
    "production, or set PETSTORE_PROFILE=sandbox.",
  production:
    "The data belong to the production profile. Set PETSTORE_PROFILE=production, or choose another " +
    "PETSTORE_DATA_DIR for the sandbox.",
}
