import type { JWK } from "jose"
import { type Repositories, type Sealing, type Store, sealedFor } from "../../domain/ports.ts"
import type { Clock } from "../../kernel/clock.ts"

/** How long a key signs before a new one takes over. */
export const signingMs = 90 * 24 * 60 * 60 * 1000
/** How long after that it can still be used to verify, far longer than anything signed lives. */
const verifyingMs = 7 * 24 * 60 * 60 * 1000
const purpose = sealedFor.signingKeys

type Keys = { store: Store; sealing: Sealing; clock: Clock }

/** The private keys of the authorization server, the one that signs first. */
export async function signingKeys({ store, sealing }: Keys): Promise<JWK[]> {
  const keys = await store.signingKeys.all()
  return keys.map(({ sealed }) => JSON.parse(sealing.open(sealed, purpose)))
}

/** Makes a key when there is none or the newest has signed long enough; returns whether it did. */
export async function rotateSigningKeys(keys: Keys): Promise<boolean> {
  if (!(await isDue(keys.store, keys.clock))) return false
  const made = await newKey()
  return keys.store.transaction(async (tx) => {
    await tx.origin.lock()
    if (!(await isDue(tx, keys.clock))) return false
    await addKey(tx, keys, made, "service")
    await tx.signingKeys.prune(keys.clock.now() - signingMs - verifyingMs)
    return true
  })
}

/**
 * Makes a key that signs from now on, whoever's turn it would be. With `forgetOld` the others verify nothing any more: ID
 * tokens that were signed with them are void. Returns the new key's id.
 */
export async function replaceSigningKey(keys: Keys, forgetOld: boolean): Promise<string> {
  const made = await newKey()
  await keys.store.transaction(async (tx) => {
    const createdAt = await addKey(tx, keys, made, "operator")
    if (forgetOld) await tx.signingKeys.prune(createdAt)
  })
  return made.kid
}

/** Seals inside the transaction: the sealing key may be replaced between two of them. Returns when the key was made. */
async function addKey(
  tx: Repositories,
  { sealing, clock }: Keys,
  { kid, jwk }: Awaited<ReturnType<typeof newKey>>,
  principal: "service" | "operator",
): Promise<number> {
  const [newest] = await tx.signingKeys.all()
  // The newest one signs, also when the clock was set back.
  const createdAt = Math.max(clock.now(), (newest?.createdAt ?? 0) + 1)
  await tx.signingKeys.add({ kid, sealed: sealing.seal(JSON.stringify(jwk), purpose), createdAt })
  if (newest) await tx.audit.append([{ principal, action: "signing-key.rotated", details: { kid } }], clock.now())
  return createdAt
}

async function isDue({ signingKeys: stored }: Pick<Store, "signingKeys">, clock: Clock): Promise<boolean> {
  const [newest] = await stored.all()
  return newest === undefined || newest.createdAt <= clock.now() - signingMs
}

async function newKey(): Promise<{ kid: string; jwk: JWK }> {
  const { calculateJwkThumbprint, exportJWK, generateKeyPair } = await import("jose")
  const { privateKey } = await generateKeyPair("ES256", { extractable: true })
  const jwk = await exportJWK(privateKey)
  const kid = await calculateJwkThumbprint(jwk)
  return { kid, jwk: { ...jwk, kid, alg: "ES256", use: "sig" } }
}
