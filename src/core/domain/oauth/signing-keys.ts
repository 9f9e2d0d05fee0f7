// Decision: docs/decisions/oauth.md#signing-keys-rotate-every-90-days-and-stay-published-for-7-more

import type { Ports } from "../ports/ports.ts"
import { type Sealing, sealedFor } from "../ports/sealing.ts"
import type { Repositories, Store } from "../ports/store.ts"

/** How long a key signs before the next one replaces it. */
export const signingMs = 90 * 24 * 60 * 60 * 1000
/** How long it then still verifies: far longer than any signature is valid. */
const verifyingMs = 7 * 24 * 60 * 60 * 1000

/** The algorithms of ID tokens, each with keys of its own. */
export const signingAlgorithms = ["RS256", "ES256"] as const
export type SigningAlgorithm = (typeof signingAlgorithms)[number]

/** A private key: its JWK (RFC 7517) with its id and algorithm. */
export type SigningJwk = { kid: string; alg: string; use: "sig" }
type MakeKey = (alg: SigningAlgorithm) => Promise<SigningJwk>
type KeyPorts = Pick<Ports, "store" | "sealing" | "clock">

/** The private keys, the newest first: the first of its algorithm signs. */
export async function readSigningKeys(
  { signingKeys }: Pick<Store, "signingKeys">,
  sealing: Sealing,
): Promise<(SigningJwk & { createdAt: number })[]> {
  const keys = await signingKeys.all()
  return keys.map(({ sealed, createdAt }) => ({
    ...JSON.parse(sealing.open(sealed, sealedFor.signingKeys)),
    createdAt,
  }))
}

/** Adds a key of each of these algorithms that has none or whose newest has signed long enough; returns whether it added one. */
export async function rotateWhenDue(
  ports: KeyPorts,
  makeKey: MakeKey,
  algorithms: readonly SigningAlgorithm[] = signingAlgorithms,
): Promise<boolean> {
  const due = await dueOf(algorithms, ports.store, ports)
  if (due.length === 0) return false
  const made = await Promise.all(due.map(makeKey))
  return ports.store.transaction(async (tx) => {
    await tx.origin.lock()
    const still: readonly string[] = await dueOf(due, tx, ports)
    const missing = made.filter(({ alg }) => still.includes(alg))
    if (missing.length === 0) return false
    await addKeys(tx, ports, missing, "service")
    await tx.signingKeys.prune(ports.clock.now() - signingMs - verifyingMs)
    return true
  })
}

/** Adds keys that sign from now on and returns their ids, by algorithm. `forgetOld` voids the ID tokens that the others signed. */
export async function rotateNow(
  ports: KeyPorts,
  makeKey: MakeKey,
  forgetOld: boolean,
): Promise<Record<string, string>> {
  const made = await Promise.all(signingAlgorithms.map(makeKey))
  await ports.store.transaction(async (tx) => {
    const createdAt = await addKeys(tx, ports, made, "operator")
    if (forgetOld) await tx.signingKeys.prune(createdAt)
  })
  return Object.fromEntries(made.map(({ alg, kid }) => [alg, kid]))
}

/** Seals inside the transaction, because the sealing key may be rotated between two. Returns when the first key was created. */
async function addKeys(
  tx: Repositories,
  { sealing, clock }: KeyPorts,
  made: readonly SigningJwk[],
  principal: "service" | "operator",
): Promise<number> {
  const [newest] = await tx.signingKeys.all()
  // The newest keys sign, even when the clock was set back.
  const createdAt = Math.max(clock.now(), (newest?.createdAt ?? 0) + 1)
  for (const jwk of made) {
    const { kid } = jwk
    await tx.signingKeys.add({ kid, sealed: sealing.seal(JSON.stringify(jwk), sealedFor.signingKeys), createdAt })
    if (newest) await tx.audit.append([{ principal, action: "signing-key.rotated", details: { kid } }], clock.now())
  }
  return createdAt
}

async function dueOf(
  algorithms: readonly SigningAlgorithm[],
  store: Pick<Store, "signingKeys">,
  { sealing, clock }: KeyPorts,
): Promise<SigningAlgorithm[]> {
  const signing = (await readSigningKeys(store, sealing)).filter(({ createdAt }) => createdAt > clock.now() - signingMs)
  return algorithms.filter((each) => signing.every(({ alg }) => alg !== each))
}
