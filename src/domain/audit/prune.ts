import type { Repositories } from "../ports/store.ts"

const dayMs = 24 * 60 * 60 * 1000

/**
 * Removes up to `limit` of the oldest entries once they are `keptMs` old, and returns how many. It says so in the log
 * itself, with the hash that the oldest entry left refers to: a beginning that somebody else removed lacks that. It cuts
 * at midnight UTC, so that it adds no more than one entry a day.
 */
export async function pruneAudit(tx: Repositories, now: number, keptMs: number, limit: number): Promise<number> {
  const before = now - keptMs
  const pruned = await tx.audit.prune(before - (before % dayMs), limit)
  if (!pruned) return 0
  const { through, hash, count } = pruned
  await tx.audit.append([{ principal: "service", action: "audit.pruned", details: { through, hash } }], now)
  return count
}
