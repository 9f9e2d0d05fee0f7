import assert from "node:assert/strict"
import { before, test } from "node:test"
import { type OrderStatus, orderStatuses } from "../../../src/core/domain/orders/contract.ts"
import type { LockedOrder } from "../../../src/core/domain/orders/store.ts"
import { fromJson } from "../../../src/core/kernel/json/json.ts"
import { idMax } from "../../../src/core/kernel/schema/schema.ts"
import { addAccount, type OpenStore, readPages, sampleOrder, useStore } from "./samples.ts"

export function testOrders(open: OpenStore): void {
  const store = useStore(open)
  let accountId: number
  before(async () => {
    accountId = await addAccount(store)
  })
  const ids = async (
    filter: Partial<{ accountId: number; petId: number; statuses: OrderStatus[] }>,
    limit = 100,
    sort: "id" | "-id" = "-id",
  ) => {
    const all = { accountId: undefined, petId: undefined, statuses: orderStatuses }
    const { json, next } = await store.orders.list({ ...all, ...filter }, { limit, sort, after: undefined })
    return { ids: fromJson(json).map(({ id }) => id), next }
  }

  test("an order reads back as stored, and its id is taken until it is removed", async () => {
    const placed = sampleOrder(10, 500, "placed")
    const add = () => store.transaction((tx) => tx.orders.add(placed, accountId, undefined, 0))
    assert.deepEqual([await add(), await add()], [true, false])
    assert.deepEqual({ ...(await store.orders.read(10)) }, { json: JSON.stringify(placed), accountId })
    assert.equal(await store.orders.openFor(500), 10)
    await store.transaction((tx) => tx.orders.put(sampleOrder(10, 500, "delivered")))
    assert.equal(await store.orders.openFor(500), undefined)
    await store.transaction((tx) => tx.orders.remove(10))
    assert.equal(await store.orders.read(10), undefined)
    assert.equal(await add(), true)
  })

  test("the origin of an order is its time, its account, and its user if there is one", async () => {
    const id = await store.transaction((tx) => tx.users.nextId())
    const user = { id, username: "Orderer", role: "customer" as const, userStatus: 0 }
    await store.transaction(async (tx) => {
      await tx.users.add({ user, accountId, passwordHash: "x" })
      await tx.orders.add(sampleOrder(30, 530, "placed"), accountId, user.id, 7000)
      await tx.orders.add(sampleOrder(31, 531, "delivered"), accountId, undefined, 0)
    })
    const origin = { accountId, accountName: (await store.accounts.read(accountId))?.name as string }
    assert.deepEqual(
      await store.orders.origins([30, 31, 32]),
      new Map([
        [30, { ...origin, placedAt: 7000, username: "Orderer" }],
        [31, { ...origin, placedAt: 0, username: undefined }],
      ]),
    )
    await store.transaction((tx) => tx.users.erase(user.id))
    assert.equal((await store.orders.origins([30])).get(30)?.username, undefined)
    assert.deepEqual(await store.orders.origins([]), new Map())
  })

  test("a second open order for a pet is impossible, regardless of the rules", async () => {
    await store.transaction((tx) => tx.orders.add(sampleOrder(20, 600, "approved"), accountId, undefined, 0))
    await assert.rejects(
      store.transaction((tx) => tx.orders.add(sampleOrder(21, 600, "placed"), accountId, undefined, 0)),
    )
    assert.equal(await store.orders.read(21), undefined)
    assert.ok(
      await store.transaction((tx) => tx.orders.add(sampleOrder(21, 600, "delivered"), accountId, undefined, 0)),
    )
  })

  test("any number of orders reserve no pet, beside the one that does, and lists have all of them", async () => {
    const add = (id: number, reservesPet: boolean) =>
      store.transaction((tx) => tx.orders.add(sampleOrder(id, 650, "placed"), accountId, undefined, 0, reservesPet))
    assert.deepEqual([await add(22, false), await add(23, false)], [true, true])
    assert.equal(await store.orders.openFor(650), undefined)
    assert.deepEqual([await add(24, true), await add(25, false)], [true, true])
    assert.equal(await store.orders.openFor(650), 24)
    await assert.rejects(add(26, true))
    assert.deepEqual((await ids({ petId: 650 })).ids, [25, 24, 23, 22])
    const found = await store.transaction(async (tx) => [
      (await tx.orders.lock(22))?.reservesPet,
      (await tx.orders.lock(24))?.reservesPet,
      (await tx.orders.lockWaiting(22, 1))?.reservesPet,
    ])
    assert.deepEqual(found, [false, true, false])
    for (const id of [22, 23, 24, 25]) await store.transaction((tx) => tx.orders.remove(id))
  })

  test("orders are listed in order of id by account, pet and status, in pages that neither skip nor repeat", async () => {
    const other = await addAccount(store)
    await store.transaction(async (tx) => {
      for (let n = 0; n < 6; n++)
        await tx.orders.add(
          sampleOrder(700 + n, 700, n === 5 ? "placed" : "delivered"),
          n % 2 ? other : accountId,
          1,
          0,
        )
    })
    assert.deepEqual((await ids({ petId: 700 })).ids, [705, 704, 703, 702, 701, 700])
    assert.deepEqual((await ids({ petId: 700, statuses: ["placed", "approved"] })).ids, [705])
    assert.deepEqual((await ids({ petId: 700, accountId })).ids, [704, 702, 700])
    assert.deepEqual((await ids({ accountId: other, statuses: ["delivered"] })).ids, [703, 701])
    assert.deepEqual(await ids({ accountId: other }, 2), { ids: [705, 703], next: 703 })
    for (const filter of [{}, { petId: 700 }, { accountId: other }, { petId: 700, accountId: other }])
      for (const sort of ["id", "-id"] as const) {
        const whole = { accountId: undefined, petId: undefined, statuses: orderStatuses, ...filter }
        const paged = await readPages(async ({ limit, before: after }) => {
          const { json, next } = await store.orders.list(whole, { limit, sort, after })
          return { items: fromJson(json), next }
        })
        const found = paged.map(({ id }) => id)
        const newestFirst = (await ids(filter)).ids
        assert.ok(found.length > 2)
        assert.deepEqual(found, sort === "id" ? newestFirst.toReversed() : newestFirst)
      }

    const total = (filter: object, max = 100) =>
      store.orders.total({ accountId: undefined, petId: 700, statuses: orderStatuses, ...filter }, max)
    assert.deepEqual(await total({}), { count: 6, isExact: true })
    assert.deepEqual(await total({}, 5), { count: 5, isExact: false })
    assert.deepEqual(await total({ petId: undefined, accountId: other }), { count: 3, isExact: true })
    assert.deepEqual(await total({ accountId: other, statuses: ["placed"] }), { count: 1, isExact: true })
    assert.deepEqual(await total({ statuses: ["delivered", "delivered"] }, 5), { count: 5, isExact: true })
    assert.deepEqual(await total({ statuses: ["delivered"] }, 4), { count: 4, isExact: false })
    const everyOrder = (await ids({}, 1000)).ids.length
    assert.deepEqual(await total({ petId: undefined }), { count: everyOrder, isExact: true })

    const { json } = await store.orders.list(
      { accountId: other, petId: undefined, statuses: orderStatuses },
      { limit: 2, sort: "-id", after: 703 },
    )
    assert.deepEqual(
      fromJson(json).map(({ id }) => id),
      [701],
    )
  })

  test("ids ascend and skip those that clients chose", async () => {
    await store.transaction((tx) => tx.orders.add(sampleOrder(idMax, 9_000, "delivered"), accountId, undefined, 0))
    const first = await store.transaction((tx) => tx.orders.nextId())
    await store.transaction((tx) => tx.orders.add(sampleOrder(first + 1, 9_001, "placed"), accountId, undefined, 0))
    assert.equal(await store.transaction((tx) => tx.orders.nextId()), first + 2)
    for (const last of [first + 20, first + 1_000]) {
      await store.transaction((tx) => tx.orders.continueIdsAfter(last))
      assert.equal(await store.transaction((tx) => tx.orders.nextId()), last + 1)
    }
  })

  test("concurrent changes of one locked order are never lost", async () => {
    await store.transaction((tx) => tx.orders.add(sampleOrder(800, 8_000, "delivered"), accountId, undefined, 0))
    const increment = () =>
      store.transaction(async (tx) => {
        const { order } = (await tx.orders.lock(800)) as LockedOrder
        await tx.orders.put({ ...order, quantity: order.quantity + 1 })
      })
    await Promise.all(Array.from({ length: 30 }, increment))
    assert.equal(JSON.parse((await store.orders.read(800))?.json ?? "").quantity, 31)
    assert.equal(await store.transaction((tx) => tx.orders.lock(801)), undefined)
  })

  test("open orders are counted by account, up to a limit", async () => {
    const [one, other] = [await addAccount(store), await addAccount(store)]
    await store.transaction(async (tx) => {
      for (let n = 0; n < 5; n++) {
        const status = (["placed", "approved", "delivered"] as const)[n % 3] as OrderStatus
        await tx.orders.add(sampleOrder(900 + n, 900 + n, status), one, undefined, 0)
      }
    })
    const count = (id: number, max: number) => store.transaction((tx) => tx.orders.countOpen(id, max))
    assert.deepEqual([await count(one, 10), await count(one, 3), await count(other, 10)], [4, 3, 0])
  })

  test("of concurrent transactions that count open orders before adding one, none exceeds the limit", async () => {
    const id = await addAccount(store)
    const place = (n: number) =>
      store.transaction(async (tx) => {
        if ((await tx.orders.countOpen(id, 3)) >= 3) return false
        return tx.orders.add(sampleOrder(1000 + n, 1000 + n, "placed"), id, undefined, 0)
      })
    const placed = await Promise.all(Array.from({ length: 20 }, (_, n) => place(n)))
    assert.equal(placed.filter(Boolean).length, 3)
  })

  test("an order waits from its placement until it is approved or removed", async () => {
    const add = (id: number, status: OrderStatus, at: number) =>
      store.transaction((tx) => tx.orders.add(sampleOrder(id, id, status), accountId, undefined, at))
    await add(1203, "placed", 70_000)
    await add(1201, "placed", 50_000)
    await add(1202, "placed", 60_000)
    await add(1204, "approved", 50_000)
    const waiting = async (before: number, limit = 10) =>
      (await store.orders.waiting(before, limit)).map(({ id }) => id).filter((id) => id > 1200)
    await store.transaction(async (tx) => {
      for (const { id } of await tx.orders.waiting(50_000, 100)) await tx.orders.remove(id)
    })
    assert.deepEqual(await waiting(70_000), [1201, 1202])
    assert.deepEqual(await waiting(70_001), [1201, 1202, 1203])
    assert.deepEqual(await waiting(70_001, 1), [1201])

    const lock = (id: number) => store.transaction((tx) => tx.orders.lockWaiting(id, 70_000))
    assert.equal((await lock(1201))?.order.id, 1201)
    assert.equal(await lock(1203), undefined, "it has not waited long enough")
    await store.transaction((tx) => tx.orders.put(sampleOrder(1201, 1201, "approved")))
    assert.equal(await lock(1201), undefined, "it was approved")
    assert.deepEqual(await waiting(70_001), [1202, 1203])
  })
}
