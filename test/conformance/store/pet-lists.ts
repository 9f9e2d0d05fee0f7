import assert from "node:assert/strict"
import { before, test } from "node:test"
import fc from "fast-check"
import { type Pet, PetStatus } from "../../../src/core/domain/pets/contract.ts"
import type { PetFilter } from "../../../src/core/domain/pets/store.ts"
import type { Cursor, Sort } from "../../../src/core/kernel/endpoint/page.ts"
import { nameKey } from "../../../src/core/sql/pets/name-key.ts"
import { effort } from "../../harness/effort.ts"
import { type OpenStore, putPet, samplePet, useStore } from "./samples.ts"

const labels = ["one", "two", "three"]
const names = [
  ...["Rex", "rex", "REXY", "re", "İpek", "ipek", "Strauß", "STRASSE", "ﬁnn", "finn", "ΟΔΟΣ", "οδός", "οδοσ"],
  ...["100%", "100_", "1000", "_a", "%", " x", "\ud7ff", "\ue000", "\uffff", "🐢", "🐢🐢", "\u{10ffff}", "\u{10ffff}z"],
]
const name = fc.oneof(fc.constantFrom(...names), fc.string({ unit: "grapheme", minLength: 1, maxLength: 3 }))
const some = <T>(of: readonly T[]) => fc.array(fc.constantFrom(...of), { minLength: 1, maxLength: 3 })
const byId = fc.constantFrom<Sort>("id", "-id")
const byName = fc.constantFrom<Sort>("name", "-name")
const statuses = some(PetStatus.enum)
const anyFilter: fc.Arbitrary<PetFilter> = fc.oneof(
  fc.record({ statuses, sort: fc.oneof(byId, byName) }),
  fc.record({ statuses, categories: some([...labels, "unknown"]), sort: byId }),
  fc.record({ statuses, tags: some([...labels, "unknown"]), sort: byId }),
  fc.record({ statuses, categories: some([...labels, "unknown"]), tags: some([...labels, "unknown"]), sort: byId }),
  fc.record({ statuses, name, sort: byName }),
)

