import { timeIn, timestamp } from "../../kernel/clock.ts"
import { blocksWithin, commonBlocks } from "../../kernel/network/ip-address.ts"
import { at, problem, type Violation } from "../../kernel/problem.ts"
import type { Bounds, Caller } from "../accounts/model.ts"
import type { Scope } from "../scopes.ts"
import { cidrsMax, type KeyDraft, type KeyWithSecret, type ShownKey } from "./contract.ts"
import type { Key, KnownKeys, NewKey } from "./model.ts"

const keysMax = 1000

export const showKey = (key: Key): ShownKey => ({
  id: key.id,
  name: key.name,
  scopes: key.scopes,
  allowedCidrs: key.allowedCidrs,
  createdAt: timestamp(key.createdAt),
  ...(key.expiresAt !== undefined && { expiresAt: timestamp(key.expiresAt) }),
  ...(key.rotatedAt !== undefined && { rotatedAt: timestamp(key.rotatedAt) }),
  ...(key.lastUsedAt !== undefined && { lastUsedAt: timestamp(key.lastUsedAt) }),
})

export const showNewKey = (id: number, key: NewKey, secret: string): KeyWithSecret => ({
  ...showKey({ userId: undefined, endsBy: undefined, ...key, id, rotatedAt: undefined, lastUsedAt: undefined }),
  secret,
})

/** Returns the key if it belongs to the caller's account or the caller is an administrator; otherwise refused like an absent one. */
export const requireKey = (key: Key | undefined, { account, scopes }: Pick<Caller, "account" | "scopes">) =>
  key && (key.accountId === account.id || scopes.has("admin")) ? key : problem("key-not-found", "Key not found")

/** The scopes without duplicates; refused when the granting credential lacks one. */
export function grantScopes(wanted: readonly Scope[], has: ReadonlySet<Scope>) {
  const missing = wanted.filter((scope) => !has.has(scope))
  if (missing.length === 0) return [...new Set(wanted)]
  return problem("forbidden", `Your credential cannot grant scopes that it lacks: ${missing.join(", ")}`)
}

/** Revoking a key requires every scope it has. */
export const checkRevocable = (key: Key, has: ReadonlySet<Scope>) =>
  key.scopes.every((scope) => has.has(scope))
    ? key
    : problem("forbidden", "The key has scopes that your credential lacks; revoke it with a credential that has them")

/** Refuses to change a public key of the sandbox, which would break every documented example. */
export const checkPrivate = ({ hash, name }: Pick<Key, "hash" | "name">, knownKeys: KnownKeys) =>
  knownKeys.has(hash)
    ? problem(
        "well-known-key",
        `${name} is a well-known key of the sandbox, on which documents and tests rely: it cannot be revoked or rotated, and ` +
          "the plan of its account cannot be changed. Create a key or an account of your own for that",
      )
    : true

type Limits = Pick<KeyDraft, "expiresAt" | "allowedCidrs">

/** Violations of a new key: it expires in the future, and its expiry and addresses are within its creator's. */
export function keyViolations({ expiresAt, allowedCidrs = [] }: Limits, bounds: Bounds, now: number): Violation[] {
  return [...expiryViolations(expiresAt, bounds.endsAt, now), ...cidrViolations(allowedCidrs, bounds.allowedCidrs)]
}

function expiryViolations(expiresAt: string | undefined, endsAt: number | undefined, now: number): Violation[] {
  if (expiresAt === undefined) return []
  const until = timeIn(expiresAt)
  if (!(until > now)) return at("/expiresAt", "not-in-future", "must be a time in the future")
  if (endsAt === undefined || until <= endsAt) return []
  return at("/expiresAt", "beyond-own", `must not be after ${timestamp(endsAt)}, when your own credential ends`)
}

function cidrViolations(wanted: readonly string[], own: readonly string[]): Violation[] {
  if (own.length === 0) return []
  const isWithin = blocksWithin(own)
  const detail = `must lie within the addresses of your own credential: ${own.join(", ")}`
  return wanted.flatMap((cidr, n) => (isWithin(cidr) ? [] : at(`/allowedCidrs/${n}`, "beyond-own", detail)))
}

/** The limits of a new key, which default to its creator's. */
export const limitsOfKey = ({ expiresAt, allowedCidrs = [] }: Limits, bounds: Bounds) => ({
  expiresAt: expiresAt === undefined ? bounds.endsAt : timeIn(expiresAt),
  allowedCidrs: [...(allowedCidrs.length > 0 ? allowedCidrs : bounds.allowedCidrs)],
  endsBy: bounds.endsAt,
  userId: bounds.userId,
})

/**
 * A key and its successor: the old one ends with the overlap; the new one has the same lifetime, within the bounds of both
 * the credential that created the old one and the one that rotates it.
 */
export function rotate(key: Key, now: number, overlapSeconds: number, bounds: Bounds) {
  if (key.rotatedAt !== undefined)
    return problem("key-rotated", "The key has already been rotated; rotate its successor")
  const { accountId, name, scopes, createdAt, expiresAt } = key
  const allowedCidrs = commonBlocks(key.allowedCidrs, bounds.allowedCidrs)
  if (!allowedCidrs || allowedCidrs.length > cidrsMax)
    return problem("forbidden", "The key allows other addresses than your credential, or too many address blocks")
  const endsBy = earlier(key.endsBy, bounds.endsAt)
  return {
    endsAt: earlier(expiresAt, now + overlapSeconds * 1000) as number,
    successor: {
      accountId,
      name,
      scopes,
      allowedCidrs,
      createdAt: now,
      expiresAt: earlier(expiresAt === undefined ? undefined : now + expiresAt - createdAt, endsBy),
      endsBy,
      userId: bounds.userId ?? key.userId,
    },
  }
}

const earlier = (one: number | undefined, other: number | undefined) =>
  one === undefined || other === undefined ? (one ?? other) : Math.min(one, other)

export const checkKeyLimit = (count: number) =>
  count < keysMax ? count : problem("too-many-keys", `The account has ${count} keys; revoke one that is not used`)
