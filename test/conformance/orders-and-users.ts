import assert from "node:assert/strict"
import { after, before, describe, test } from "node:test"
import type { Order, OrderStatus } from "../../src/domain/orders/contract.ts"
import { orderStatuses } from "../../src/domain/orders/contract.ts"
import type { Pet, PetStatus } from "../../src/domain/pets/contract.ts"
import type { Repositories } from "../../src/domain/ports.ts"
import { idMax } from "../../src/kernel/schema.ts"
import type { OpenStore } from "./store.ts"

/** What every store must do about orders, the inventory, users and sessions. */
export function ordersAndUsersConformance(adapter: string, open: () => Promise<OpenStore>): void {
  describe(`${adapter} as a store of orders and users`, () => {
    let store: OpenStore
    let accountId: number
    before(async () => {
      store = await open()
      accountId = (await inTransaction((tx) => tx.accounts.add({ name: "a", plan: "free" }))).id
    })
    after(() => store.close())

    const inTransaction = <T>(work: (tx: Repositories) => Promise<T>) => store.transaction(work)
    const ids = async (filter: Partial<{ accountId: number; petId: number; statuses: OrderStatus[] }>, limit = 100) => {
      const all = { accountId: undefined, petId: undefined, statuses: orderStatuses }
      const { items, next } = await store.orders.list({ ...all, ...filter }, { limit, before: undefined })
      return { ids: items.map((text) => (JSON.parse(text) as Order).id), next }
    }

    test("the inventory follows every way a pet comes, changes and goes, and a failed transaction leaves it", async () => {
      const start = await store.pets.inventory()
      const changed = (change: Partial<Record<PetStatus, number>>) =>
        Object.fromEntries(Object.entries(start).map(([status, n]) => [status, n + (change[status as PetStatus] ?? 0)]))
      await inTransaction(async (tx) => {
        for (const [id, status] of [
          [1, "available"],
          [2, "available"],
          [3, "sold"],
        ] as const)
          await tx.pets.add(pet(id, status))
        assert.equal(await tx.pets.add(pet(3, "available")), undefined)
      })
      assert.deepEqual(await store.pets.inventory(), changed({ available: 2, sold: 1 }))
      await inTransaction(async (tx) => {
        await tx.pets.put(pet(1, "pending"))
        await tx.pets.put(pet(2, "available"))
        await tx.pets.remove(3)
        await tx.pets.remove(4)
      })
      assert.deepEqual(await store.pets.inventory(), changed({ available: 1, pending: 1 }))
      await assert.rejects(
        inTransaction(async (tx) => {
          await tx.pets.remove(1)
          throw new Error("no")
        }),
      )
      assert.deepEqual(await store.pets.inventory(), changed({ available: 1, pending: 1 }))
    })

    test("an order reads back as it was stored, and its id is taken until it is removed", async () => {
      const placed = order(10, 500, "placed")
      const add = () => inTransaction((tx) => tx.orders.add(placed, accountId, undefined, 0))
      assert.deepEqual([await add(), await add()], [true, false])
      assert.deepEqual({ ...(await store.orders.read(10)) }, { json: JSON.stringify(placed), accountId })
      assert.equal(await store.orders.openFor(500), 10)
      await inTransaction((tx) => tx.orders.put(order(10, 500, "delivered")))
      assert.equal(await store.orders.openFor(500), undefined)
      await inTransaction((tx) => tx.orders.remove(10))
      assert.equal(await store.orders.read(10), undefined)
      assert.equal(await add(), true)
    })

    test("a second open order for a pet is impossible, whatever the rules above say", async () => {
      await inTransaction((tx) => tx.orders.add(order(20, 600, "approved"), accountId, undefined, 0))
      await assert.rejects(inTransaction((tx) => tx.orders.add(order(21, 600, "placed"), accountId, undefined, 0)))
      assert.equal(await store.orders.read(21), undefined)
      assert.ok(await inTransaction((tx) => tx.orders.add(order(21, 600, "delivered"), accountId, undefined, 0)))
    })

    test("orders are listed newest first by account, pet and status, in pages that neither skip nor repeat", async () => {
      const other = await inTransaction((tx) => tx.accounts.add({ name: "b", plan: "free" }))
      await inTransaction(async (tx) => {
        for (let n = 0; n < 6; n++)
          await tx.orders.add(order(700 + n, 700, n === 5 ? "placed" : "delivered"), n % 2 ? other.id : accountId, 1, 0)
      })
      assert.deepEqual((await ids({ petId: 700 })).ids, [705, 704, 703, 702, 701, 700])
      assert.deepEqual((await ids({ petId: 700, statuses: ["placed", "approved"] })).ids, [705])
      assert.deepEqual((await ids({ petId: 700, accountId })).ids, [704, 702, 700])
      assert.deepEqual((await ids({ accountId: other.id, statuses: ["delivered"] })).ids, [703, 701])
      assert.deepEqual(await ids({ accountId: other.id }, 2), { ids: [705, 703], next: 703 })
      const { items } = await store.orders.list(
        { accountId: other.id, petId: undefined, statuses: orderStatuses },
        { limit: 2, before: 703 },
      )
      assert.deepEqual(
        items.map((text) => JSON.parse(text).id),
        [701],
      )
    })

    test("ids of orders and users are given upwards and around those that were chosen", async () => {
      await inTransaction((tx) => tx.orders.add(order(idMax, 9_000, "delivered"), accountId, undefined, 0))
      const first = await inTransaction((tx) => tx.orders.nextId())
      await inTransaction((tx) => tx.orders.add(order(first + 1, 9_001, "placed"), accountId, undefined, 0))
      assert.equal(await inTransaction((tx) => tx.orders.nextId()), first + 2)
      assert.ok(Number.isSafeInteger(await inTransaction((tx) => tx.users.nextId())))
    })

    test("a user is found whatever the case of the name, and name and id are each somebody's", async () => {
      const stored = { user: user(50, "Ada"), accountId, passwordHash: "h" }
      assert.ok(await inTransaction((tx) => tx.users.add(stored)))
      assert.deepEqual((await store.users.byName("aDA"))?.user, stored.user)
      for (const taken of [user(51, "ADA"), user(50, "other")])
        assert.equal(await inTransaction((tx) => tx.users.add({ ...stored, user: taken })), false)
      await inTransaction((tx) => tx.users.put({ ...stored, user: user(50, "Eve") }))
      assert.equal(await store.users.byName("ada"), undefined)
      assert.equal((await store.users.byName("eve"))?.passwordHash, "h")
    })

    test("an erased user is in no question and no list, their name is free, their id is not", async () => {
      const stored = { user: user(60, "gone"), accountId, passwordHash: "h" }
      await inTransaction((tx) => tx.users.add(stored))
      await inTransaction((tx) => tx.users.erase(60))
      assert.equal(await store.users.byName("gone"), undefined)
      const { items } = await store.users.list({ limit: 100, before: undefined })
      assert.ok(items.every((text) => JSON.parse(text).id !== 60))
      assert.equal(await inTransaction((tx) => tx.users.add({ ...stored, user: user(60, "new") })), false)
      assert.ok(await inTransaction((tx) => tx.users.add({ ...stored, user: user(61, "gone") })))
    })

    test("a session is found by its hash with the person and the account, until it is ended, replaced or pruned", async () => {
      await inTransaction((tx) => tx.users.add({ user: user(70, "bob"), accountId, passwordHash: "h" }))
      const add = (hash: string, expiresAt: number) =>
        inTransaction((tx) => tx.sessions.add({ userId: 70, hash, expiresAt }, 3))
      for (const n of [1, 2, 3]) assert.equal(await add(`s${n}`, n * 1000), false)
      const found = await store.sessions.byHash("s2")
      assert.deepEqual([found?.session.expiresAt, found?.user.username, found?.account.id], [2000, "bob", accountId])
      assert.equal(await add("s4", 4000), true)
      assert.equal(await store.sessions.byHash("s1"), undefined)
      assert.equal(await inTransaction((tx) => tx.sessions.prune(2001, 10)), 1)
      assert.equal(await inTransaction((tx) => tx.sessions.end("s3")), true)
      assert.equal(await inTransaction((tx) => tx.sessions.end("s3")), false)
      assert.ok(await store.sessions.byHash("s4"))
      await inTransaction((tx) => tx.sessions.endAll(70))
      assert.equal(await store.sessions.byHash("s4"), undefined)
    })
  })
}

const pet = (id: number, status: PetStatus): Pet => ({ id, name: "p", photoUrls: [], tags: [], status })

const order = (id: number, petId: number, status: OrderStatus): Order => ({
  id,
  petId,
  quantity: 1,
  status,
  complete: status === "delivered",
})

const user = (id: number, username: string) => ({ id, username, userStatus: 0, role: "customer" as const })
