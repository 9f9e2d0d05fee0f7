import { looksMinted } from "../../domain/keys/secret.ts"
import type { Store } from "../../domain/ports/store.ts"
import { mayHold } from "../../domain/scopes.ts"
import { formatDeprecation } from "../../kernel/clock.ts"
import { addressesIn } from "../../kernel/network/ip-address.ts"
import { Problem } from "../../kernel/problem.ts"
import type { Principal } from "./principal-cache.ts"

const lengthMax = 255

/** Throws the 401 for a malformed key: the caller learns of a typing error, and no lookup is made. */
export function requireKeyForm(secret: string): void {
  if (secret.length > lengthMax || (secret.startsWith("psk_") && !looksMinted(secret)))
    throw new Problem("unauthorized", "The API key is not complete: a character is missing or mistyped")
}

/** Looks up the principal of the API key with this SHA-256 (hex); undefined when it is unknown or revoked. Throws the 401 when it exceeds its person's role. */
export async function principalOfKey(store: Store, sha256: string): Promise<Principal | undefined> {
  const found = await store.keys.byHash(sha256)
  if (!found) return undefined
  const { account, key, role } = found
  const beyond = key.scopes.filter((scope) => !mayHold(role, scope))
  if (beyond.length > 0)
    throw new Problem(
      "unauthorized",
      `The API key exceeds the role ${role} of its owner, which does not include ${beyond.join(", ")}: create a key without`,
    )
  return {
    caller: {
      account,
      ownerId: account.id,
      credential: { kind: "key", id: key.id },
      scopes: new Set(key.scopes),
      bounds: { userId: key.userId, endsAt: key.expiresAt, allowedCidrs: key.allowedCidrs },
    },
    expiresAt: key.expiresAt,
    ...(key.allowedCidrs.length > 0 && { allows: addressesIn(key.allowedCidrs) }),
    ...(key.rotatedAt !== undefined && { ending: endingOf(key.rotatedAt, key.expiresAt) }),
  }
}

/** `Deprecation` (RFC 9745) since the rotation, `Sunset` (RFC 8594) when the key expires. */
const endingOf = (rotatedAt: number, endsAt: number | undefined): Record<string, string> => ({
  deprecation: formatDeprecation(rotatedAt),
  ...(endsAt !== undefined && { sunset: new Date(endsAt).toUTCString() }),
})