/** Lists of pets with every filter, in every order. */
export function testPetLists(open: OpenStore): void {
  const store = useStore(open)
  const all = new Map<number, Pet>()
  let ids: Map<string, number>[]

  const draft = (id: number, seed: number): Pet =>
    samplePet(id, {
      name: names[seed % names.length] as string,
      status: PetStatus.enum[seed % 3] as PetStatus,
      tags: labels
        .filter((_, n) => (seed >> n) % 2 === 1)
        .map((tag) => ({ id: ids[1]?.get(tag) as number, name: tag })),
      ...(seed % 4 > 0 && { category: labelOf(ids[0], labels[(seed % 4) - 1] as string) }),
    })

  before(async () => {
    ids = await store.transaction(async (tx) => [await tx.pets.categoryIds(labels), await tx.pets.tagIds(labels)])
    await change(Array.from({ length: 150 }, (_, n) => draft(n + 1, n * 7)))
  })

  /** Adds these pets or replaces those with their ids. */
  const change = (pets: readonly Pet[]) =>
    store.transaction(async (tx) => {
      for (const pet of pets) {
        if (all.has(pet.id)) await putPet(tx, pet)
        else await tx.pets.add([pet])
        all.set(pet.id, pet)
      }
    })

  async function readAll(filter: PetFilter, limit: number, betweenPages = async () => {}): Promise<number[]> {
    const found: number[] = []
    let cursor: Cursor | undefined
    do {
      const page = await store.pets.list(filter, { limit, cursor })
      const pets: Pet[] = JSON.parse(page.json)
      assert.ok(pets.length <= limit)
      if (page.next !== undefined) {
        assert.ok(pets.length > 0 || (filter.categories && filter.tags))
        assert.notDeepEqual(page.next, cursor, "no progress")
      }
      found.push(...pets.map(({ id }) => id))
      assert.ok(found.length <= 2 * all.size, "the list does not end")
      cursor = page.next
      if (cursor !== undefined) await betweenPages()
    } while (cursor !== undefined)
    return found
  }

  test("a list equals a filter over all pets, in its order, page by page", async () => {
    await fc.assert(
      fc.asyncProperty(anyFilter, fc.integer({ min: 1, max: 40 }), async (filter, limit) => {
        assert.deepEqual(await readAll(filter, limit), expected([...all.values()], filter))
      }),
      { numRuns: effort(200, 50) },
    )
  })

  test("a page starts after any position in its order, whether or not a pet of the list is there", async () => {
    await fc.assert(
      fc.asyncProperty(anyFilter, name, fc.integer({ min: 1, max: 160 }), async (filter, name, id) => {
        const { sort } = filter
        const cursor = sort === "id" || sort === "-id" ? { sort, id } : { sort, id, key: nameKey(name) }
        const { json } = await store.pets.list(filter, { limit: 10, cursor })
        const behind = [...all.values()].filter((pet) => compareIn(sort)(pet, samplePet(id, { name })) > 0)
        assert.deepEqual(
          (JSON.parse(json) as Pet[]).map((pet) => pet.id),
          expected(behind, filter).slice(0, 10),
        )
      }),
      { numRuns: effort(200, 50) },
    )
  })

  test("while pets change, a client that follows pages receives each of the others once, in order", async () => {
    const seeds = fc.infiniteStream(fc.nat(1000))
    await fc.assert(
      fc.asyncProperty(anyFilter, fc.integer({ min: 5, max: 40 }), seeds, async (filter, limit, seeds) => {
        const others = [...all.values()].filter(({ id }) => id % 3 > 0)
        const changed = [...all.keys()].filter((id) => id % 3 === 0)
        const seen = await readAll(filter, limit, () => {
          const seed = () => seeds.next().value as number
          return change([draft(changed[seed() % changed.length] as number, seed()), draft(3 * (seed() + 60), seed())])
        })
        assert.deepEqual(
          seen.filter((id) => id % 3 > 0),
          expected(others, filter),
        )
      }),
      { numRuns: effort(100, 20) },
    )
  })

  test("names are found by their start, in any case, without wildcards", async () => {
    await change(names.map((name, n) => samplePet(10_000 + n, { name, status: "sold" })))
    const found = async (name: string) => {
      const filter = { statuses: ["sold"] as const, name, sort: "name" as const }
      return (await readAll(filter, 2)).filter((id) => id >= 10_000).map((id) => all.get(id)?.name)
    }
    for (const [prefix, ...wanted] of [
      ["REX", "Rex", "rex", "REXY"],
      ["100%", "100%"],
      ["100_", "100_"],
      ["%", "%"],
      ["i", "ipek", "İpek"],
      ["İ", "İpek"],
      ["strauß", "Strauß"],
      ["strass", "STRASSE"],
      ["ﬁ", "ﬁnn"],
      ["ΟΔΟΣ", "ΟΔΟΣ", "οδοσ"],
      ["οδος", "ΟΔΟΣ", "οδοσ"],
      ["\ud7ff", "\ud7ff"],
      ["\uffff", "\uffff"],
      ["🐢", "🐢", "🐢🐢"],
      ["\u{10ffff}", "\u{10ffff}", "\u{10ffff}z"],
      ["rexyz"],
    ] as const)
      assert.deepEqual(await found(prefix), wanted, prefix)
  })

  test("the total of a list is the number of its pets, or says that there are at least so many", () =>
    fc.assert(
      fc.asyncProperty(anyFilter, fc.constantFrom(1, 10, 5000), async (filter, max) => {
        const { length } = expected([...all.values()], filter)
        const { count, isExact } = await store.pets.total(filter, max)
        if (isExact) assert.equal(count, length)
        else
          assert.ok(
            count <= length && count <= max && (length > 0 || (filter.categories && filter.tags)),
            `${count} of ${length}`,
          )
        if (max === 5000 || (!filter.categories && !filter.tags && filter.name === undefined)) assert.ok(isExact)
      }),
      { numRuns: effort(200, 50) },
    ))

  test("a page of category and tag ends after a bounded search, also empty, and the pages reach the last pet", async () => {
    const [category, tag] = await store.transaction(async (tx) => [
      await tx.pets.categoryIds(["sparse"]),
      await tx.pets.tagIds(["sparse"]),
    ])
    const base = 100_000
    // So large that they do not fit one page.
    const found = Array.from({ length: 12 }, (_, n) => base + n)
    const pets = Array.from({ length: 6000 }, (_, n) =>
      samplePet(base + n, {
        name: "many",
        status: "sold",
        photoUrls: n < 12 ? Array(50).fill("u".repeat(2048)) : [],
        tags: n % 2 === 0 || n < 12 ? [{ id: tag?.get("sparse") as number, name: "sparse" }] : [],
        ...((n % 2 === 1 || n < 12) && { category: labelOf(category, "sparse") }),
      }),
    )
    await store.transaction((tx) => tx.pets.add(pets))
    for (const sort of ["id", "-id"] as const) {
      const filter = { statuses: PetStatus.enum, categories: ["sparse"], tags: ["sparse"], sort }
      const pages: number[][] = []
      let cursor: Cursor | undefined
      do {
        const page = await store.pets.list(filter, { limit: 100, cursor })
        assert.ok(page.next === undefined || cursor === undefined || page.next.id !== cursor.id, "no progress")
        pages.push((JSON.parse(page.json) as Pet[]).map(({ id }) => id))
        cursor = page.next
      } while (cursor !== undefined)
      assert.deepEqual(pages.flat(), sort === "id" ? found : found.toReversed())
      assert.ok(pages.length > 1 && pages.length < 12, `${pages.length} pages`)
    }
    const total = await store.pets.total({ statuses: PetStatus.enum, categories: ["sparse"], tags: ["sparse"] }, 5000)
    assert.deepEqual(total, { count: 12, isExact: true })
    await store.transaction(async (tx) => {
      for (const { id } of pets) await tx.pets.remove(id)
    })
  })

  test("category and tag combine to what a filter over all pets finds, whichever is rarer, also while pets change", async () => {
    const base = 200_000
    const many = (n: number, seed: number): Pet =>
      samplePet(base + n, {
        status: PetStatus.enum[seed % 3] as PetStatus,
        tags: labels
          // The first is common, the others are rare at one end.
          .filter((_, m) => seed % 7 > m && (m === 0 || n % 400 < 400 >> (3 * m) || seed % 50 === m))
          .map((name) => labelOf(ids[1], name)),
        ...(seed % 5 > 0 && { category: labelOf(ids[0], labels[n > 900 && seed % 40 > 0 ? 0 : seed % 3] as string) }),
      })
    const hash = (n: number) => Math.imul(n + 1, 2_654_435_761) >>> 8
    const pets = new Map(Array.from({ length: 1800 }, (_, n) => [n, many(n, hash(n))]))
    await store.transaction((tx) => tx.pets.add([...pets.values()]))
    for (const pet of pets.values()) all.set(pet.id, pet)
    const both = fc.record({ statuses, categories: some(labels), tags: some(labels), sort: byId })
    const limits = fc.constantFrom(7, 100, 1000)
    await fc.assert(
      fc.asyncProperty(both, limits, fc.infiniteStream(fc.nat(1_000_000)), async (filter, limit, seeds) => {
        assert.deepEqual(await readAll(filter, limit), expected([...all.values()], filter))
        const others = [...all.values()].filter(({ id }) => id % 3 > 0)
        const seen = await readAll(filter, limit, async () => {
          const seed = () => seeds.next().value as number
          // Its id is divisible by three.
          await change([many((seed() % 600) * 3 + 1, seed())])
        })
        assert.deepEqual(
          seen.filter((id) => id % 3 > 0),
          expected(others, filter),
        )
      }),
      { numRuns: effort(60, 15) },
    )
    await store.transaction(async (tx) => {
      for (const { id } of pets.values()) await tx.pets.remove(id)
    })
    for (const { id } of pets.values()) all.delete(id)
  })

  test("a page ordered by name ends early when its pets are huge, and returns where the next one starts", async () => {
    const photoUrls = Array(50).fill("u".repeat(2048))
    await change(Array.from({ length: 60 }, (_, n) => samplePet(20_000 + n, { name: `huge ${n % 7}`, photoUrls })))
    const filter: PetFilter = { statuses: ["available"], name: "HUGE", sort: "-name" }
    const { json } = await store.pets.list(filter, { limit: 1000, cursor: undefined })
    assert.ok(JSON.parse(json).length < 60)
    assert.deepEqual(await readAll(filter, 1000), expected([...all.values()], filter))
  })
}

