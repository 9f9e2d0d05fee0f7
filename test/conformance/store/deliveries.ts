import assert from "node:assert/strict"
import { before, test } from "node:test"
import type { DeliveryProgress } from "../../../src/core/domain/webhooks/deliveries/model.ts"
import { claimInRounds, useDeliveries } from "./delivery-samples.ts"
import { type OpenStore, readPages, useStore } from "./samples.ts"

export function testDeliveries(open: OpenStore): void {
  const store = useStore(open)
  const { setUp, addWebhook, happen, claim, deliver, settle, outcome } = useDeliveries(store)
  before(setUp)
  const idsOf = (claims: { deliveryId: number }[]) => claims.map(({ deliveryId }) => deliveryId)
  const progress = (state: DeliveryProgress["state"]): DeliveryProgress => ({ state, step: 1, dueAt: undefined })

  test("the backlog counts due deliveries of active webhooks that are not claimed, up to a maximum, and the time of the oldest", async () => {
    const id = await addWebhook()
    const paused = await addWebhook({ status: "paused" })
    const backlog = (at: number, max = 1000) => store.deliveries.backlog(at, max)
    const before = (await backlog(9_999)).count
    for (const at of [9_100, 9_200, 9_300]) await happen(at, at)
    assert.equal((await backlog(9_300)).count - before, 3)
    assert.equal((await backlog(9_300, 2)).count, 2)
    assert.ok(((await backlog(9_300)).oldestDueAt as number) <= 9_100)
    const claimed = await claim(id, 9_300, 1)
    assert.equal((await backlog(9_300)).count - before, 2)
    assert.equal((await backlog(10_300)).count - before, 3, "a claim that ran out is due again")
    for (const one of [...claimed, ...(await claim(id, 9_300)), ...(await claim(paused, 9_300))])
      await deliver(one, 9_300)
    assert.deepEqual(await backlog(0), { count: 0, oldestDueAt: undefined })
  })

  test("concurrent claims never return the same delivery, and a late result changes nothing", async () => {
    const id = await addWebhook()
    for (let n = 0; n < 30; n++) await happen(n + 1, 10)
    const claims = await claimInRounds(() => Array.from({ length: 10 }, () => claim(id, 10, 10)))
    assert.equal(claims.length, 30)
    assert.equal(new Set(idsOf(claims)).size, 30)

    const [late] = claims
    assert.ok(late)
    assert.deepEqual(
      { webhookId: late.webhookId, claim: late.claim, step: late.step, isTest: late.isTest, kind: late.kind },
      { webhookId: id, claim: 1, step: 0, isTest: false, kind: "pet.updated" },
    )
    const again = (await claim(id, 1010)).find(({ deliveryId }) => deliveryId === late.deliveryId)
    assert.ok(again)
    const settled = [
      await settle(again, progress("delivered"), outcome(1020)),
      await settle(late, progress("failed"), outcome(1030, 500)),
    ]
    assert.deepEqual(settled, [true, false])
    const delivery = await store.deliveries.read(late.deliveryId, id)
    assert.deepEqual({ state: delivery?.state, attempts: delivery?.attempts }, { state: "delivered", attempts: 2 })
    assert.deepEqual(
      (await store.deliveries.attempts(late.deliveryId)).map(({ status }) => status),
      [200, 500],
    )
  })

  test("a delivery reads back to its own webhook, with its last attempt and when the next is", async () => {
    const [id, other] = [await addWebhook(), await addWebhook()]
    await happen(1, 100)
    const [claimed] = await claim(id, 100)
    assert.ok(claimed)
    await settle(claimed, { state: "pending", step: 1, dueAt: 5000 }, { ...outcome(200, 500), response: "no" })
    const delivery = await store.deliveries.read(claimed.deliveryId, id)
    assert.deepEqual(delivery, {
      id: claimed.deliveryId,
      webhookId: id,
      eventId: claimed.eventId,
      event: "pet.updated",
      state: "pending",
      attempts: 1,
      nextAttemptAt: "1970-01-01T00:00:05.000Z",
      createdAt: "1970-01-01T00:00:00.100Z",
      lastAttempt: { at: "1970-01-01T00:00:00.200Z", durationMs: 1, status: 500, error: "status", response: "no" },
    })
    assert.equal(await store.deliveries.read(claimed.deliveryId, other), undefined)
    assert.equal(await store.deliveries.message(claimed.deliveryId), claimed.json)
    assert.equal(await store.deliveries.message(0), "")
    assert.deepEqual(await claim(id, 4999), [])
    assert.deepEqual(
      { step: (await claim(id, 5000))[0]?.step, attempts: await store.deliveries.attempts(0) },
      { step: 1, attempts: [] },
    )
  })

  test("a released claim is due again at once without an attempt, unless it was claimed again", async () => {
    const id = await addWebhook()
    await happen(1, 100)
    const [first] = await claim(id, 100)
    assert.ok(first)
    const release = (of: typeof first, at: number) => store.transaction((tx) => tx.deliveries.release(of, at))
    await release(first, 110)
    const [second] = await claim(id, 110)
    assert.ok(second)
    await release(first, 120)
    assert.deepEqual(await claim(id, 120), [], "a late release frees no other claim")
    assert.equal((await store.deliveries.read(first.deliveryId, id))?.attempts, 0)
  })

  test("deliveries are listed by state, newest first, in pages that neither skip nor repeat", async () => {
    const id = await addWebhook()
    for (let n = 0; n < 6; n++) await happen(n + 1, 10)
    const claims = await claim(id, 10)
    const states = ["delivered", "failed", "pending"] as const
    for (const [n, claimed] of claims.entries())
      await settle(claimed, { ...progress(states[n % 3] as DeliveryProgress["state"]), dueAt: 9000 }, outcome(20))
    const ids = idsOf(claims)
    const listed = async (...wanted: DeliveryProgress["state"][]) =>
      (await readPages((page) => store.deliveries.list(id, wanted, page))).map((delivery) => delivery.id)
    assert.deepEqual(await listed(...states), ids.toReversed())
    assert.deepEqual(await listed("failed"), [ids[4], ids[1]])
    assert.deepEqual(await listed("failed", "pending"), [ids[5], ids[4], ids[2], ids[1]])
  })

  test("a test is sent in any status of its webhook; a paused webhook receives nothing else", async () => {
    const id = await addWebhook({ status: "paused" })
    await happen(1, 10)
    const test = await store.transaction(async (tx) =>
      tx.deliveries.addTest(id, await tx.events.add("webhook.test", { webhookId: id }, 20), 20),
    )
    const claims = await claim(id, 20)
    assert.deepEqual({ idsOf: idsOf(claims), isTest: claims[0]?.isTest }, { idsOf: [test], isTest: true })
  })

  test("a removed webhook is sent nothing, and is not due again when what it had claimed ends", async () => {
    const id = await addWebhook()
    const addTest = () =>
      store.transaction(async (tx) =>
        tx.deliveries.addTest(id, await tx.events.add("webhook.test", { webhookId: id }, 20), 20),
      )
    await addTest()
    await addTest()
    const [first, second] = await claim(id, 20)
    assert.ok(first && second)
    await addTest()
    await store.transaction((tx) => tx.webhooks.remove(id, 30))
    assert.deepEqual(await claim(id, 40), [])
    await store.transaction((tx) => tx.deliveries.release(first, 40))
    await deliver(second, 40)
    const due = await store.deliveries.due("new", 100_000, 1000)
    assert.deepEqual(
      due.filter(({ webhookId }) => webhookId === id),
      [],
    )
  })

  test("retrying resends all failed deliveries, however many, and no others", async () => {
    const id = await addWebhook()
    for (let n = 0; n < 12; n++) await happen(1, 800 + n)
    const claims = await claim(id, 900)
    for (const [n, claimed] of claims.entries())
      await settle(claimed, { ...progress(n % 3 === 0 ? "delivered" : "failed"), step: 10 }, outcome(900))
    const retry = () => store.transaction((tx) => tx.deliveries.retryFailed(id, 801, 1000, 5))
    assert.deepEqual([await retry(), await retry(), await retry()], [5, 3, 0])
    assert.equal((await claim(id, 1000)).length, 8)
  })

  test("deliveries are deleted by age with their attempts, up to the given number", async () => {
    const prune = (before: number) => store.transaction((tx) => tx.deliveries.prune(before, 2))
    while ((await prune(Number.MAX_SAFE_INTEGER)) > 0);
    const id = await addWebhook({ events: ["order.placed"] })
    const accountId = (await store.webhooks.read(id))?.accountId
    const tests: number[] = []
    for (const at of [1, 2, 3, 4])
      tests.push(
        await store.transaction(async (tx) =>
          tx.deliveries.addTest(id, await tx.events.add("webhook.test", { webhookId: id }, at, accountId), at),
        ),
      )
    await store.transaction((tx) => tx.events.publish(10, 100))
    for (const claimed of await claim(id, 10)) await settle(claimed, progress("delivered"), outcome(10))
    assert.equal((await store.deliveries.attempts(tests[0] as number)).length, 1)
    assert.deepEqual([await prune(4), await prune(4), await prune(4)], [2, 1, 0])
    assert.deepEqual(await store.deliveries.attempts(tests[0] as number), [])
    assert.equal(await store.deliveries.read(tests[0] as number, id), undefined)
    assert.ok(await store.deliveries.read(tests[3] as number, id))
  })
}
