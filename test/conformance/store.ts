import assert from "node:assert/strict"
import { after, before, describe, test } from "node:test"
import type { Pet } from "../../src/domain/pets/contract.ts"
import type { Repositories, Store } from "../../src/domain/ports.ts"
import { idMax } from "../../src/kernel/schema.ts"

export type OpenStore = Store & { close(): Promise<void> }

/** What every store must do. Each adapter runs it against the real thing. */
export function storeConformance(adapter: string, open: () => Promise<OpenStore>): void {
  describe(`${adapter} as a store`, () => {
    let store: OpenStore
    before(async () => {
      store = await open()
    })
    after(() => store.close())

    const inTransaction = <T>(work: (tx: Repositories) => Promise<T>) => store.transaction(work)
    const added = (pet: Pet) => inTransaction((tx) => tx.pets.add(pet))

    test("a pet reads back as the text that was stored, with an entity tag of exactly that text", async () => {
      const pet = plainPet(100, { name: "Żółw 🐢", photoUrls: ["a", "b"] })
      const stored = await added(pet)
      const read = await store.pets.read(100)
      assert.deepEqual({ ...read }, stored)
      assert.deepEqual(JSON.parse(read?.json ?? ""), pet)

      const changed = await inTransaction((tx) => tx.pets.put({ ...pet, name: "Żółwik" }))
      assert.notEqual(changed.etag, stored?.etag)
      const restored = await inTransaction((tx) => tx.pets.put(pet))
      assert.equal(restored.etag, stored?.etag)
    })

    test("the profile that made the data is known from then on", async () => {
      assert.equal(await store.origin.read(), undefined)
      await inTransaction((tx) => tx.origin.put("production"))
      assert.equal(await store.origin.read(), "production")
    })

    test("what a transaction that fails has done is undone, and the failure is passed on", async () => {
      const failure = new Error("no")
      const failing = inTransaction(async (tx) => {
        await tx.pets.add(plainPet(200))
        await tx.events.add("pet.created", { id: 200, name: "p", status: "available" }, 1)
        throw failure
      })
      await assert.rejects(failing, failure)
      assert.equal(await store.pets.read(200), undefined)
      assert.ok((await store.events.after(0, 1000)).every(({ json }) => !json.includes('"id":200,')))
    })

    test("one transaction's failure leaves those beside it alone", async () => {
      const results = await Promise.allSettled(
        Array.from({ length: 20 }, (_, n) =>
          inTransaction(async (tx) => {
            await tx.pets.add(plainPet(300 + n))
            if (n % 2) throw new Error("odd")
          }),
        ),
      )
      assert.equal(results.filter(({ status }) => status === "rejected").length, 10)
      for (let n = 0; n < 20; n++)
        assert.equal((await store.pets.read(300 + n)) !== undefined, n % 2 === 0, `pet ${300 + n}`)
    })

    test("nobody outside sees a transaction before it has ended", async () => {
      await inTransaction(async (tx) => {
        await tx.pets.add(plainPet(400))
        assert.ok(await tx.pets.read(400))
        assert.equal(await store.pets.read(400), undefined)
      })
      assert.ok(await store.pets.read(400))
    })

    test("of many that add the same id at once, exactly one does", async () => {
      const results = await Promise.all(
        Array.from({ length: 50 }, (_, n) => added(plainPet(500, { name: `racer ${n}` }))),
      )
      const winners = results.filter((stored) => stored !== undefined)
      assert.equal(winners.length, 1)
      assert.deepEqual({ ...(await store.pets.read(500)) }, winners[0])
    })

    test("changes of one pet that read it under lock are never lost", async () => {
      await added(plainPet(600, { name: "0" }))
      const increment = () =>
        inTransaction(async (tx) => {
          const { pet } = (await tx.pets.lock(600)) ?? assert.fail()
          await tx.pets.put({ ...pet, name: String(Number(pet.name) + 1) })
        })
      await Promise.all(Array.from({ length: 50 }, increment))
      assert.equal(JSON.parse((await store.pets.read(600))?.json ?? "").name, "50")
    })

    test("generated ids are unique, ascend, and step over ids that clients chose", async () => {
      const first = await inTransaction((tx) => tx.pets.nextId())
      for (const ahead of [1, 2, 3, 5]) await added(plainPet(first + ahead))
      await added(plainPet(idMax))
      const given = await Promise.all(
        Array.from({ length: 10 }, () =>
          inTransaction(async (tx) => {
            const id = await tx.pets.nextId()
            assert.ok(await tx.pets.add(plainPet(id)), `id ${id} was taken`)
            return id
          }),
        ),
      )
      assert.deepEqual(given.slice(0, 3), [first + 4, first + 6, first + 7])
      assert.equal(new Set(given).size, given.length)
    })

    test("equal names share one id, also when many transactions bring the same new name at once", async () => {
      const names = ["Chat", "chat", "Kat🐈", "貓", "é", "e\u0301"]
      const answers = await Promise.all(Array.from({ length: 30 }, () => inTransaction((tx) => tx.pets.tagIds(names))))
      for (const answer of answers) assert.deepEqual(answer, answers[0])
      assert.equal(new Set(answers[0]?.values()).size, names.length)
      assert.deepEqual([...(answers[0]?.keys() ?? [])].sort(), [...names].sort())
    })

    test("lists are newest first, filtered, paged without gap or repetition, each pet once", async () => {
      const ids = await inTransaction((tx) => tx.pets.tagIds(["list-a", "list-b"]))
      const tags = [...ids].map(([name, id]) => ({ id, name }))
      for (let n = 0; n < 7; n++)
        await added(plainPet(700 + n, { tags: n % 2 ? tags : tags.slice(0, 1), status: n % 3 ? "sold" : "pending" }))

      const seen: number[] = []
      let before: number | undefined
      do {
        const page = await store.pets.byTags(["list-a", "list-b", "unknown"], { limit: 3, before })
        seen.push(...page.items.map((json) => JSON.parse(json).id))
        before = page.next
      } while (before !== undefined)
      assert.deepEqual(seen, [706, 705, 704, 703, 702, 701, 700])

      const sold = await store.pets.byStatus(["sold"], { limit: 1000, before: 707 })
      assert.deepEqual(
        sold.items.map((json) => JSON.parse(json).id).filter((id) => id >= 700),
        [705, 704, 702, 701],
      )
      assert.deepEqual((await store.pets.byTags(["list-b"], { limit: 3, before: undefined })).next, undefined)
      const both = await store.pets.byStatus(["pending", "sold"], { limit: 4, before: 707 })
      assert.deepEqual(
        both.items.map((json) => JSON.parse(json).id),
        [706, 705, 704, 703],
      )
    })

    test("a page of huge pets ends early and says where the next one starts", async () => {
      const photoUrls = Array(50).fill("u".repeat(2048))
      for (let n = 0; n < 60; n++) await added(plainPet(2000 + n, { photoUrls, status: "pending" }))
      const first = await store.pets.byStatus(["pending"], { limit: 1000, before: 2060 })
      assert.ok(first.items.length < 60 && first.next !== undefined)
      const second = await store.pets.byStatus(["pending"], { limit: 1000, before: first.next })
      const ids = [...first.items, ...second.items].map((json) => JSON.parse(json).id).filter((id) => id >= 2000)
      assert.deepEqual(
        ids,
        Array.from({ length: 60 }, (_, n) => 2059 - n),
      )
    })

    test("a removed pet is in no list, and its tags can be used again", async () => {
      const ids = await inTransaction((tx) => tx.pets.tagIds(["fleeting"]))
      const tags = [...ids].map(([name, id]) => ({ id, name }))
      await added(plainPet(800, { tags }))
      await inTransaction((tx) => tx.pets.remove(800))
      assert.deepEqual((await store.pets.byTags(["fleeting"], { limit: 10, before: undefined })).items, [])
      assert.equal(await store.pets.read(800), undefined)
      assert.ok(await added(plainPet(800, { tags })))
    })

    test("events come back in the order they were added, as the payload the receivers see", async () => {
      const last = (await store.events.after(0, 1000)).at(-1)?.id ?? 0
      await inTransaction(async (tx) => {
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

    test("ids that clients took in a long row are stepped over, never given, and cost few questions", async () => {
      const first = (await inTransaction((tx) => tx.pets.nextId())) + 1
      await inTransaction(async (tx) => {
        for (let id = first; id < first + 1000; id++) await tx.pets.add(plainPet(id))
      })
      const given = new Set<number>()
      for (let n = 0; n < 5; n++) {
        const id = await inTransaction((tx) => tx.pets.nextId())
        assert.equal(await store.pets.read(id), undefined)
        assert.ok(id >= first + 1000 && id < first + 10_000, `${id}`)
        given.add(id)
      }
      assert.equal(given.size, 5)
    })

    test("a kept answer is found until it is too old, replaced by a newer one, and pruned", async () => {
      const { id } = await inTransaction((tx) => tx.accounts.add({ name: "a", plan: "free" }))
      const answer = { fingerprint: "f", status: 200, etag: '"e"', json: "{}" }
      await inTransaction((tx) => tx.idempotency.put(id, "k", answer, 1000))
      assert.deepEqual({ ...(await store.idempotency.read(id, "k", 1000)) }, answer)
      assert.equal(await store.idempotency.read(id, "k", 1001), undefined)
      assert.equal(await store.idempotency.read(id + 1, "k", 0), undefined)

      await inTransaction((tx) => tx.idempotency.put(id, "k", { ...answer, etag: undefined }, 2000))
      assert.equal((await store.idempotency.read(id, "k", 1001))?.etag, undefined)
      assert.equal(await inTransaction((tx) => tx.idempotency.prune(2001, 10)), 1)
      assert.equal(await store.idempotency.read(id, "k", 0), undefined)
    })
  })
}

const plainPet = (id: number, more: Partial<Pet> = {}): Pet => ({
  id,
  name: `pet ${id}`,
  photoUrls: [],
  tags: [],
  status: "available",
  ...more,
})
