// Decision: docs/decisions/delivery.md#ended-attempts-of-a-webhook-are-settled-in-groups

import { type Database, StoreUnavailable } from "../../domain/ports/store.ts"
import { type EndedAttempt, settleDeliveries } from "../../domain/webhooks/deliveries/settle.ts"
import { slots } from "../../kernel/flow/slots.ts"

type Waiting = { ended: EndedAttempt; resolve(): void; reject(error: unknown): void }

type Settlements = {
  /** Resolves when the outcome of the attempt is durable. */
  settle(ended: EndedAttempt): Promise<void>
  /** Ended attempts whose outcome is not durable yet. */
  waiting(): number
}

/** Settles attempts. Those that end while their webhook is being settled share the next transaction. */
export function createSettlements(store: Database): Settlements {
  const { backgroundMax } = store
  // Where transactions run one after the other, none waits for the row of the webhook.
  const running = slots<number>({ perKey: store.isShared ? 1 : backgroundMax, total: backgroundMax })
  /** By webhook, those that have waited longest first. */
  const waiting = new Map<number, Waiting[]>()
  let count = 0

  function start(): void {
    for (const [webhookId, group] of waiting) {
      const release = running.take(webhookId)
      if (release === "all") return
      if (release === "one") continue
      waiting.delete(webhookId)
      void settleGroup(store, group).finally(() => {
        release()
        start()
      })
    }
  }

  return {
    settle(ended) {
      count++
      const settled = new Promise<void>((resolve, reject) => {
        const { webhookId } = ended.claim
        const group = waiting.get(webhookId) ?? []
        group.push({ ended, resolve, reject })
        waiting.set(webhookId, group)
        start()
      })
      return settled.finally(() => count--)
    },
    waiting: () => count,
  }
}

async function settleGroup(store: Database, group: readonly Waiting[]): Promise<void> {
  const attempts = group.map(({ ended }) => ended)
  try {
    await store.transaction((tx) => settleDeliveries(tx, attempts))
    for (const { resolve } of group) resolve()
  } catch (error) {
    // What is wrong with one attempt does not concern the others.
    if (group.length > 1 && !(error instanceof StoreUnavailable))
      for (const one of group) await settleGroup(store, [one])
    else for (const { reject } of group) reject(error)
  }
}
