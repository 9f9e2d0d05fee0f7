import assert from "node:assert/strict"
import { test } from "node:test"
import { migratedDatabase } from "../../../../test/harness/migrated.ts"
import type { PetStatus } from "../../../domain/pets/contract.ts"
import type { PetFilter } from "../../../domain/pets/store.ts"
import { petTotals } from "./totals.ts"

/** Four pets that are sold and one that is pending, each named "rex", of one category and with two tags. */
function fivePets() {
  const database = migratedDatabase()
  database.db.exec(`
    INSERT INTO categories (id, name) VALUES (1, 'c'), (2, 'other');
    INSERT INTO tags (id, name) VALUES (1, 't'), (2, 'u');
    WITH RECURSIVE ids (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM ids WHERE n < 5)
    INSERT INTO pets (id, status, category_id, name_key, json, etag)
    SELECT n, CASE n WHEN 5 THEN 'pending' ELSE 'sold' END, 1, 'rex', '{}', 'e' FROM ids;
    INSERT INTO pet_tags (tag_id, status, pet_id) SELECT tags.id, status, pets.id FROM pets, tags;
    INSERT INTO inventory (status, slot, pets) VALUES ('sold', 0, 4), ('pending', 0, 1)
      ON CONFLICT DO UPDATE SET pets = excluded.pets`)
  const { total } = petTotals(database.connection)
  const totalOf = async (filter: Partial<PetFilter>, max: number, statuses: PetStatus[] = ["sold"]) =>
    total({ statuses, sort: "id", ...filter } as PetFilter, max)
  return { totalOf, [Symbol.dispose]: () => database[Symbol.dispose]() }
}

const exactly = (count: number) => ({ count, isExact: true })
const atLeast = (count: number) => ({ count, isExact: false })

test("a list by label or name is counted up to a maximum, and one more shows that there are more", async () => {
  using pets = fivePets()
  for (const filter of [{ categories: ["c"] }, { tags: ["t"] }, { name: "re" }, { categories: ["c"], tags: ["t"] }])
    for (const [max, expected] of [
      [3, atLeast(3)],
      [4, exactly(4)],
      [5, exactly(4)],
    ] as const)
      assert.deepEqual(await pets.totalOf(filter, max), expected, `${JSON.stringify(filter)} up to ${max}`)
})

test("a pet with several of the tags is one pet; when the entries of its tags exceed the maximum, there may be more", async () => {
  using pets = fivePets()
  const both = { tags: ["t", "u"] }
  assert.deepEqual(await pets.totalOf(both, 8), exactly(4))
  assert.partialDeepStrictEqual(await pets.totalOf(both, 7), { isExact: false })
  const inOther = { ...both, categories: ["other"] }
  assert.deepEqual(await pets.totalOf(inOther, 8), exactly(0))
  assert.deepEqual(await pets.totalOf(inOther, 7), atLeast(0))
})

test("without another filter, the pets of each status are known exactly", async () => {
  using pets = fivePets()
  assert.deepEqual(await pets.totalOf({}, 1, ["sold", "pending", "sold"]), exactly(5))
  assert.deepEqual(await pets.totalOf({}, 1, ["pending", "available"]), exactly(1))
})

test("only pets of the wanted statuses are counted", async () => {
  using pets = fivePets()
  for (const filter of [{ categories: ["c"] }, { tags: ["t"] }, { name: "rex" }, { categories: ["c"], tags: ["t"] }]) {
    assert.deepEqual(await pets.totalOf(filter, 10, ["sold", "pending"]), exactly(5))
    assert.deepEqual(await pets.totalOf(filter, 10, ["available"]), exactly(0))
  }
})
