import type { ShownKey } from "../../../../domain/keys/contract.ts"

export function keyState({ expiresAt, rotatedAt }: ShownKey, now: number): "active" | "rotated" | "expired" {
  if (expiresAt !== undefined && Date.parse(expiresAt) <= now) return "expired"
  return rotatedAt === undefined ? "active" : "rotated"
}
