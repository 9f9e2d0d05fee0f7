import assert from "node:assert/strict"
import { test } from "node:test"
import { addPets, type PetToAdd } from "../../../src/core/domain/pets/add.ts"
import { type SharedWork, StoreUnavailable } from "../../../src/core/domain/ports/store.ts"
import { type OpenStore, samplePet, useStore } from "./samples.ts"

export function testSharedTransactions(open: OpenStore): void {
  const store = useStore(open)

  /** Adds a pet under each id; -1 fails after it has added the others. */
  const addSamples: SharedWork<number, number> = async (tx, ids) => {
    await tx.pets.add(ids.filter((id) => id > 0).map((id) => samplePet(id)))
    if (ids.includes(-1)) throw new Error("no")
    return ids.map((id) => id * 2)
  }

  test("each of many concurrent callers receives its own result, once it is stored", async () => {
    const ids = Array.from({ length: 250 }, (_, n) => 20_001 + n)
    const results = await Promise.all(
      ids.map(async (id) => {
        const result = await store.shared(addSamples, id)
        assert.ok(await store.pets.read(id))
        return result
      }),
    )
    assert.deepEqual(
      results,
      ids.map((id) => id * 2),
    )
  })

  test("an input that makes the work fail does not affect those beside it", async () => {
    const ids = [21_001, -1, 21_002, -1, 21_003]
    const results = await Promise.allSettled(ids.map((id) => store.shared(addSamples, id)))
    assert.deepEqual(
      results.map(({ status }) => status),
      ["fulfilled", "rejected", "fulfilled", "rejected", "fulfilled"],
    )
    for (const id of [21_001, 21_002, 21_003]) assert.ok(await store.pets.read(id))
  })

  test("an unavailable store fails every caller, and is not asked again for each", async () => {
    let runs = 0
    const unavailable: SharedWork<number, number> = async () => {
      runs++
      throw new StoreUnavailable("no")
    }
    const results = await Promise.allSettled(Array.from({ length: 20 }, (_, n) => store.shared(unavailable, n)))
    assert.ok(results.every(({ status }) => status === "rejected"))
    assert.ok(runs <= 5, `${runs} runs`)
  })

  const newPet = (name: string, more: Partial<PetToAdd["draft"]> = {}): PetToAdd => ({
    draft: { name, photoUrls: [], ...more },
    at: 1,
  })

  test("of concurrent creates of one id exactly one succeeds, and generated ids avoid it", async () => {
    const next = ((await store.transaction((tx) => tx.pets.nextIds(1)))[0] as number) + 2
    const before = await store.pets.inventory()
    const pets = Array.from({ length: 60 }, (_, n) => newPet(`racer ${n}`, n % 3 === 0 ? { id: next } : {}))
    const added = await Promise.all(pets.map((pet) => store.shared(addPets, pet)))
    const ids = added.map((one) => one?.pet.id)
    assert.equal(ids.filter((id) => id === next).length, 1)
    assert.equal(ids.filter((id) => id === undefined).length, 19)
    assert.equal(new Set(ids).size, 42)
    assert.equal((await store.pets.inventory()).available, before.available + 41)
    const kept = await Promise.all(added.map(async (one) => one && (await store.pets.read(one.pet.id))))
    assert.deepEqual(
      kept.map((one) => one && { ...one }),
      added.map((one) => one?.stored),
    )
  })

  test("concurrent creates that introduce the same names in other orders give each name one id, and none waits for ever", async () => {
    const names = Array.from({ length: 12 }, (_, n) => `shared ${n}`)
    const turned = (n: number) => [...names.slice(n), ...names.slice(0, n)]
    const added = await Promise.all(
      names.flatMap((_, n) => [
        store.shared(
          addPets,
          newPet("a", { category: { name: turned(n)[0] as string }, tags: turned(n).map((name) => ({ name })) }),
        ),
        store
          .transaction((tx) =>
            addPets(
              tx,
              turned(n).map((name) => newPet("b", { category: { name }, tags: turned(n).map((name) => ({ name })) })),
            ),
          )
          .then(([first]) => first),
      ]),
    )
    const ids = new Map<string, Set<number>>()
    for (const { id, name } of added.flatMap((one) => one?.pet.tags ?? [])) {
      const known = ids.get(name) ?? new Set()
      ids.set(name, known.add(id))
    }
    assert.deepEqual([...ids.keys()].sort(), names.toSorted())
    for (const known of ids.values()) assert.equal(known.size, 1)
  })

  test("events of pets created together have their order, each once", async () => {
    const last = (await store.events.after(0, 10_000)).at(-1)?.id ?? 0
    const drafts = Array.from({ length: 120 }, (_, n) => newPet(`one of many ${n}`))
    const added = await store.transaction((tx) => addPets(tx, drafts))
    const events = await store.events.after(last, 1000)
    assert.deepEqual(
      events.map(({ json }) => JSON.parse(json).data.id),
      added.map((one) => one?.pet.id),
    )
  })

  test("many ids at once ascend, and skip those that clients chose", async () => {
    const [first = 0] = await store.transaction((tx) => tx.pets.nextIds(1))
    await store.transaction((tx) => tx.pets.add([first + 3, first + 4, first + 9].map((id) => samplePet(id))))
    const ids = await store.transaction((tx) => tx.pets.nextIds(10))
    assert.deepEqual(
      ids,
      [...new Set(ids)].sort((a, b) => a - b),
    )
    assert.equal(ids.length, 10)
    for (const id of ids) assert.ok(id > first && (await store.pets.read(id)) === undefined)
    const [next = 0] = await store.transaction((tx) => tx.pets.nextIds(1))
    assert.ok(next > (ids.at(-1) as number))
  })
}
