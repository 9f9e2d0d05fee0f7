import type { Store } from "../../../src/core/domain/ports/store.ts"
import type { DeliveryProgress, Outcome } from "../../../src/core/domain/webhooks/deliveries/model.ts"
import type { Claim } from "../../../src/core/domain/webhooks/deliveries/store.ts"
import type { StoredWebhook } from "../../../src/core/domain/webhooks/model.ts"
import { newWebhook } from "../../../src/core/domain/webhooks/rules.ts"
import { theOnly } from "../../../src/core/kernel/flow/the-only.ts"
import { addAccount } from "./samples.ts"

/** Delivers events step by step. By default, every webhook receives `pet.updated`. */
export function useDeliveries(store: Pick<Store, "transaction">) {
  let accountId: number
  const outcome = (at: number, status = 200): Outcome => ({
    at,
    durationMs: 1,
    status,
    error: status === 200 ? undefined : "status",
    response: "",
    retryAfterMs: undefined,
  })
  const settle = (claim: Claim, progress: DeliveryProgress, result: Outcome) =>
    store.transaction(async (tx) => theOnly(await tx.deliveries.settle([{ claim, outcome: result, progress }])))

  return {
    outcome,
    settle,
    async setUp() {
      accountId = await addAccount(store)
    },
    async addWebhook(more: Partial<StoredWebhook> = {}): Promise<number> {
      const webhook = newWebhook({ url: "https://a.example/", events: ["pet.updated"] }, accountId, 0)
      return (await store.transaction((tx) => tx.webhooks.add({ ...webhook, ...more }, "sealed"))).id
    },
    /** Adds an event of a pet at this time, and its deliveries. */
    happen: (petId: number, at: number) =>
      store.transaction(async (tx) => {
        await tx.events.add("pet.updated", { id: petId, name: `${petId}`, status: "available" }, at)
        while ((await tx.events.publish(at, 100)) > 0);
      }),
    /** Claims the due deliveries of a webhook for one second. */
    claim: (webhookId: number, at: number, limit = 100) =>
      store.transaction((tx) => tx.deliveries.claim(webhookId, limit, at, at + 1000)),
    deliver: (claim: Claim, at: number) =>
      settle(claim, { state: "delivered", step: 1, dueAt: undefined }, outcome(at)),
  }
}

/** Claims at once, again and again until nothing is due: a claim is refused while another one has the webhook. */
export async function claimInRounds(claims: () => Promise<Claim[]>[]): Promise<Claim[]> {
  const claimed = (await Promise.all(claims())).flat()
  return claimed.length === 0 ? [] : [...claimed, ...(await claimInRounds(claims))]
}
