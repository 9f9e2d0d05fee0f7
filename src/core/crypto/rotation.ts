import { makeKeyFile, promoteKeyFile, readKeyFile, removeKeyFile } from "../disk/key-file.ts"
import { type Sealing, sealedFor } from "../domain/ports/sealing.ts"
import type { Repositories, Store } from "../domain/ports/store.ts"
import type { Clock } from "../kernel/clock.ts"
import { aesSealing } from "./aes-gcm.ts"
import { type KeyRing, keyRing, opens, type SealedSecret } from "./key-ring.ts"

const batchSize = 500

/** The repositories that hold sealed secrets. */
export type Secrets = Pick<Repositories, "signingKeys" | "webhooks">

/** The file of the new key during a rotation. */
export const nextTo = (file: string): string => `${file}.next`

/**
 * Reseals everything under a new key and returns the number of secrets. Both keys are on the disk during the rotation: if the
 * process dies, one of them opens all secrets, and the next start keeps that one.
 */
export async function rotateFile(store: Store, file: string, ring: KeyRing, clock: Clock): Promise<number> {
  await finishRotation(store, file)
  const current = ring.newest()
  const next = aesSealing(makeKeyFile(nextTo(file)))
  const either = keyRing(current, next)
  let undo: (() => void) | undefined
  const resealing = store.transaction(async (tx) => {
    // The transaction may be retried; secrets sealed in the meantime are under the new key.
    undo?.()
    const count = await resealAndAudit(tx, either, next, clock)
    // Inside the transaction: secrets sealed next may be committed together with it.
    undo = ring.add(next)
    return count
  })
  const count = await resealing.catch(async (error) => {
    undo?.()
    // Other transactions may have sealed under the new key.
    if (undo) await store.transaction((tx) => reseal(tx, either, current))
    throw error
  })
  promoteKeyFile(nextTo(file), file)
  return count
}

/** After an interrupted rotation, keeps the key that opens the stored secrets. */
export async function finishRotation(store: Store, file: string): Promise<void> {
  const next = readKeyFile(nextTo(file))
  if (next === undefined) return
  const key = readKeyFile(file)
  const samples = await samplesOf(store)
  if (key && opens(aesSealing(key), samples)) removeKeyFile(nextTo(file))
  else if (opens(aesSealing(next), samples)) promoteKeyFile(nextTo(file), file)
}

/** Reseals from the previous configured key to the new one, unless that is done. Several replicas may do this at once. */
export async function leavePrevious(store: Store, previous: Sealing, next: Sealing, clock: Clock): Promise<void> {
  const samples = await samplesOf(store)
  if (opens(next, samples) || !opens(previous, samples)) return
  await store.transaction((tx) => resealAndAudit(tx, keyRing(next, previous), next, clock))
}

/** One secret of each kind in the database. */
export async function samplesOf(store: Secrets): Promise<SealedSecret[]> {
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

/** Returns the number of secrets. */
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
