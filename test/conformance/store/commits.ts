import assert from "node:assert/strict"
import { before, test } from "node:test"
import type { Change } from "../../../src/core/domain/ports/store.ts"
import type { Claim } from "../../../src/core/domain/webhooks/deliveries/store.ts"
import { useDeliveries } from "./delivery-samples.ts"
import { type OpenStore, samplePet, useStore } from "./samples.ts"

/** Which commits listeners receive. */
export function testCommits(open: OpenStore): void {
  const store = useStore(open)
  const { setUp, addWebhook, happen, claim, settle, outcome } = useDeliveries(store)
  before(setUp)
  const event = { id: 1, name: "p", status: "available" } as const

  /** The changes that listeners received while `work` ran, one entry per commit. */
  async function toldOf(work: () => Promise<unknown>): Promise<Change[][]> {
    const told: Change[][] = []
    const stop = store.onCommit((changes) => void told.push([...changes].sort()))
    try {
      await work()
    } finally {
      stop()
    }
    return told
  }

  test("a store that was just written to refuses no writes", async () => {
    await store.transaction((tx) => tx.events.add("pet.created", event, 1))
    assert.equal(store.refusesWrites?.(), undefined)
    assert.deepEqual(store.degraded?.() ?? [], [])
    assert.match(store.product, /^(SQLite|PostgreSQL|CockroachDB) \S+$/)
  })

  test("a commit that added an event is reported once it can be read", async () => {
    const last = (await store.events.after(0, 1000)).length
    const seen: Promise<number>[] = []
    const stop = store.onCommit(() => void seen.push(store.events.after(0, 1000).then(({ length }) => length)))
    await store.transaction((tx) => tx.events.add("pet.created", event, 1))
    stop()
    assert.deepEqual(await Promise.all(seen), [last + 1])
  })

  test("compacting leaves the data intact, also between other transactions", async () => {
    const add = (id: number) => store.transaction((tx) => tx.pets.add([samplePet(id)]))
    const [, freed] = await Promise.all([add(701), store.compact(), add(702)])
    assert.ok(freed >= 0)
    assert.ok((await store.pets.read(701)) && (await store.pets.read(702)))
  })

  test("a commit that only read, or made other changes, is not reported", async () => {
    const id = await addWebhook()
    const told = await toldOf(async () => {
      await store.transaction((tx) => tx.pets.add([samplePet(1)]))
      await store.transaction(async (tx) => {
        await tx.events.after(0, 10)
        await tx.webhooks.lock(id)
        await tx.deliveries.list(id, ["pending"], { limit: 10, before: undefined })
        assert.deepEqual(await tx.deliveries.claim(id, 10, 1, 2), [])
      })
      await store.transaction((tx) => tx.deliveries.retry(1_000_000, 1))
      await store.transaction((tx) => tx.webhooks.addSecret(id, "sealed", 1))
    })
    assert.deepEqual(told, [])
  })

  test("a rollback is not reported, and a commit beside it is", async () => {
    const add = (fails: boolean) =>
      store.transaction(async (tx) => {
        await tx.events.add("pet.created", event, 1)
        if (fails) throw new Error("no")
      })
    assert.deepEqual(await toldOf(() => assert.rejects(add(true))), [])
    const told = await toldOf(() => Promise.allSettled([add(true), add(false), add(true)]))
    assert.deepEqual(told, [["event-added"]])
  })

  test("every change that makes a delivery due earlier is reported, and none that delays it", async () => {
    const id = await addWebhook({ ordered: true })
    const isDue = ["delivery-due"]
    assert.deepEqual(await toldOf(() => happen(1, 10)), [["delivery-due", "event-added"]])
    await happen(1, 20)

    const claimOne = async (at: number) => (await claim(id, at))[0] as Claim
    const first = await claimOne(30)
    const { deliveryId } = first
    assert.deepEqual(await toldOf(() => store.transaction((tx) => tx.deliveries.release(first, 40))), [isDue])
    let again = first
    const claimAgain = async () => {
      again = await claimOne(40)
    }
    assert.deepEqual(await toldOf(claimAgain), [])
    const putOff = () => settle(again, { state: "pending", step: 1, dueAt: 900 }, outcome(50))
    assert.deepEqual(await toldOf(putOff), [])
    const last = await claimOne(900)
    const giveUp = () => settle(last, { state: "failed", step: 2, dueAt: undefined }, outcome(910))
    assert.deepEqual(await toldOf(giveUp), [isDue], "the pet's next delivery is due")
    assert.deepEqual(await toldOf(() => store.transaction((tx) => tx.deliveries.retry(deliveryId, 920))), [isDue])
    const retryFailed = () => store.transaction((tx) => tx.deliveries.retryFailed(id, 0, 930, 10))
    assert.deepEqual(await toldOf(retryFailed), [], "none has failed")

    const put = (status: "active" | "paused") =>
      store.transaction(async (tx) => {
        const webhook = await tx.webhooks.lock(id)
        assert.ok(webhook)
        await tx.webhooks.put({ ...webhook, status })
      })
    assert.deepEqual(await toldOf(() => put("paused")), [])
    assert.deepEqual(await toldOf(() => put("active")), [isDue])
    const test = await store.transaction((tx) => tx.events.add("webhook.test", { webhookId: id }, 940))
    assert.deepEqual(await toldOf(() => store.transaction((tx) => tx.deliveries.addTest(id, test, 940))), [isDue])
    const prune = () => store.transaction((tx) => tx.deliveries.prune(15, 10))
    assert.deepEqual(await toldOf(prune), [isDue], "what waited for the forgotten one may go ahead")
  })

  test("the first delivery of a single webhook is reported when its event is published", async () => {
    const id = await addWebhook({ events: ["webhook.disabled"] })
    const told = await toldOf(async () => {
      await store.transaction((tx) =>
        tx.events.add("webhook.disabled", { id, url: "https://a.example/", reason: "failing" }, 950),
      )
      await store.transaction((tx) => tx.events.publish(950, 100))
    })
    assert.deepEqual(told, [["event-added"], ["delivery-due"]])
  })

  test("a listener that stopped receives no more commits, the others do", async () => {
    let told = 0
    const stop = store.onCommit(() => void told++)
    stop()
    stop()
    const others = await toldOf(() => store.transaction((tx) => tx.events.add("pet.created", event, 1)))
    assert.deepEqual({ told, others: others.length }, { told: 0, others: 1 })
  })
}
