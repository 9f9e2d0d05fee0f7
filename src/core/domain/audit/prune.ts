import type { Repositories } from "../ports/store.ts"

const dayMs = 24 * 60 * 60 * 1000

/**
 * Removes up to `limit` of the entries that are `keptMs` old and returns their number. Logs the removal with the hash that the
 * oldest remaining entry refers to, which a forged start lacks. Cuts at midnight UTC, so it adds at most one entry a day.
 */
export async function pruneAudit(tx: Repositories, now: number, keptMs: number, limit: number): Promise<number> {
  const before = now - keptMs
  const pruned = await tx.audit.prune(before - (before % dayMs), limit)
  if (!pruned) return 0
  const { through, hash, count } = pruned
  await tx.audit.append([{ principal: "service", action: "audit.pruned", details: { through, hash } }], now)
  return count
}