const labelOf = (ids: Map<string, number> | undefined, name: string) => ({ id: ids?.get(name) as number, name })

/** The ids of the matching pets, from checking every one. */
function expected(pets: readonly Pet[], { statuses, categories, tags, name = "", sort }: PetFilter): number[] {
  const found = pets.filter(
    (pet) =>
      statuses.includes(pet.status) &&
      (categories === undefined || categories.includes(pet.category?.name ?? "")) &&
      (tags === undefined || pet.tags.some((tag) => tags.includes(tag.name))) &&
      nameKey(pet.name).startsWith(nameKey(name)),
  )
  return found.toSorted(compareIn(sort)).map(({ id }) => id)
}

function compareIn(sort: Sort): (a: Pet, b: Pet) => number {
  const compare = sort.endsWith("name") ? compareNames : compareIds
  return sort.startsWith("-") ? (a, b) => compare(b, a) : compare
}

const compareIds = (a: Pet, b: Pet): number => a.id - b.id

function compareNames(a: Pet, b: Pet): number {
  const [left, right] = [a, b].map(({ name }) => [...nameKey(name)].map((character) => character.codePointAt(0) ?? 0))
  for (const [n, code] of (left as number[]).entries()) {
    const difference = code - (right?.[n] ?? -1)
    if (difference !== 0) return difference
  }
  return (left as number[]).length - (right as number[]).length || compareIds(a, b)
}
