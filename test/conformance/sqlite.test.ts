import assert from "node:assert/strict"
import { join } from "node:path"
import { after, test } from "node:test"
import { openSqlite } from "../../src/storage/sqlite/open.ts"
import { temporaryDirectory } from "../harness/petstore.ts"
import { samplePet } from "./store/samples.ts"
import { storeConformance } from "./store/suite.ts"

const directory = temporaryDirectory()
after(() => directory[Symbol.dispose]())

let count = 0
storeConformance("SQLite", async () => openSqlite(join(directory.path, `${count++}.db`)))

test("a pet, an order, a user and the inventory are read synchronously, without a promise", async () => {
  const store = openSqlite(join(directory.path, "at-once.db"))
  try {
    await store.transaction((tx) => tx.pets.add(samplePet(1)))
    const found = [store.pets.read(1), store.orders.read(1), store.users.byName("unknown"), store.pets.inventory()]
    assert.deepEqual(
      found.map((answer) => answer instanceof Promise),
      [false, false, false, false],
    )
  } finally {
    await store.close()
  }
})
