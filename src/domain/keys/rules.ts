import { timestamp } from "../../kernel/clock.ts"
import { at, refusal, type Violation } from "../../kernel/problem.ts"
import type { Scope } from "../scopes.ts"
import type { Key, KeyWithSecret, NewKey, ShownKey } from "./contract.ts"

export const keysMax = 1000

/** The key as its account sees it. */
export const shown = ({
  id,
  name,
  scopes,
  allowedCidrs,
  createdAt,
  expiresAt,
  rotatedAt,
  lastUsedAt,
}: Key): ShownKey => ({
  id,
  name,
  scopes,
  allowedCidrs,
  createdAt: timestamp(createdAt),
  ...(expiresAt !== undefined && { expiresAt: timestamp(expiresAt) }),
  ...(rotatedAt !== undefined && { rotatedAt: timestamp(rotatedAt) }),
  ...(lastUsedAt !== undefined && { lastUsedAt: timestamp(lastUsedAt) }),
})

/** A key that was made just now, with its secret. */
export const shownOnce = (id: number, key: NewKey, secret: string): KeyWithSecret => ({
  ...shown({ ...key, id, rotatedAt: undefined, lastUsedAt: undefined }),
  secret,
})

/** The scopes, each once; refused when the giver does not have all of them. */
export function granted(wanted: readonly Scope[], has: ReadonlySet<Scope>) {
  const missing = wanted.filter((scope) => !has.has(scope))
  if (missing.length === 0) return [...new Set(wanted)]
  return refusal("forbidden", `A credential gives no scope it does not have itself: ${missing.join(", ")}`)
}

/** What is wrong with a time of expiry; nothing when it lies in the future. */
export function expiryViolations(expiresAt: string | undefined, now: number): Violation[] {
  if (expiresAt === undefined || Date.parse(expiresAt) > now) return []
  return at("/expiresAt", "not-in-future", "must be a time in the future")
}

/** A key and its successor: the old one ends with the overlap, the new one lives as long as the old one was given. */
export function rotation(key: Key, now: number, overlapSeconds: number) {
  if (key.rotatedAt !== undefined) return refusal("key-rotated", "The key was rotated before; rotate its successor")
  const { accountId, name, scopes, allowedCidrs, createdAt, expiresAt } = key
  const lifetime = expiresAt === undefined ? undefined : expiresAt - createdAt
  return {
    endsAt: Math.min(expiresAt ?? Number.POSITIVE_INFINITY, now + overlapSeconds * 1000),
    successor: {
      accountId,
      name,
      scopes,
      allowedCidrs,
      createdAt: now,
      expiresAt: lifetime === undefined ? undefined : now + lifetime,
    },
  }
}

export const roomForMore = (count: number) =>
  count < keysMax ? count : refusal("too-many-keys", `The account has ${count} keys; revoke one that is not used`)
