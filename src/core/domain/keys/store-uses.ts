import type { Store } from "../ports/store.ts"

const keysPerCommit = 500

/** Stores when keys were last used: milliseconds since the epoch by id. */
export async function storeUses(store: Store, uses: ReadonlyMap<number, number>): Promise<void> {
  const saving = [...uses].map(([id, at]) => ({ id, at }))
  for (let n = 0; n < saving.length; n += keysPerCommit)
    await store.transaction((tx) => tx.keys.used(saving.slice(n, n + keysPerCommit)))
}
