import { join } from "node:path"
import { keyFileName, makeKeyFile, readKeyFile } from "../disk/key-file.ts"
import type { Sealing } from "../domain/ports/sealing.ts"
import type { Store } from "../domain/ports/store.ts"
import { CannotStart } from "../kernel/cannot-start.ts"
import { type Clock, systemClock } from "../kernel/clock.ts"
import { aesSealing } from "./aes-gcm.ts"
import { keyRing, opens } from "./key-ring.ts"
import { finishRotation, leavePrevious, nextTo, rotateFile, type Secrets, samplesOf } from "./rotation.ts"

/** A sealing whose key can be replaced while it is used. */
export type RotatableSealing = Sealing & {
  /** Reseals everything under a new key and returns the number of secrets. Throws CannotStart when the key is a setting. */
  rotate(clock: Clock): Promise<number>
}

/** Where the key is, and how it is replaced. */
export type SealingKeys = {
  /** The key, when it is a setting. */
  secretKey: Uint8Array | undefined
  /** The key before it: secrets under it are resealed at this start. */
  previousSecretKey?: Uint8Array | undefined
  dataDir: string
}

/**
 * Opens the sealing of secrets at rest, under the configured key or the one in `secret.key` in the data directory, created at the
 * first start. Throws CannotStart, with advice, when the database holds secrets sealed under another key.
 */
export async function openSealing(
  store: Store,
  { secretKey, previousSecretKey, dataDir }: SealingKeys,
  clock: Clock = systemClock,
): Promise<RotatableSealing> {
  const file = join(dataDir, keyFileName)
  if (secretKey) {
    if (previousSecretKey) await leavePrevious(store, aesSealing(previousSecretKey), aesSealing(secretKey), clock)
    const rotate = () => Promise.reject(new CannotStart(noRotation))
    return { ...(await openUnder(store, secretKey, "PETSTORE_SECRET_KEY")), rotate }
  }

  await finishRotation(store, file)
  const key = readKeyFile(file)
  if (key === undefined) await requireNoSecrets(store, file)
  const ring = keyRing(await openUnder(store, key ?? makeKeyFile(file), file))
  let rotating: Promise<unknown> = Promise.resolve()
  return {
    ...ring,
    rotate(clock) {
      const rotated = rotating.then(() => rotateFile(store, file, ring, clock))
      rotating = rotated.catch(() => {})
      return rotated
    },
  }
}

const noRotation =
  "The sealing key is in PETSTORE_SECRET_KEY: set that to a new key and PETSTORE_SECRET_KEY_PREVIOUS to this one, and restart."

/** Throws CannotStart when the key is missing or does not open the database's secrets; changes nothing. */
export async function requireSealingKey(secrets: Secrets, { secretKey, dataDir }: SealingKeys): Promise<void> {
  const file = join(dataDir, keyFileName)
  const key = secretKey ?? readKeyFile(file)
  if (key === undefined) await requireNoSecrets(secrets, file)
  else await openUnder(secrets, key, secretKey ? "PETSTORE_SECRET_KEY" : file)
}

/** Which key opens the secrets of a stopped service; the next start finishes a rotation with the other one. Throws CannotStart. */
export async function findKey(secrets: Secrets, { secretKey, previousSecretKey, dataDir }: SealingKeys) {
  try {
    await requireSealingKey(secrets, { secretKey, dataDir })
    return "current"
  } catch (error) {
    const other = secretKey ? previousSecretKey : readKeyFile(nextTo(join(dataDir, keyFileName)))
    if (!(error instanceof CannotStart) || other === undefined) throw error
    await requireSealingKey(secrets, { secretKey: other, dataDir })
    return "other"
  }
}

async function requireNoSecrets(secrets: Secrets, file: string): Promise<void> {
  if ((await samplesOf(secrets)).length > 0)
    throw new CannotStart(
      `The database holds sealed secrets, but their key is missing: restore ${file}, or set PETSTORE_SECRET_KEY to it.`,
    )
}

async function openUnder(store: Secrets, key: Uint8Array, source: string): Promise<Sealing> {
  const sealing = aesSealing(key)
  if (opens(sealing, await samplesOf(store))) return sealing
  throw new CannotStart(
    `The key in ${source} does not open the database's secrets: use the one this database was started with.`,
  )
}
