import assert from "node:assert/strict"
import { test } from "node:test"
import { type OpenStore, samplePet, useStore } from "./samples.ts"

export function testTransactions(open: OpenStore): void {
  const store = useStore(open)

  test("a failed transaction is rolled back, and its error is passed on", async () => {
    const failure = new Error("no")
    const failing = store.transaction(async (tx) => {
      await tx.pets.add([samplePet(200)])
      await tx.events.add("pet.created", { id: 200, name: "p", status: "available" }, 1)
      throw failure
    })
    await assert.rejects(failing, failure)
    assert.equal(await store.pets.read(200), undefined)
    assert.ok((await store.events.after(0, 1000)).every(({ json }) => !json.includes('"id":200,')))
  })

  test("a failed transaction does not affect concurrent ones", async () => {
    const results = await Promise.allSettled(
      Array.from({ length: 20 }, (_, n) =>
        store.transaction(async (tx) => {
          await tx.pets.add([samplePet(300 + n)])
          if (n % 2) throw new Error("odd")
        }),
      ),
    )
    assert.equal(results.filter(({ status }) => status === "rejected").length, 10)
    for (let n = 0; n < 20; n++)
      assert.equal((await store.pets.read(300 + n)) !== undefined, n % 2 === 0, `pet ${300 + n}`)
  })

  test("a transaction is not visible to others before it has ended", async () => {
    await store.transaction(async (tx) => {
      await tx.pets.add([samplePet(400)])
      assert.ok(await tx.pets.read(400))
      assert.equal(await store.pets.read(400), undefined)
    })
    assert.ok(await store.pets.read(400))
  })
}
