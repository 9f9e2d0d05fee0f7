import assert from "node:assert/strict"
import { before, test } from "node:test"
import type { Change } from "../../../src/domain/ports/store.ts"
import type { Claim } from "../../../src/domain/webhooks/deliveries/store.ts"
import { useDeliveries } from "./delivery-samples.ts"
import { type OpenStore, samplePet, useStore } from "./samples.ts"

/** Which commits listeners receive. */
export function testCommits(open: OpenStore): void {
  const store = useStore(open)
  const { setUp, addWebhook, happen, claim, settle, outcome } = useDeliveries(store)
  before(setUp)
  const event = { id: 1, name: "p", status: "available" } as const

  /** The changes that listeners received while `work` ran, one entry per commit. */
  async function changesDuring(work: () => Promise<unknown>): Promise<Change[][]> {
    const received: Change[][] = []
    const stop = store.onCommit((changes) => void received.push([...changes].sort()))
    try {
      await work()
    } finally {
      stop()
    }
    return received
  }

  test("a store that has just committed does not refuse writes", async () => {
    await store.transaction((tx) => tx.events.add("pet.created", event, 1))
    assert.equal(store.refusesWrites?.(), undefined)
    assert.deepEqual(store.degraded?.() ?? [], [])
    assert.match(store.product, /^(SQLite|PostgreSQL|CockroachDB) \S+$/)
  })

  test("a commit with an event is announced once the event can be read", async () => {
    const last = (await store.events.after(0, 1000)).length
    const seen: Promise<number>[] = []
    const stop = store.onCommit(() => void seen.push(store.events.after(0, 1000).then(({ length }) => length)))
    await store.transaction((tx) => tx.events.add("pet.created", event, 1))
    stop()
    assert.deepEqual(await Promise.all(seen), [last + 1])
  })

  test("compacting changes no data, also between other transactions", async () => {
    const add = (id: number) => store.transaction((tx) => tx.pets.add(samplePet(id)))
    const [, freed] = await Promise.all([add(701), store.compact(), add(702)])
    assert.ok(freed >= 0)
    assert.ok((await store.pets.read(701)) && (await store.pets.read(702)))
  })

  test("a commit that only read, or changed other data, is not announced", async () => {
    const id = await addWebhook()
    const received = await changesDuring(async () => {
      await store.transaction((tx) => tx.pets.add(samplePet(1)))
      await store.transaction(async (tx) => {
        await tx.events.after(0, 10)
        await tx.webhooks.lock(id)
        await tx.deliveries.list(id, ["pending"], { limit: 10, before: undefined })
        assert.deepEqual(await tx.deliveries.claim(id, 10, 1, 2), [])
      })
      await store.transaction((tx) => tx.deliveries.retry(1_000_000, 1))
      await store.transaction((tx) => tx.webhooks.addSecret(id, "sealed", 1))
    })
    assert.deepEqual(received, [])
  })

  test("a transaction that is rolled back is not announced, and concurrent commits are", async () => {
    const add = (fails: boolean) =>
      store.transaction(async (tx) => {
        await tx.events.add("pet.created", event, 1)
        if (fails) throw new Error("no")
      })
    assert.deepEqual(await changesDuring(() => assert.rejects(add(true))), [])
    const received = await changesDuring(() => Promise.allSettled([add(true), add(false), add(true)]))
    assert.deepEqual(received, [["event-added"]])
  })

  test("every change that makes a delivery due earlier is announced, and no other", async () => {
    const id = await addWebhook({ ordered: true })
    const isDue = ["delivery-due"]
    assert.deepEqual(await changesDuring(() => happen(1, 10)), [["delivery-due", "event-added"]])
    await happen(1, 20)

    const claimOne = async (at: number) => (await claim(id, at))[0] as Claim
    const first = await claimOne(30)
    const { deliveryId } = first
    assert.deepEqual(await changesDuring(() => store.transaction((tx) => tx.deliveries.release(first, 40))), [isDue])
    let second = first
    const claimSecond = async () => {
      second = await claimOne(40)
    }
    assert.deepEqual(await changesDuring(claimSecond), [])
    const postpone = () => settle(second, { state: "pending", step: 1, dueAt: 900 }, outcome(50))
    assert.deepEqual(await changesDuring(postpone), [])
    const last = await claimOne(900)
    const fail = () => settle(last, { state: "failed", step: 2, dueAt: undefined }, outcome(910))
    assert.deepEqual(await changesDuring(fail), [isDue], "the pet's next delivery can start")
    assert.deepEqual(await changesDuring(() => store.transaction((tx) => tx.deliveries.retry(deliveryId, 920))), [
      isDue,
    ])
    const retryFailed = () => store.transaction((tx) => tx.deliveries.retryFailed(id, 0, 930, 10))
    assert.deepEqual(await changesDuring(retryFailed), [], "none has failed")

    const put = (status: "active" | "paused") =>
      store.transaction(async (tx) => {
        const webhook = await tx.webhooks.lock(id)
        assert.ok(webhook)
        await tx.webhooks.put({ ...webhook, status })
      })
    assert.deepEqual(await changesDuring(() => put("paused")), [])
    assert.deepEqual(await changesDuring(() => put("active")), [isDue])
    const test = await store.transaction((tx) => tx.events.add("webhook.test", { webhookId: id }, 940))
    assert.deepEqual(await changesDuring(() => store.transaction((tx) => tx.deliveries.addTest(id, test, 940))), [
      isDue,
    ])
    const prune = () => store.transaction((tx) => tx.deliveries.prune(15, 10))
    assert.deepEqual(await changesDuring(prune), [isDue], "deliveries that waited for the deleted one can start")
  })

  test("a listener that has unsubscribed receives nothing more, and the others do", async () => {
    let received = 0
    const stop = store.onCommit(() => void received++)
    stop()
    stop()
    const others = await changesDuring(() => store.transaction((tx) => tx.events.add("pet.created", event, 1)))
    assert.deepEqual([received, others.length], [0, 1])
  })
}
