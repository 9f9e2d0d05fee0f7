import { join } from "node:path"
import { type Sealing, sealedFor } from "../domain/ports/sealing.ts"
import type { Repositories, Store } from "../domain/ports/store.ts"
import { CannotStart } from "../kernel/cannot-start.ts"
import { type Clock, systemClock } from "../kernel/clock.ts"
import { keyFileName, makeKeyFile, promoteKeyFile, readKeyFile, removeKeyFile } from "../storage/disk/key-file.ts"
import { aesSealing } from "./aes-gcm.ts"
import { reseal } from "./reseal.ts"
import {
  openerOf,
  opens,
  type RotatableSealing,
  type Rotate,
  rotatableSealing,
  type Sample,
} from "./rotatable-sealing.ts"

type Keys = {
  /** The key, when it is a setting. */
  secretKey: Uint8Array | undefined
  /** The one before: what is sealed under it is sealed anew at this start. */
  previousSecretKey?: Uint8Array | undefined
  dataDir: string
}

/** Where sealed secrets are. */
type Secrets = Pick<Repositories, "signingKeys" | "webhooks">

/**
 * The sealing of secrets at rest. Its key is the one given, or that in `secret.key` in the data directory, made at the
 * first start. Throws CannotStart, with what would help, when the database holds secrets sealed under another key.
 */
export async function openSealing(
  store: Store,
  { secretKey, previousSecretKey, dataDir }: Keys,
  clock: Clock = systemClock,
): Promise<RotatableSealing> {
  const file = join(dataDir, keyFileName)
  if (secretKey) {
    if (previousSecretKey) await leavePrevious(store, aesSealing(previousSecretKey), aesSealing(secretKey), clock)
    return rotatableSealing(await openUnder(store, secretKey, "PETSTORE_SECRET_KEY"), rotateSetting)
  }

  await finishRotation(store, file)
  const key = readKeyFile(file)
  if (key === undefined) await requireNoSecrets(store, file)
  return rotatableSealing(await openUnder(store, key ?? makeKeyFile(file), file), rotateFile(store, file))
}

/** Throws CannotStart when the key of an installation is gone or does not open what its database holds; changes nothing. */
export async function requireSealingKey(secrets: Secrets, { secretKey, dataDir }: Keys): Promise<void> {
  const file = join(dataDir, keyFileName)
  const key = secretKey ?? readKeyFile(file)
  if (key === undefined) await requireNoSecrets(secrets, file)
  else await openUnder(secrets, key, secretKey ? "PETSTORE_SECRET_KEY" : file)
}

/**
 * Whether the key of a service that is stopped opens what its database holds, or the other key of a rotation, which the next
 * start finishes. Throws CannotStart when neither does; changes nothing.
 */
export async function findKey(
  secrets: Secrets,
  { secretKey, previousSecretKey, dataDir }: Keys,
): Promise<"current" | "other"> {
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
      `The database holds sealed secrets and the key to them is gone: put back ${file}, or set PETSTORE_SECRET_KEY to it.`,
    )
}

async function openUnder(store: Secrets, key: Uint8Array, place: string): Promise<Sealing> {
  const sealing = aesSealing(key)
  if (opens(sealing, await samplesOf(store))) return sealing
  throw new CannotStart(
    `The key in ${place} does not open the database's secrets: use the one this database was started with.`,
  )
}

/** Changes nothing when the database is under the new key already, or under neither. Several replicas may do it at once. */
async function leavePrevious(store: Store, previous: Sealing, next: Sealing, clock: Clock): Promise<void> {
  const samples = await samplesOf(store)
  if (opens(next, samples) || !opens(previous, samples)) return
  await store.transaction((tx) => resealAndAudit(tx, openerOf(next, previous), next, clock))
}

const rotateSetting: Rotate = async () => {
  throw new CannotStart(
    "The sealing key is in PETSTORE_SECRET_KEY: set that to a new key and PETSTORE_SECRET_KEY_PREVIOUS to this one, and restart.",
  )
}

/**
 * The new key is in a file before anything is sealed under it, the old one in its own until everything is: whenever the
 * process dies, one of the two opens all there is, and the next start keeps that one.
 */
const rotateFile =
  (store: Store, file: string): Rotate =>
  async (clock, current, adopt) => {
    await finishRotation(store, file)
    const next = aesSealing(makeKeyFile(nextTo(file)))
    const either = openerOf(current, next)
    let undo: (() => void) | undefined
    const resealing = store.transaction(async (tx) => {
      // It may run again; what was sealed between is under the new key.
      undo?.()
      const count = await resealAndAudit(tx, either, next, clock)
      // Here and not later: what is sealed next may be committed together with this.
      undo = adopt(next)
      return count
    })
    const count = await resealing.catch(async (error) => {
      undo?.()
      // Others may have sealed under the new key meanwhile.
      if (undo) await store.transaction((tx) => reseal(tx, either, current))
      throw error
    })
    promoteKeyFile(nextTo(file), file)
    return count
  }

async function resealAndAudit(
  tx: Repositories,
  before: Pick<Sealing, "open">,
  after: Sealing,
  clock: Clock,
): Promise<number> {
  const secrets = await reseal(tx, before, after)
  await tx.audit.append([{ principal: "operator", action: "sealing-key.rotated", details: { secrets } }], clock.now())
  return secrets
}

const nextTo = (file: string): string => `${file}.next`

/** Keeps the key that opens what is stored, after a rotation that was cut off. */
async function finishRotation(store: Store, file: string): Promise<void> {
  const next = readKeyFile(nextTo(file))
  if (next === undefined) return
  const key = readKeyFile(file)
  const samples = await samplesOf(store)
  if (key && opens(aesSealing(key), samples)) removeKeyFile(nextTo(file))
  else if (opens(aesSealing(next), samples)) promoteKeyFile(nextTo(file), file)
}

/** One of every kind of secret the database holds. */
async function samplesOf(store: Secrets): Promise<Sample[]> {
  const [signingKey] = await store.signingKeys.all()
  const webhookSecret = await store.webhooks.anySecret()
  return [
    ...(signingKey ? [{ sealed: signingKey.sealed, purpose: sealedFor.signingKeys }] : []),
    ...(webhookSecret ? [{ sealed: webhookSecret, purpose: sealedFor.webhookSecrets }] : []),
  ]
}
