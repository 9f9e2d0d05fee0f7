import type { JWK } from "jose"
import {
  readSigningKeys,
  rotateNow,
  rotateWhenDue,
  type SigningAlgorithm,
  type SigningJwk,
} from "../../../core/domain/oauth/signing-keys.ts"
import type { Ports } from "../../../core/domain/ports/ports.ts"

type KeyPorts = Pick<Ports, "store" | "sealing" | "clock">

/** Creates the keys that are missing or due for rotation, by default of all algorithms; returns whether it created one. */
export const rotateSigningKeys = (ports: KeyPorts, algorithms?: readonly SigningAlgorithm[]): Promise<boolean> =>
  rotateWhenDue(ports, makeKey, algorithms)

/** Creates keys that sign from now on, and returns their ids. With `forgetOld` the others verify nothing any more. */
export const replaceSigningKeys = (ports: KeyPorts, forgetOld: boolean): Promise<Record<string, string>> =>
  rotateNow(ports, makeKey, forgetOld)

/** The private keys of the authorization server as JWKs, those that sign first. */
export const signingKeys = async ({ store, sealing }: KeyPorts): Promise<JWK[]> =>
  (await readSigningKeys(store, sealing)).map(({ createdAt, ...jwk }) => jwk)

/** An RSA key takes some 0.1 s of a thread, and none of the event loop. */
export async function makeKey(alg: SigningAlgorithm): Promise<SigningJwk> {
  const { calculateJwkThumbprint, exportJWK, generateKeyPair } = await import("jose")
  const { privateKey } = await generateKeyPair(alg, { extractable: true })
  const jwk = await exportJWK(privateKey)
  return { ...jwk, kid: await calculateJwkThumbprint(jwk), alg, use: "sig" }
}
