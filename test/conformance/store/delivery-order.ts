import assert from "node:assert/strict"
import { before, test } from "node:test"
import { useDeliveries } from "./delivery-samples.ts"
import { type OpenStore, useStore } from "./samples.ts"

/** When a webhook is due, and which deliveries wait for others. */
export function testDeliveryOrder(open: OpenStore): void {
  const store = useStore(open)
  const { setUp, addWebhook, happen, claim, deliver } = useDeliveries(store)
  before(setUp)
  const petsOf = (claims: { json: string }[]) => claims.map(({ json }) => JSON.parse(json).data.id)
  const isDue = async (id: number, at: number) =>
    (await store.deliveries.due("new", at, 100)).some(({ webhookId }) => webhookId === id)

  test("a delivery of an ordered webhook waits for earlier ones of the same pet, even after a retry", async () => {
    const id = await addWebhook({ ordered: true })
    for (const pet of [1, 1, 2, 1]) await happen(pet, 10)
    const first = await claim(id, 10)
    assert.deepEqual(petsOf(first), [1, 2])
    assert.deepEqual(await claim(id, 20), [], "the others wait")
    const [perKey] = first
    assert.ok(perKey)
    await deliver(perKey, 20)
    const second = await claim(id, 20)
    assert.deepEqual(petsOf(second), [1])
    assert.ok(second[0])
    await deliver(second[0], 30)

    await store.transaction((tx) => tx.deliveries.retry(perKey.deliveryId, 40))
    assert.deepEqual(
      (await claim(id, 40)).map(({ deliveryId }) => deliveryId),
      [perKey.deliveryId],
      "the third waits for the first again",
    )
  })

  test("a waiting delivery continues when the one before it is deleted", async () => {
    const id = await addWebhook({ ordered: true })
    await happen(1, 100)
    await happen(1, 200)
    while ((await store.transaction((tx) => tx.deliveries.prune(150, 100))) > 0);
    assert.ok(await isDue(id, 200))
    assert.equal((await claim(id, 200)).length, 1)
  })

  test("a webhook is due exactly while a delivery is", async () => {
    const id = await addWebhook()
    assert.ok(!(await isDue(id, 300)))
    await happen(1, 300)
    assert.ok(await isDue(id, 300))

    const put = async (status: "active" | "paused") =>
      store.transaction(async (tx) => {
        const found = await tx.webhooks.lock(id)
        assert.ok(found)
        await tx.webhooks.put({ ...found, status })
      })
    await put("paused")
    assert.ok(!(await isDue(id, 300)))
    await happen(2, 301)
    assert.ok(!(await isDue(id, 301)), "events do not wake a paused webhook")
    await put("active")
    assert.ok(await isDue(id, 301))

    const claims = await claim(id, 301)
    assert.equal(claims.length, 2)
    assert.ok(!(await isDue(id, 1300)))
    assert.ok(await isDue(id, 1301), "when the lease ends")
    const [one, other] = claims
    assert.ok(one && other)
    await store.transaction((tx) => tx.deliveries.release(one, 302))
    assert.ok(await isDue(id, 302))
    for (const claimed of await claim(id, 302)) await deliver(claimed, 303)
    await deliver(other, 303)
    assert.ok(!(await isDue(id, 10_000)))
    await store.transaction((tx) => tx.deliveries.retry(other.deliveryId, 350))
    assert.deepEqual([await isDue(id, 349), await isDue(id, 350)], [false, true], "when one is sent again")
    for (const claimed of await claim(id, 350)) await deliver(claimed, 351)
    assert.ok(!(await isDue(id, 10_000)))

    await store.transaction(async (tx) => {
      const { accountId } = (await tx.webhooks.read(id)) ?? {}
      return tx.deliveries.addTest(id, await tx.events.add("webhook.test", { webhookId: id }, 400, accountId), 400)
    })
    assert.ok(await isDue(id, 400))
    await store.transaction((tx) => tx.webhooks.remove(id, 401))
    assert.ok(!(await isDue(id, 10_000)), "a deleted webhook has nothing due")
  })

  test("a webhook that was just served is due after those that wait", async () => {
    const [backlog, other] = [await addWebhook(), await addWebhook()]
    for (let n = 0; n < 3; n++) await happen(1, 500)
    for (const id of [backlog, other]) for (const claimed of await claim(id, 500)) await deliver(claimed, 501)
    for (let n = 0; n < 3; n++) await happen(1, 600)
    await claim(backlog, 700, 1)
    const order = (await store.deliveries.due("new", 700, 100)).map(({ webhookId }) => webhookId)
    assert.ok(order.indexOf(other) < order.indexOf(backlog))
  })
}
