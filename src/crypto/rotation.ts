import { type Sealing, sealedFor } from "../domain/ports/sealing.ts"
import type { Repositories, Store } from "../domain/ports/store.ts"
import type { Clock } from "../kernel/clock.ts"
import { makeKeyFile, promoteKeyFile, readKeyFile, removeKeyFile } from "../storage/disk/key-file.ts"
import { aesSealing } from "./aes-gcm.ts"
import { type KeyRing, keyRing, opens, type Sample } from "./key-ring.ts"

const batchSize = 500

/** Where sealed secrets are. */
export type Secrets = Pick<Repositories, "signingKeys" | "webhooks">

/** Where the key is that replaces the one in this file, until everything is sealed under it. */
export const nextTo = (file: string): string => `${file}.next`

/**
 * Seals everything under a new key in the file; returns how many secrets that were. The new key is in a file before anything
 * is sealed under it, the old one in its own until everything is: whenever the process dies, one of the two opens all there
 * is, and the next start keeps that one.
 */
export async function rotateFile(store: Store, file: string, ring: KeyRing, clock: Clock): Promise<number> {
  await finishRotation(store, file)
  const current = ring.newest()
  const next = aesSealing(makeKeyFile(nextTo(file)))
  const either = keyRing(current, next)
  let undo: (() => void) | undefined
  const resealing = store.transaction(async (tx) => {
    // It may run again; what was sealed between is under the new key.
    undo?.()
    const count = await resealAndAudit(tx, either, next, clock)
    // Here and not later: what is sealed next may be committed together with this.
    undo = ring.add(next)
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

/** Keeps the key that opens what is stored, after a rotation that was cut off. */
export async function finishRotation(store: Store, file: string): Promise<void> {
  const next = readKeyFile(nextTo(file))
  if (next === undefined) return
  const key = readKeyFile(file)
  const samples = await samplesOf(store)
  if (key && opens(aesSealing(key), samples)) removeKeyFile(nextTo(file))
  else if (opens(aesSealing(next), samples)) promoteKeyFile(nextTo(file), file)
}

/**
 * Seals under a key that is a setting what is sealed under the one before. Changes nothing when the database is under the
 * new key already, or under neither. Several replicas may do it at once.
 */
export async function leavePrevious(store: Store, previous: Sealing, next: Sealing, clock: Clock): Promise<void> {
  const samples = await samplesOf(store)
  if (opens(next, samples) || !opens(previous, samples)) return
  await store.transaction((tx) => resealAndAudit(tx, keyRing(next, previous), next, clock))
}

/** One of every kind of secret the database holds. */
export async function samplesOf(store: Secrets): Promise<Sample[]> {
  const [signingKey] = await store.signingKeys.all()
  const webhookSecret = await store.webhooks.anySecret()
  return [
    ...(signingKey ? [{ sealed: signingKey.sealed, purpose: sealedFor.signingKeys }] : []),
    ...(webhookSecret ? [{ sealed: webhookSecret, purpose: sealedFor.webhookSecrets }] : []),
  ]
}

async function resealAndAudit(tx: Repositories, before: Sealing, after: Sealing, clock: Clock): Promise<number> {
  const secrets = await reseal(tx, before, after)
  await tx.audit.append([{ principal: "operator", action: "sealing-key.rotated", details: { secrets } }], clock.now())
  return secrets
}

/** Opens everything that is sealed and seals it again; returns how many secrets that were. */
async function reseal(tx: Repositories, before: Sealing, after: Sealing): Promise<number> {
  const again = (sealed: string, purpose: string) => after.seal(before.open(sealed, purpose), purpose)
  const keys = await tx.signingKeys.all()
  for (const { kid, sealed } of keys) await tx.signingKeys.reseal(kid, again(sealed, sealedFor.signingKeys))

  let count = keys.length
  let last = 0
  for (;;) {
    const secrets = await tx.webhooks.secretsAfter(last, batchSize)
    for (const { id, sealed } of secrets) await tx.webhooks.reseal(id, again(sealed, sealedFor.webhookSecrets))
    count += secrets.length
    last = secrets.at(-1)?.id ?? last
    if (secrets.length < batchSize) return count
  }
}
