import assert from "node:assert/strict"
import { test } from "node:test"
import { positionOf } from "../../../src/core/domain/events/rules.ts"
import { newWebhook } from "../../../src/core/domain/webhooks/rules.ts"
import { addAccount, type OpenStore, useStore } from "./samples.ts"

export function testEvents(open: OpenStore): void {
  const store = useStore(open)

  test("events are read in the order they were added, as the payload of their receivers", async () => {
    const last = (await store.events.after(0, 1000)).at(-1)?.id ?? 0
    await store.transaction(async (tx) => {
      for (const id of [901, 902]) await tx.events.add("pet.created", { id, name: `n${id}`, status: "available" }, 0)
    })
    const events = await store.events.after(last, 10)
    assert.deepEqual(
      events.map(({ json }) => JSON.parse(json)),
      [901, 902].map((id) => ({
        event: "pet.created",
        data: { id, name: `n${id}`, status: "available" },
        timestamp: "1970-01-01T00:00:00.000Z",
      })),
    )
    assert.equal((await store.events.after(last, 1)).length, 1)
  })

  const add = (id: number, at: number, accountId?: number) =>
    store.transaction((tx) => tx.events.add("pet.created", { id, name: `n${id}`, status: "available" }, at, accountId))
  const publish = (limit = 100) => store.transaction((tx) => tx.events.publish(0, limit))
  const publishAll = async () => {
    while ((await publish()) > 0);
  }
  const idsOf = (events: { json: string }[]) => events.map(({ json }) => JSON.parse(json).data.id)

  test("a published event is in the feed, in the order it was written, under a permanent id", async () => {
    await publishAll()
    const before = (await store.events.feed(0, 0, 1000)).length
    const last = (await store.events.after(0, 1000)).at(-1)?.id ?? 0
    for (const id of [911, 912, 913]) await add(id, 1)
    assert.deepEqual([await publish(2), await publish(2), await publish(2)], [2, 1, 0])
    const feed = (await store.events.feed(0, 0, 1000)).slice(before)
    assert.deepEqual(idsOf(feed), [911, 912, 913])
    assert.deepEqual(idsOf(await store.events.feed(before + 1, 0, 1)), [912])
    assert.deepEqual(
      (await store.events.after(last, 10)).map(({ publicId }) => publicId),
      feed.map(({ id }) => id),
    )
    for (const { id } of feed) assert.match(id, /^evt_\d+_[0-9a-f]{12}$/)
    assert.equal(new Set(feed.map(({ id }) => id)).size, 3)
    assert.deepEqual((await store.events.feed(0, 0, 1000)).slice(before), feed)
  })

  test("concurrent publications publish each event once", async () => {
    await publishAll()
    const before = (await store.events.feed(0, 0, 1000)).length
    for (let n = 0; n < 30; n++) await add(920 + n, 1)
    const counts = await Promise.all(Array.from({ length: 10 }, () => publish(7)))
    assert.equal(
      counts.reduce((sum, count) => sum + count),
      30,
    )
    assert.deepEqual(
      idsOf((await store.events.feed(0, 0, 1000)).slice(before)),
      Array.from({ length: 30 }, (_, n) => 920 + n),
    )
  })

  test("an account's feed contains its own events and those for all accounts", async () => {
    const [one, other] = [await addAccount(store), await addAccount(store)]
    await add(961, 1, one)
    await add(962, 1)
    await add(963, 1, other)
    await publishAll()
    const feedOf = async (accountId: number) =>
      idsOf(await store.events.feed(0, accountId, 1000)).filter((id) => id > 960)
    assert.deepEqual({ one: await feedOf(one), other: await feedOf(other) }, { one: [961, 962], other: [962, 963] })
    const newest = await store.events.feedBefore(Number.MAX_SAFE_INTEGER, one, 2)
    assert.deepEqual(idsOf(newest), [962, 961])
    const place = positionOf(newest[1]?.id ?? "")
    const [earlier] = await store.events.feedBefore(place, other, 1)
    assert.ok(earlier && positionOf(earlier.id) < place)
  })

  test("published events of all accounts are read with their account, up to the last position", async () => {
    const [one, other] = [await addAccount(store), await addAccount(store)]
    await publishAll()
    const before = await store.events.lastPosition()
    await add(965, 1, one)
    await add(966, 1)
    await add(967, 1, other)
    await publishAll()
    const found = await store.events.published(before, 10)
    assert.deepEqual(
      found.map(({ accountId }) => accountId),
      [one, undefined, other],
    )
    const own = await store.events.feed(before, one, 10)
    assert.deepEqual(
      found.slice(0, 2).map(({ id, json }) => ({ id, json })),
      own,
    )
    assert.deepEqual(await store.events.published(before + 1, 1), found.slice(1, 2))
    assert.equal(await store.events.lastPosition(), before + 3)
  })

  test("the position before a time is the one before the first event from then on, or the last one", async () => {
    const far = 4_000_000_000_000
    await publishAll()
    const before = await store.events.lastPosition()
    for (const [id, at] of [
      [968, far],
      [969, far + 20],
      [970, far + 10],
    ] as const)
      await add(id, at)
    await publishAll()
    const places = [far - 1, far, far + 5, far + 11, far + 21].map((at) => store.events.positionBefore(at))
    assert.deepEqual(await Promise.all(places), [before, before, before + 1, before + 1, before + 3])
    while ((await store.transaction((tx) => tx.events.prune(Number.MAX_SAFE_INTEGER, 100))) > 0);
  })

  test("a position has the id of its event, and the feed knows up to where events were removed", async () => {
    await publishAll()
    while ((await store.transaction((tx) => tx.events.prune(Number.MAX_SAFE_INTEGER, 100))) > 0);
    const last = await store.events.lastPosition()
    assert.deepEqual(await store.events.at(last), { ...nothingAt(last), last, removed: last })
    for (const [id, at] of [
      [981, 21],
      [982, 20],
      [983, 22],
    ] as const)
      await add(id, at)
    await publishAll()
    const kept = await store.events.published(last, 10)
    assert.deepEqual(
      await Promise.all([1, 2, 3].map((n) => store.events.at(last + n))),
      kept.map(({ id, positionId }, n) => ({
        position: last + n + 1,
        id: positionId,
        event: id,
        last: last + 3,
        removed: last,
      })),
    )
    assert.match(kept[0]?.positionId ?? "", /^evt_\d+_000000000015$/)
    // Not the oldest by position.
    assert.equal(await store.transaction((tx) => tx.events.prune(21, 10)), 1)
    const [one, two, three] = [
      await store.events.at(last + 1),
      await store.events.at(last + 2),
      await store.events.at(last + 4),
    ]
    assert.deepEqual([one.event, one.removed], [kept[0]?.id, last + 2])
    assert.deepEqual(two, { ...nothingAt(last + 2), last: last + 3, removed: last + 2 })
    assert.deepEqual(three, { ...nothingAt(last + 4), last: last + 3, removed: last + 2 })
  })

  const nothingAt = (position: number) => ({ position, id: `evt_${position}_000000000000`, event: undefined })

  test("a publication makes 2,000 deliveries or few more, however many webhooks receive each event", async () => {
    const other = await open()
    try {
      const accountId = await addAccount(other)
      await other.transaction(async (tx) => {
        await tx.events.addAll(
          Array.from({ length: 700 }, (_, n) => ({
            kind: "pet.updated",
            data: { id: n, name: "p", status: "available" },
            at: 1,
            accountId: undefined,
          })),
        )
        for (let n = 0; n < 3; n++)
          await tx.webhooks.add(newWebhook({ url: "https://a.example/", events: ["pet.updated"] }, accountId, 0), "s")
      })
      const publish = (limit: number) => other.transaction((tx) => tx.events.publish(2, limit))
      assert.deepEqual(
        [await publish(10), await publish(1000), await publish(1000), await publish(1000)],
        [10, 667, 23, 0],
      )
      assert.equal((await other.deliveries.backlog(2, 5000)).count, 2100)
    } finally {
      await other.close()
    }
  })

  test("only published events without deliveries are deleted, the oldest first", async () => {
    await publishAll()
    while ((await store.transaction((tx) => tx.events.prune(Number.MAX_SAFE_INTEGER, 100))) > 0);
    const accountId = await addAccount(store)
    const test = await store.transaction(async (tx) => {
      const { id } = await tx.webhooks.add(
        newWebhook({ url: "https://a.example/", events: ["order.placed"] }, accountId, 0),
        "sealed",
      )
      const event = await tx.events.add("webhook.test", { webhookId: id }, 10, accountId)
      return tx.deliveries.addTest(id, event, 10)
    })
    assert.ok(test)
    for (const at of [11, 12, 13, 14]) await add(970 + at, at)
    const left = async () => (await store.events.after(0, 100)).length
    const prune = () => store.transaction((tx) => tx.events.prune(14, 3))
    assert.equal(await prune(), 0, "nothing is published")
    await publishAll()
    assert.deepEqual(
      { prune: await prune(), left: await left() },
      { prune: 2, left: 3 },
      "of the oldest three one has a delivery",
    )
    assert.equal(await store.transaction((tx) => tx.events.prune(14, 10)), 1)
    assert.equal(await left(), 2)
  })
}
