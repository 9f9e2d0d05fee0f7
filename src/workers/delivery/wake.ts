import type { Repositories, Store } from "../../domain/ports.ts"

/** Something may be due: whoever listens is called, in this process. */
export type Wake = {
  call(): void
  listen(hear: () => void): void
}

export function wakeUp(): Wake {
  const listeners = new Set<() => void>()
  return {
    call() {
      for (const hear of listeners) hear()
    },
    listen: (hear) => void listeners.add(hear),
  }
}

/** The store, calling after every commit that may have made something due. */
export const waking = (store: Store, wake: Wake): Store => ({
  ...store,
  async transaction(work) {
    let touched = false
    const result = await store.transaction((tx) =>
      work(
        watched(tx, () => {
          touched = true
        }),
      ),
    )
    if (touched) wake.call()
    return result
  },
})

const watched = (tx: Repositories, touch: () => void): Repositories => ({
  ...tx,
  get events() {
    touch()
    return tx.events
  },
  get webhooks() {
    touch()
    return tx.webhooks
  },
  get deliveries() {
    touch()
    return tx.deliveries
  },
})
