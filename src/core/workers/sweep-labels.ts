// Decision: docs/decisions/pets-and-orders.md#unused-categories-and-tags-are-found-by-a-rotating-scan

import type { LabelKind } from "../domain/pets/store.ts"
import type { ChoreDeps } from "./chore.ts"

const batchSize = 100
const batchesAtOnce = 100
const kinds: readonly LabelKind[] = ["categories", "tags"]

/**
 * Creates a chore that removes categories and tags that no pet has. Each run checks up to 10,000 names of a kind and continues
 * where the last one stopped, so that its cost does not grow with their number.
 */
export function createLabelSweep() {
  const position: Record<LabelKind, number> = { categories: 0, tags: 0 }

  return async function sweepLabels({ store }: Pick<ChoreDeps, "store">): Promise<void> {
    for (const kind of kinds)
      for (let n = 0; n < batchesAtOnce; n++) {
        const last = await store.transaction((tx) => tx.pets.forgetUnusedLabels(kind, position[kind], batchSize))
        position[kind] = last ?? 0
        if (last === undefined) break
      }
  }
}
