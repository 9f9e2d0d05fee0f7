import { hash } from "node:crypto"
import type { Caller } from "../domain/accounts/contract.ts"
import { looksMinted } from "../domain/keys/secret.ts"
import type { Store } from "../domain/store.ts"
import type { Clock } from "../kernel/clock.ts"
import { Problem } from "../kernel/problem.ts"

const lengthMax = 255

/** Who an API key stands for; throws the 401 when it stands for nobody. */
export async function callerOfKey(store: Store, clock: Clock, secret: string): Promise<Caller> {
  if (secret.length > lengthMax || (secret.startsWith("psk_") && !looksMinted(secret)))
    throw new Problem("unauthorized", "The API key is not complete: a character is missing or mistyped")

  const found = await store.keys.byHash(hash("sha256", secret))
  if (!found || (found.key.expiresAt !== undefined && found.key.expiresAt <= clock.now()))
    throw new Problem("unauthorized", "The API key is unknown, expired or revoked")
  return {
    account: found.account,
    credential: { kind: "key", id: found.key.id },
    scopes: new Set(found.key.scopes),
  }
}
