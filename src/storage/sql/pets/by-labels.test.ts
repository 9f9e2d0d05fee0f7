import assert from "node:assert/strict"
import { test } from "node:test"
import { migratedDatabase } from "../../../../test/harness/migrated.ts"
import { PetStatus } from "../../../domain/pets/contract.ts"
import { directions } from "../direction.ts"
import { findByLabels } from "./by-labels.ts"
import { toStatusRow } from "./each-status.ts"

const pets = 6000

/** Pets, of which those have the category and the tag whose id n fulfils a condition. */
function petsWith(category: string, tag: string) {
  const database = migratedDatabase()
  database.db.exec(`
    INSERT INTO categories (id, name) VALUES (1, 'c');
    INSERT INTO tags (id, name) VALUES (1, 't');
    WITH RECURSIVE ids (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM ids WHERE n < ${pets})
    INSERT INTO pets (id, status, category_id, name_key, json, etag)
    SELECT n, 'sold', CASE WHEN ${category} THEN 1 END, 'n', '{"id":' || n || '}', 'e' FROM ids;
    INSERT INTO pet_tags (tag_id, status, pet_id) SELECT 1, status, n FROM (SELECT id AS n, status FROM pets) WHERE ${tag}`)
  const wanted = { categories: ["c"], tags: ["t"] }
  const find = (direction: "ascending" | "descending", after = directions[direction].start, limit = 100) =>
    findByLabels(database.connection, wanted, toStatusRow(PetStatus.enum), direction)(after, limit, 10_000)
  return { find, [Symbol.dispose]: () => database[Symbol.dispose]() }
}

const idsIn = (items: string | null): number[] => JSON.parse(items ?? "[]").map(({ id }: { id: number }) => id)

test("of a common and a rare label, the rare one decides how many pets are examined", async () => {
  for (const step of [60, 100, 6000]) {
    const expected = Array.from({ length: pets / step }, (_, n) => (n + 1) * step)
    for (const labels of [
      ["true", `n % ${step} = 0`],
      [`n % ${step} = 0`, "true"],
    ] as [string, string][]) {
      using found = petsWith(...labels)
      for (const direction of ["ascending", "descending"] as const) {
        const { items, count, more, ends } = await found.find(direction)
        assert.deepEqual(idsIn(items), direction === "ascending" ? expected : expected.toReversed())
        assert.deepEqual({ count, more, ends }, { count: expected.length, more: 0, ends: undefined }, labels.join())
      }
    }
  }
})

test("two thousand pets are examined at most; the list continues after the last of them, also if none was found", async () => {
  using database = petsWith("n % 2 = 1", "n % 2 = 0")
  assert.deepEqual(
    { ...(await database.find("ascending")) },
    { items: "[]", count: 0, longest: 0, last: 4000, more: 1, ends: true },
  )
  assert.deepEqual(
    { ...(await database.find("descending", 4002)) },
    { items: "[]", count: 0, longest: 0, last: 2, more: 1, ends: true },
  )
  assert.deepEqual(
    { ...(await database.find("ascending", 4000)) },
    { items: null, count: 0, longest: null, last: null, more: 0 },
  )
})

test("pets that were found before the search ended are a page, and the next one continues after what was examined", async () => {
  using database = petsWith("n % 2 = 1 OR n <= 10", "n % 2 = 0 OR n <= 10")
  const { items, ...rest } = await database.find("ascending")
  assert.deepEqual(
    idsIn(items),
    Array.from({ length: 10 }, (_, n) => n + 1),
  )
  assert.deepEqual(rest, { count: 10, longest: '{"id":10}'.length, last: 3990, more: 1, ends: true })
  const first = await database.find("ascending", 0, 9)
  assert.deepEqual([idsIn(first.items).length, first.last, first.more, first.ends], [9, 9, 1, undefined])
  const all = await database.find("ascending", 0, 10)
  assert.deepEqual([all.count, all.more, all.ends], [10, 1, true])
})

test("a stretch holds the requested number of pets, and tells whether there are more", async () => {
  using all = petsWith("true", "true")
  for (const [limit, after, more] of [
    [100, 0, 1],
    [250, 0, 1],
    [100, 5900, 0],
    [99, 5900, 1],
    [1, 5998, 1],
    [1, 5999, 0],
  ] as const) {
    const { items, count, last, more: actual, longest } = await all.find("ascending", after, limit)
    assert.deepEqual(
      { ids: idsIn(items), count, last, more: actual, longest },
      {
        ids: Array.from({ length: limit }, (_, n) => after + n + 1),
        count: limit,
        last: after + limit,
        more,
        longest: `{"id":${after + limit}}`.length,
      },
    )
  }
})

test("a label that no pet has ever had has no pets", async () => {
  using database = migratedDatabase()
  for (const [categories, tags] of [
    [["c"], []],
    [[], ["t"]],
    [["unknown"], ["t"]],
    [["c"], ["unknown"]],
  ] as [string[], string[]][]) {
    const found = findByLabels(database.connection, { categories, tags }, toStatusRow(["sold"]), "ascending")
    assert.deepEqual(await found(0, 10, 100), { items: null, count: 0, longest: null, last: null, more: 0 })
  }
})
