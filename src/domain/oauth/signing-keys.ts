import type { Clock } from "../../kernel/clock.ts"
import { type Sealing, sealedFor } from "../ports/sealing.ts"
import type { Repositories, Store } from "../ports/store.ts"

/** How long a key signs before the next one replaces it. */
export const signingMs = 90 * 24 * 60 * 60 * 1000
/** How long it then still verifies: far longer than any signature is valid. */
const verifyingMs = 7 * 24 * 60 * 60 * 1000

/** A new private key: its id, and its JWK as JSON. */
type NewKey = { kid: string; jwk: string }
type SigningKeyDeps = { store: Store; sealing: Sealing; clock: Clock; makeKey(): Promise<NewKey> }

/** Adds a key when there is none or the newest has signed long enough; returns whether it did. */
export async function rotateWhenDue(deps: SigningKeyDeps): Promise<boolean> {
  if (!(await isDue(deps.store, deps.clock))) return false
  const made = await deps.makeKey()
  return deps.store.transaction(async (tx) => {
    await tx.origin.lock()
    if (!(await isDue(tx, deps.clock))) return false
    await addKey(tx, deps, made, "service")
    await tx.signingKeys.prune(deps.clock.now() - signingMs - verifyingMs)
    return true
  })
}

/** Adds a key that signs from now on and returns its id. `forgetOld` voids the ID tokens that the others signed. */
export async function rotateNow(deps: SigningKeyDeps, forgetOld: boolean): Promise<string> {
  const made = await deps.makeKey()
  await deps.store.transaction(async (tx) => {
    const createdAt = await addKey(tx, deps, made, "operator")
    if (forgetOld) await tx.signingKeys.prune(createdAt)
  })
  return made.kid
}

/** Seals inside the transaction, because the sealing key may be rotated between two. Returns when the key was created. */
async function addKey(
  tx: Repositories,
  { sealing, clock }: SigningKeyDeps,
  { kid, jwk }: NewKey,
  principal: "service" | "operator",
): Promise<number> {
  const [newest] = await tx.signingKeys.all()
  // The newest key signs, even when the clock was set back.
  const createdAt = Math.max(clock.now(), (newest?.createdAt ?? 0) + 1)
  await tx.signingKeys.add({ kid, sealed: sealing.seal(jwk, sealedFor.signingKeys), createdAt })
  if (newest) await tx.audit.append([{ principal, action: "signing-key.rotated", details: { kid } }], clock.now())
  return createdAt
}

async function isDue({ signingKeys: stored }: Pick<Store, "signingKeys">, clock: Clock): Promise<boolean> {
  const [newest] = await stored.all()
  return newest === undefined || newest.createdAt <= clock.now() - signingMs
}
