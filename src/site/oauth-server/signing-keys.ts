import type { JWK } from "jose"
import { rotateNow, rotateWhenDue } from "../../domain/oauth/signing-keys.ts"
import { type Sealing, sealedFor } from "../../domain/ports/sealing.ts"
import type { Store } from "../../domain/ports/store.ts"
import type { Clock } from "../../kernel/clock.ts"

type Keys = { store: Store; sealing: Sealing; clock: Clock }

/** The private keys of the authorization server, the signing one first. */
export async function signingKeys({ store, sealing }: Keys): Promise<JWK[]> {
  const keys = await store.signingKeys.all()
  return keys.map(({ sealed }) => JSON.parse(sealing.open(sealed, sealedFor.signingKeys)))
}

/** Creates a key when there is none or the newest is due for rotation; returns whether it did. */
export const rotateSigningKeys = (keys: Keys): Promise<boolean> => rotateWhenDue({ ...keys, makeKey })

/** Creates a key that signs from now on, and returns its id. With `forgetOld` the others verify nothing any more. */
export const replaceSigningKey = (keys: Keys, forgetOld: boolean): Promise<string> =>
  rotateNow({ ...keys, makeKey }, forgetOld)

async function makeKey(): Promise<{ kid: string; jwk: string }> {
  const { calculateJwkThumbprint, exportJWK, generateKeyPair } = await import("jose")
  const { privateKey } = await generateKeyPair("ES256", { extractable: true })
  const jwk = await exportJWK(privateKey)
  const kid = await calculateJwkThumbprint(jwk)
  return { kid, jwk: JSON.stringify({ ...jwk, kid, alg: "ES256", use: "sig" }) }
}
