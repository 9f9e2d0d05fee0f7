import type { Store } from "../../../core/domain/ports/store.ts"
import { compareStores } from "../diff/compare.ts"
import type { Comparison } from "../model.ts"
import type { Seed } from "../seeds/contract.ts"
import type { SandboxEntry, SeedData } from "./sandbox-entry.ts"

export type Wanted = { with?: string; limit: number }

/** Compares a sandbox with another one, by default with what it started from: the one of which it is a copy, or its seed. */
export function compareSandbox(
  after: SandboxEntry,
  { with: wanted, limit }: Wanted,
  others: { find(name: string): SandboxEntry | undefined; open(seed: Seed): Promise<SeedData> },
): Promise<Comparison> {
  const { name } = after
  return after.whileInUse(async (opened) => {
    const seed = wanted === undefined ? opened.seed() : undefined
    const compare = (before: Store) => compareStores(before, opened.api.ports.store, limit)
    if (seed !== undefined) {
      const fresh = await others.open(seed)
      try {
        return { name, seed, ...(await compare(fresh.store)) }
      } finally {
        await fresh.close()
      }
    }
    const other = wanted ?? after.facts.copiedFrom
    if (other === undefined) return undefined
    const before = others.find(other)
    if (!before) return { absent: other }
    return before.whileInUse(async ({ api }) => ({ name, with: other, ...(await compare(api.ports.store)) }))
  })
}
