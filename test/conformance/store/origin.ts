import assert from "node:assert/strict"
import { test } from "node:test"
import { theOnly } from "../../../src/core/kernel/flow/the-only.ts"
import { fromJson } from "../../../src/core/kernel/json/json.ts"
import { type OpenStore, samplePet, useStore } from "./samples.ts"

export function testOrigin(open: OpenStore): void {
  const [store, other] = [useStore(open), useStore(open)]

  test("the profile that created the data is stored", async () => {
    assert.equal(await store.origin.read(), undefined)
    await store.transaction((tx) => tx.origin.put("production", "first"))
    assert.equal(await store.origin.read(), "production")
  })

  test("an emptied store is new: only its identity remains, and ids start at 1", async () => {
    const emptied = await open()
    try {
      const identity = await emptied.origin.identity()
      const fill = () =>
        emptied.transaction(async (tx) => {
          await tx.origin.put("sandbox", "one")
          const account = await tx.accounts.add({ name: "someone", plan: "free" })
          const labels = { categories: await tx.pets.categoryIds(["Dogs"]), tags: await tx.pets.tagIds(["kind"]) }
          const [petId, orderId, userId] = [
            theOnly(await tx.pets.nextIds(1)),
            await tx.orders.nextId(),
            await tx.users.nextId(),
          ]
          await tx.pets.add([samplePet(petId)])
          const event = await tx.events.add("pet.created", { id: petId, name: "Rex", status: "available" }, 1)
          await tx.audit.append([{ principal: "service", action: "key.created", thing: "key:1" }], 1)
          return [account.id, petId, orderId, userId, event, ...labels.categories.values(), ...labels.tags.values()]
        })
      const first = await fill()
      await emptied.startOver(async (tx) => assert.equal(await tx.origin.read(), undefined))
      assert.equal(await emptied.origin.read(), undefined)
      assert.equal(await emptied.pets.read(1), undefined)
      assert.deepEqual(Object.values(await emptied.pets.inventory()), [0, 0, 0])
      assert.deepEqual(await fill(), first)
      assert.equal(await emptied.origin.identity(), identity)
    } finally {
      await emptied.close()
    }
  })

  test("the address of the seed's photos belongs to one store", async () => {
    const sandbox = await open()
    try {
      assert.equal(await sandbox.origin.publicUrl(), "")
      await sandbox.transaction(async (tx) => {
        await tx.origin.put("sandbox", "one")
        await tx.origin.putPublicUrl("http://127.0.0.1:8080")
      })
      assert.equal(await sandbox.origin.publicUrl(), "http://127.0.0.1:8080")
      await sandbox.startOver((tx) => tx.origin.put("sandbox", "two"))
      assert.equal(await sandbox.origin.publicUrl(), "")
    } finally {
      await sandbox.close()
    }
  })

  test("emptied and filled again, it is another store in the same database", async () => {
    const again = await open()
    try {
      const fill = (id: string) => again.transaction((tx) => tx.origin.put("sandbox", id))
      await fill("one")
      assert.equal(await again.origin.storeId(), "one")
      await again.startOver((tx) => tx.origin.put("sandbox", "two"))
      assert.equal(await again.origin.storeId(), "two")
      await again.transaction((tx) => tx.origin.renewStoreId("three"))
      assert.equal(await again.origin.storeId(), "three")
    } finally {
      await again.close()
    }
  })

  test("a rolled back reset changes nothing", async () => {
    const kept = await open()
    try {
      await kept.transaction((tx) => tx.pets.add([samplePet(7)]))
      const undone = kept.startOver(async (tx) => {
        await tx.pets.add([samplePet(8)])
        throw new Error("undone")
      })
      await assert.rejects(undone, /undone/)
      assert.notEqual(await kept.pets.read(7), undefined)
      assert.equal(await kept.pets.read(8), undefined)
    } finally {
      await kept.close()
    }
  })

  test("transactions beside a reset belong to the old or to the new store, and what stays is as it was", async () => {
    const busy = await open()
    try {
      const identity = await busy.origin.identity()
      await busy.transaction((tx) => tx.leases.take("chores", "a process", 60_000))
      const add = (n: number) => busy.transaction((tx) => tx.pets.add([samplePet(1000 + n)]))
      const before = Array.from({ length: 20 }, (_, n) => add(n))
      const over = busy.startOver(async (tx) => void (await tx.pets.add([samplePet(1)])))
      const after = Array.from({ length: 20 }, (_, n) => add(20 + n))
      await Promise.all([...before, over, ...after])
      await Promise.all([
        busy.startOver(async () => {}),
        busy.startOver(async (tx) => void (await tx.pets.add([samplePet(2)]))),
      ])
      await add(99)
      const page = await busy.pets.byStatus(["available", "pending", "sold"], { limit: 100, before: undefined })
      const ids = fromJson(page.json).map(({ id }) => id)
      assert.ok(ids.includes(1099) && ids.length <= 2, `${ids}`)
      assert.equal(
        Object.values(await busy.pets.inventory()).reduce((sum, pets) => sum + pets),
        ids.length,
      )
      assert.equal(await busy.origin.identity(), identity)
      assert.equal(await busy.transaction((tx) => tx.leases.take("chores", "another process", 60_000)), false)
    } finally {
      await busy.close()
    }
  })

  test("of transactions that lock the origin one continues at a time", async () => {
    let inside = 0
    const once = () =>
      other.transaction(async (tx) => {
        await tx.origin.lock()
        assert.equal(++inside, 1)
        const origin = await tx.origin.read()
        if (origin === undefined) await tx.origin.put("sandbox", "one")
        inside--
        return origin
      })
    const found = await Promise.all(Array.from({ length: 6 }, once))
    assert.equal(found.filter((origin) => origin === undefined).length, 1)
  })

  test("a database has one identity, which no other has", async () => {
    const identity = await store.origin.identity()
    assert.ok(identity.length >= 16)
    assert.equal(await store.origin.identity(), identity)
    assert.notEqual(await other.origin.identity(), identity)
  })
}
