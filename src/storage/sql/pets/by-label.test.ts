import assert from "node:assert/strict"
import { test } from "node:test"
import { migratedDatabase } from "../../../../test/harness/migrated.ts"
import { PetStatus } from "../../../domain/pets/contract.ts"
import { directions } from "../direction.ts"
import { findByLabel, idsByLabel, readLabelIds } from "./by-label.ts"
import { toStatusRow } from "./each-status.ts"

const pets = 240
/** Each tag is on the multiples of its number. */
const steps = [2, 3, 5, 60]

function taggedPets() {
  const database = migratedDatabase()
  database.db.exec(`
    WITH RECURSIVE ids (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM ids WHERE n < ${pets})
    INSERT INTO pets (id, status, name_key, json, etag)
    SELECT n, CASE n % 2 WHEN 0 THEN 'sold' ELSE 'pending' END, 'n', '{"id":' || n || '}', 'e' FROM ids`)
  for (const step of steps)
    database.db.exec(`
      INSERT INTO tags (id, name) VALUES (${step}, 'tag ${step}');
      INSERT INTO pet_tags (tag_id, status, pet_id) SELECT ${step}, status, id FROM pets WHERE id % ${step} = 0`)
  return database
}

const everyStatus = toStatusRow(PetStatus.enum)

/** The pets with one of the tags, in this direction. */
function expected(wanted: readonly number[], direction: "ascending" | "descending", isWanted = (_: number) => true) {
  const ids = Array.from({ length: pets }, (_, n) => n + 1).filter((id) => wanted.some((step) => id % step === 0))
  return (direction === "ascending" ? ids : ids.reverse()).filter(isWanted)
}

test("pets with any of the tags are found once, in order, from any position and up to any limit", async () => {
  using database = taggedPets()
  for (const wanted of [[2], [2, 3], [3, 60], [2, 3, 5, 60]])
    for (const direction of ["ascending", "descending"] as const) {
      const names = [...wanted.map((step) => `tag ${step}`), "unknown"]
      const find = findByLabel(database.connection, "tags", names, everyStatus, direction)
      const all = expected(wanted, direction)
      for (const limit of [1, 7, 8, 9, 100])
        for (const at of [-1, 0, 11, all.length - 2, all.length - 1]) {
          const after = all[at] ?? directions[direction].start
          const { items, count, last, more } = await find(after, limit, 1000)
          const page = all.slice(at + 1, at + 1 + limit)
          assert.deepEqual(
            { ids: JSON.parse(items ?? "[]").map(({ id }: { id: number }) => id), count, last, more },
            { ids: page, count: page.length, last: page.at(-1) ?? null, more: at + 1 + limit < all.length ? 1 : 0 },
            `${names} ${direction} after ${after}, ${limit}`,
          )
        }
    }
})

test("ids are walked along each tag, of the wanted statuses only", async () => {
  using database = taggedPets()
  const labels = await readLabelIds(database.connection, "tags", ["tag 3", "tag 5"])
  assert.deepEqual(
    labels.map(({ id }) => id),
    [3, 5],
  )
  const find = idsByLabel(database.connection, "tags", labels, toStatusRow(["sold"]), "ascending")
  const all = expected([3, 5], "ascending", (id) => id % 2 === 0)
  assert.deepEqual(await find(0, 1000), all)
  assert.deepEqual(await find(all[9] as number, 20), all.slice(10, 30))
  assert.deepEqual(await find(0, 0), [])
  assert.deepEqual(await idsByLabel(database.connection, "tags", [{ id: 9 }], everyStatus, "descending")(99, 5), [])
})

test("without a known label there is nothing", async () => {
  using database = taggedPets()
  for (const names of [[], ["unknown"]])
    assert.deepEqual(await findByLabel(database.connection, "tags", names, everyStatus, "ascending")(0, 5, 100), {
      items: null,
      count: 0,
      longest: null,
      last: null,
      more: 0,
    })
})
