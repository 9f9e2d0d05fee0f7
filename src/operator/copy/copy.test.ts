import assert from "node:assert/strict"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { after, before, test } from "node:test"
import { temporaryDirectory } from "../../../test/harness/directory.ts"
import { dump } from "../../../test/harness/dump.ts"
import { installationIn, makeInstallation, type Progress } from "../../../test/harness/small-backup.ts"
import { CannotStart } from "../../kernel/cannot-start.ts"
import { openDiskBlobs } from "../../storage/disk/blobs.ts"
import { openSqlite } from "../../storage/sqlite/open.ts"
import { copyInstallation } from "./copy.ts"
import { tablesToCopy } from "./copy-database.ts"

const directory = temporaryDirectory()
after(() => directory[Symbol.dispose]())
const at = (name: string) => join(directory.path, name)
const tags = 1001

before(async () => {
  const { database } = await makeInstallation(at("data"), 9)
  assert.equal(database.kind, "sqlite")
  using db = new DatabaseSync(join(at("data"), "petstore.db"))
  db.exec(`
    WITH RECURSIVE ids (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM ids WHERE n < ${tags})
    INSERT INTO tags (id, name) SELECT n, 'tag ' || n FROM ids`)
})

async function copyTo(name: string, withImages = true, from = "data") {
  const progress: Progress[] = []
  const ends = (path: string) => {
    const { database, ...others } = installationIn(at(path))
    return { database, images: withImages ? { database, ...others } : undefined }
  }
  const copied = await copyInstallation(ends(from), ends(name), 1000, (...step) => void progress.push(step))
  const steps = (what: string, unit: string) => progress.filter(([of, , , in_]) => of === what && in_ === unit)
  return { ...copied, steps }
}

test("a copy has every row and image, and reports how many are copied and compared", async () => {
  const { rows, images, steps } = await copyTo("copy")
  assert.deepEqual([rows.tags, rows.pets, rows.images, images], [tags, 1, 9, 9])
  const total = Object.values(rows).reduce((sum, count) => sum + count)
  const copying = steps("copying", "rows").map(([, done, of]) => [done, of])
  assert.deepEqual(copying.at(-1), [total, total])
  const increments = copying.map(([done = 0], n) => done - (copying[n - 1]?.[0] ?? 0))
  assert.deepEqual(
    increments.filter((count) => count > 100),
    [500, 500],
  )
  const comparing = steps("comparing", "rows").map(([, done, of]) => [done, of])
  assert.deepEqual([comparing.length, comparing.at(-1)], [Object.keys(rows).length, [total, total]])
  assert.deepEqual(
    steps("copying", "images").map(([, done, of]) => [done, of]),
    [
      [8, 9],
      [9, 9],
    ],
  )
  assert.deepEqual(dump(join(at("copy"), "petstore.db")), dump(join(at("data"), "petstore.db")))
  assert.equal(openDiskBlobs(join(at("copy"), "images")).hasChecksums, false)
})

test("a copy without images leaves them, and is not repeated over a database", async () => {
  const { images } = await copyTo("without images", false)
  assert.equal(images, undefined)
  await assert.rejects(
    copyTo("without images", false),
    new CannotStart(`${at("without images/petstore.db")} is there already`),
  )
  await assert.rejects(
    copyTo("other", false, "nowhere"),
    new CannotStart(`There is no database at ${at("nowhere/petstore.db")}`),
  )
})

test("an interrupted copy continues after the rows that it had", async () => {
  const ends = (path: string) => ({ database: installationIn(at(path)).database, images: undefined })
  const interrupt = (what: string, done: number) => {
    if (what === "copying" && done >= 500) throw new Error(`interrupted after ${done}`)
  }
  const interrupted = await copyInstallation(ends("data"), ends("interrupted"), 1000, interrupt).catch(String)
  const before = Number(/\d+$/.exec(String(interrupted))?.[0])
  assert.ok(before >= 500)
  const { steps, rows } = await copyTo("interrupted", false)
  const copying = steps("copying", "rows").map(([, done]) => done)
  assert.ok(copying[0] !== undefined && copying[0] > before, `${before}, then ${copying[0]}`)
  assert.equal(
    copying.at(-1),
    Object.values(rows).reduce((sum, count) => sum + count),
  )
})

test("a copy is complete only if both databases have the same rows", async () => {
  const file = join(at("changing"), "petstore.db")
  const ends = (path: string) => ({ database: installationIn(at(path)).database, images: undefined })
  const change = (what: string, done: number, total: number | undefined) => {
    if (what !== "copying" || done !== total) return
    using db = new DatabaseSync(file, { timeout: 0 })
    db.exec("DELETE FROM tags WHERE id = 7")
  }
  await assert.rejects(
    copyInstallation(ends("data"), ends("changing"), 1000, change),
    new CannotStart(
      `tags differs: ${tags} rows in the source, ${tags - 1} in the target. If the source was used during the copy, empty the target and copy again`,
    ),
  )
  assert.throws(() => openSqlite(file), CannotStart)
})

test("tables of running processes are not copied, nor what is set at the end", () => {
  const tables = ["pets", "leases", "replicas", "counters", "inventory", "orders"].map((name) => ({
    name,
    columns: [],
    key: [],
    hasGeneratedId: false,
  }))
  assert.deepEqual(
    tablesToCopy(tables).map(({ name }) => name),
    ["pets", "orders"],
  )
})
