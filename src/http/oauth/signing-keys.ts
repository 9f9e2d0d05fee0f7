import type { JWK } from "jose"
import { type Sealing, type Store, sealedFor } from "../../domain/ports.ts"
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
  const { kid, jwk } = await newKey()
  const sealed = keys.sealing.seal(JSON.stringify(jwk), purpose)
  return keys.store.transaction(async (tx) => {
    if (!(await isDue(tx, keys.clock))) return false
    await tx.signingKeys.add({ kid, sealed, createdAt: keys.clock.now() })
    await tx.signingKeys.prune(keys.clock.now() - signingMs - verifyingMs)
    return true
  })
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
