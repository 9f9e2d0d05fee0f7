import type { ShownKey } from "../../../../core/domain/keys/contract.ts"

export function keyState({ expiresAt, rotatedAt }: ShownKey, now: number): "active" | "rotated" | "expired" {
  if (expiresAt !== undefined && Date.parse(expiresAt) <= now) return "expired"
  return rotatedAt === undefined ? "active" : "rotated"
}

/** What pages call a key that is public. */
export const aKnownKey = "a well-known key of the sandbox"
