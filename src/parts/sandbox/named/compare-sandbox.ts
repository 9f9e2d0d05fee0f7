import { compareStores } from "../diff/compare.ts"
import type { Comparison } from "../model.ts"
import type { Seed } from "../seeds/contract.ts"
import type { NamedSandbox, SandboxEntry } from "./sandbox-entry.ts"

export type Wanted = { with?: string; limit: number }

/** Compares a sandbox with another one, by default with what it started from: the one of which it is a copy, or a new one of its seed. */
export function compareSandbox(
  after: SandboxEntry,
  { with: wanted, limit }: Wanted,
  others: { find(name: string): SandboxEntry | undefined; open(seed: Seed | undefined): Promise<NamedSandbox> },
): Promise<Comparison> {
  const { name } = after
  return after.whileInUse(async (opened) => {
    const seed = wanted === undefined ? opened.seed() : undefined
    const compare = (before: NamedSandbox) => compareStores(before.api.ports.store, opened.api.ports.store, limit)
    if (seed !== undefined) {
      // A new sandbox has the initial data without a reset.
      const fresh = await others.open(seed === "initial" ? undefined : seed)
      try {
        return { name, seed, ...(await compare(fresh)) }
      } finally {
        await fresh.close()
      }
    }
    const other = wanted ?? after.facts.copiedFrom
    if (other === undefined) return undefined
    const before = others.find(other)
    return before ? { name, with: other, ...(await before.whileInUse(compare)) } : { absent: other }
  })
}
