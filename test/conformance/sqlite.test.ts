import assert from "node:assert/strict"
import { join } from "node:path"
import { after, test } from "node:test"
import { positionOf } from "../../src/core/domain/events/rules.ts"
import { openSqlite } from "../../src/core/sqlite/open.ts"
import { temporaryDirectory } from "../harness/directory.ts"
import { samplePet } from "./store/samples.ts"
import { storeConformance } from "./store/suite.ts"

const directory = temporaryDirectory()
after(() => directory[Symbol.dispose]())

let count = 0
storeConformance("SQLite", async () => openSqlite(join(directory.path, `${count++}.db`)))

test("an event is in the feed once it is committed, and its deliveries are made when it is published", async () => {
  const store = openSqlite(join(directory.path, "positions.db"))
  const add = (id: number, then = () => {}) =>
    store.transaction(async (tx) => {
      await tx.events.add("pet.created", samplePet(id), id)
      then()
    })
  const positions = async () => (await store.events.feed(0, 0, 100)).map(({ id }) => positionOf(id))
  try {
    await add(1)
    const rolledBack = () => {
      throw new Error("rolled back")
    }
    await Promise.allSettled([add(2), add(3, rolledBack), add(4)])
    assert.deepEqual(
      { positions: await positions(), last: await store.events.lastPosition() },
      { positions: [1, 2, 3], last: 3 },
    )
    assert.equal(await store.transaction((tx) => tx.events.prune(5, 10)), 0, "none has been published")
    assert.equal(await store.transaction((tx) => tx.events.publish(5, 2)), 2)
    assert.equal(await store.transaction((tx) => tx.events.prune(5, 10)), 2)
    assert.equal(await store.transaction((tx) => tx.events.publish(5, 2)), 1)
    assert.equal(await store.transaction((tx) => tx.events.prune(5, 10)), 1)
    await add(6)
    assert.deepEqual(
      { positions: await positions(), last: await store.events.lastPosition() },
      { positions: [4], last: 4 },
    )
  } finally {
    await store.close()
  }
})

test("a pet, an order, a user and the inventory are read synchronously, without a promise", async () => {
  const store = openSqlite(join(directory.path, "at-once.db"))
  try {
    await store.transaction((tx) => tx.pets.add([samplePet(1)]))
    const found = [store.pets.read(1), store.orders.read(1), store.users.byName("unknown"), store.pets.inventory()]
    assert.deepEqual(
      found.map((answer) => answer instanceof Promise),
      [false, false, false, false],
    )
  } finally {
    await store.close()
  }
})
