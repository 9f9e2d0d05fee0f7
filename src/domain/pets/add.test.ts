import assert from "node:assert/strict"
import { test } from "node:test"
import type { Repositories } from "../ports/store.ts"
import { addPets, addPetsQuietly, takenId } from "./add.ts"
import type { Pet, PetDraft } from "./contract.ts"

/** A store in which these ids are taken: known to reads, or taken by a client in the meantime. */
function storeWith({ known = [] as number[], meanwhile = [] as number[], next = 1 } = {}) {
  const added: number[] = []
  const groups: number[] = []
  const events: { data: { id: number }; at: number }[] = []
  const labels: string[][] = []
  const counts: unknown[] = []
  const requested: number[] = []
  let batches = 0
  let nextId = next
  const idsOf = async (names: string[]) => {
    labels.push(names)
    return new Map(names.map((name) => [name, name.length]))
  }
  const tx = {
    pets: {
      read: async (id: number) => (known.includes(id) ? {} : undefined),
      async nextIds(count: number) {
        requested.push(count)
        return Array.from({ length: count }, () => nextId++)
      },
      categoryIds: idsOf,
      tagIds: idsOf,
      async add(pets: readonly Pet[], _: number, uncounted: unknown) {
        groups.push(pets.length)
        counts.push(uncounted !== undefined)
        return pets.map((pet) => {
          if (meanwhile.includes(pet.id)) return undefined
          added.push(pet.id)
          return { json: JSON.stringify(pet), etag: "" }
        })
      },
      count: async () => void counts.push("counted"),
    },
    events: {
      async addAll(some: typeof events) {
        batches++
        events.push(...some)
      },
    },
  }
  return { tx: tx as unknown as Repositories, added, groups, events, labels, counts, requested, batches: () => batches }
}

const draft = (given: Partial<PetDraft> = {}, at = 5) => ({ draft: { name: "Rex", photoUrls: [], ...given }, at })

test("each pet gets an id of its own or the one it asks for, labels, and an event", async () => {
  const { tx, events, labels, counts } = storeWith()
  const pets = [
    draft({ id: 9, category: { name: "Dogs" }, tags: [{ name: "shy" }, { name: "calm" }, { name: "shy" }] }),
    draft({ status: "sold", category: { name: "Cats" }, tags: [{ name: "shy" }] }, 7),
    draft({ id: 0, category: { name: "Dogs" } }, 6),
  ]
  const added = await addPets(tx, pets)
  assert.deepEqual(
    added.map((one) => [one?.pet.id, one?.pet.status, one?.pet.category?.id, one?.pet.tags.map(({ id }) => id)]),
    [
      [9, "available", 4, [3, 4]],
      [1, "sold", 4, [3]],
      [2, "available", 4, []],
    ],
  )
  assert.deepEqual(
    events.map(({ data, at }) => [data.id, at]),
    [
      [9, 7],
      [1, 7],
      [2, 7],
    ],
  )
  assert.deepEqual(labels, [
    ["Cats", "Dogs"],
    ["calm", "shy"],
  ])
  assert.deepEqual(counts, [false])
  assert.equal(takenId(4), "A pet with the id 4 already exists")
})

test("one whose id is taken, also by an earlier one, is not added, and the others are", async () => {
  const { tx, added, labels } = storeWith({ known: [4] })
  const outcome = await addPets(tx, [draft({ id: 4 }), draft({ id: 5 }), draft({ id: 5 }), draft()])
  assert.deepEqual(
    [outcome.map((one) => one?.pet.id), added],
    [
      [undefined, 5, undefined, 1],
      [5, 1],
    ],
  )
  const none = storeWith({ known: [4] })
  assert.deepEqual(await addPets(none.tx, [draft({ id: 4 })]), [undefined])
  assert.deepEqual([none.labels, none.groups, labels.length], [[], [], 0], "a refused pet changes nothing")
})

test("generated ids that a client has just taken are left out, up to twenty times; chosen ones are not replaced", async () => {
  const taken = (count: number) => Array.from({ length: count }, (_, n) => n + 1)
  const some = storeWith({ meanwhile: [1, 3, 77] })
  const outcome = await addPets(some.tx, [draft(), draft({ id: 77 }), draft()])
  assert.deepEqual(
    outcome.map((one) => one?.pet.id),
    [4, undefined, 2],
  )
  assert.deepEqual(
    some.events.map(({ data }) => data.id),
    [2, 4],
  )
  const many = storeWith({ meanwhile: taken(19) })
  assert.deepEqual([(await addPets(many.tx, [draft()]))[0]?.pet.id, many.groups.length], [20, 20])
  const all = storeWith({ meanwhile: taken(20) })
  assert.deepEqual([await addPets(all.tx, [draft()]), all.groups.length, all.batches()], [[undefined], 20, 0])
  const chosen = storeWith()
  await addPets(chosen.tx, [draft({ id: 4 })])
  assert.deepEqual([chosen.requested, chosen.batches()], [[], 1])
})

test("many are added in groups, whose statuses are counted once at the end", async () => {
  const { tx, groups, counts, events } = storeWith()
  const outcome = await addPetsQuietly(
    tx,
    Array.from({ length: 51 }, () => draft()),
  )
  assert.deepEqual(
    [outcome.length, groups.length > 1, counts.at(-1), counts.includes(false)],
    [51, true, "counted", false],
  )
  assert.deepEqual(events, [])
  const few = storeWith()
  await addPetsQuietly(
    few.tx,
    Array.from({ length: 50 }, () => draft()),
  )
  assert.deepEqual(few.counts, [false])
})
