import assert from "node:assert/strict"
import { test } from "node:test"
import { migratedDatabase } from "../../../../test/harness/migrated.ts"
import { findPetTexts, splitIds } from "./texts.ts"

test("the texts of the first pets are joined in order, without those that are too long", async () => {
  using database = migratedDatabase()
  for (const [id, json] of [
    [1, '"a"'],
    [2, '"żółw"'],
    [3, '"ccc"'],
  ] as const)
    database.db.exec(`INSERT INTO pets (id, status, name_key, json, etag) VALUES (${id}, 'sold', 'n', '${json}', 'e')`)
  const find = async (ids: number[], direction: "ascending" | "descending", limit: number, bytesMax: number) => ({
    ...(await findPetTexts(database.connection, ids, direction, { limit, bytesMax })),
  })
  // The second has nine bytes.
  assert.deepEqual(await find([1, 2, 3], "ascending", 3, 9), {
    items: '["a","żółw","ccc"]',
    count: 3,
    longest: 9,
    last: 3,
    more: 0,
  })
  assert.deepEqual(await find([1, 2, 3], "ascending", 3, 8), {
    items: '["a","ccc"]',
    count: 3,
    longest: 9,
    last: 3,
    more: 0,
  })
  assert.deepEqual(await find([3, 2, 1], "descending", 2, 99), {
    items: '["ccc","żółw"]',
    count: 2,
    longest: 9,
    last: 2,
    more: 1,
  })
  assert.deepEqual(await find([], "ascending", 3, 9), { items: null, count: 0, longest: null, last: null, more: 0 })
})

test("ids are numbers separated by commas, or none", () => {
  assert.deepEqual([splitIds("4,9,12"), splitIds("7"), splitIds(null), splitIds(undefined)], [[4, 9, 12], [7], [], []])
})
