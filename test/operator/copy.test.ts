import assert from "node:assert/strict"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { after, before, test } from "node:test"
import { type CopyTarget, notCopied } from "../../src/core/sql/copying.ts"
import { openSqliteSource, openSqliteTarget } from "../../src/core/sqlite/copy-ends.ts"
import { openSqlite } from "../../src/core/sqlite/open.ts"
import { newestTables } from "../../src/core/sqlite/tables.ts"
import { copyRows, tablesToCopy } from "../../src/parts/operator/copy/copy-database.ts"
import { fillEveryTable, onMachine } from "../harness/backups.ts"
import { temporaryDirectory } from "../harness/directory.ts"
import { dump } from "../harness/dump.ts"
import { startPetstore } from "../harness/petstore.ts"

const place = temporaryDirectory()
after(() => place[Symbol.dispose]())
const at = (name: string) => join(place.path, name)
const source = at("source.db")
const copy = (from: string, to: string) =>
  onMachine(place.path, ["copy", "--from", `sqlite:${from}`, "--to", `sqlite:${to}`])

before(async () => {
  await openSqlite(source).close()
  fillEveryTable(source)
  // Migrations create no row for a status that was added later.
  using database = new DatabaseSync(source)
  database.exec("INSERT INTO inventory (status, pets) VALUES ('adopted', 2)")
})

/** The tables that a copy has in common: leases and replicas belong to running processes. */
function contentOf(file: string) {
  const { leases: _leases, replicas: _replicas, ...content } = dump(file)
  return content
}

test("a copy contains every row of every table unchanged, and continues the source's ids", async () => {
  const run = await copy(source, at("whole.db"))
  assert.deepEqual({ code: run.code, err: run.err }, { code: 0, err: "" })
  assert.deepEqual(contentOf(at("whole.db")), contentOf(source))
  const empty = Object.entries(contentOf(source)).filter(([, rows]) => rows.length === 0)
  assert.deepEqual(empty, [])
})

test("every table is copied after those it refers to, or has a reason not to be", () => {
  const tables = newestTables()
  const names = tablesToCopy(tables).map(({ name }) => name)
  assert.deepEqual([...names, ...Object.keys(notCopied)].sort(), tables.map(({ name }) => name).sort())
  for (const [later, earlier] of [
    ["keys", "accounts"],
    ["pet_tags", "tags"],
    ["pet_images", "pets"],
    ["delivery_attempts", "deliveries"],
  ])
    assert.ok(names.indexOf(later ?? "") > names.indexOf(earlier ?? ""))
})

test("a service starts on a copy and knows the keys of the source (slow)", async () => {
  const data = at("data")
  await (await startPetstore({ env: { PETSTORE_DATA_DIR: data } }))[Symbol.asyncDispose]()
  assert.equal((await copy(join(data, "petstore.db"), at("copied.db"))).code, 0)
  const env = { PETSTORE_DATA_DIR: data, PETSTORE_DATABASE_URL: `sqlite:${at("copied.db")}` }
  await using petstore = await startPetstore({ env })
  const { value } = await petstore.as("special-key").addPet({ body: { name: "next", photoUrls: [] } })
  assert.equal(value.id, 11)
})

test("a copy interrupted after any number of rows is continued, and no service starts on it before it is complete (slow)", async () => {
  const tables = tablesToCopy(newestTables())
  for (const transactions of [1, 5, 20]) {
    const file = at(`interrupted-${transactions}.db`)
    await assert.rejects(interruptedCopy(file, transactions), { message: "killed" })
    assert.throws(() => openSqlite(file), /is not whole: petstore restore or petstore copy has not finished it/)
    const resumed = onMachine(place.path, ["copy", "--from", `sqlite:${source}`, "--to", `sqlite:${file}`])
    assert.equal((await resumed).code, 0)
    assert.deepEqual(contentOf(file), contentOf(source))
  }

  async function interruptedCopy(file: string, transactions: number): Promise<void> {
    const id = dump(source).identity?.[0] ?? ""
    await using from = openSqliteSource(source)
    await using to = await openSqliteTarget(file, `copy of ${JSON.parse(id).id}`, tables)
    let left = transactions
    const failing: CopyTarget = {
      ...to,
      async transaction(work) {
        if (left-- === 0) throw new Error("killed")
        await to.transaction(work)
      },
    }
    await copyRows(from, failing, tables, () => {})
  }
})

test("a copy is refused to a database with data, from one that has changed, and while either is in use (slow)", async () => {
  const [whole, changed] = [at("whole-again.db"), at("changed.db")]
  assert.equal((await copy(source, whole)).code, 0)
  assert.match((await copy(source, whole)).err, /is there already/)
  assert.match((await copy(at("nowhere.db"), at("none.db"))).err, /There is no database at/)

  const store = openSqlite(whole)
  assert.match((await copy(whole, at("none.db"))).err, /Another process is using .+whole-again\.db/)
  await store.close()

  const tables = tablesToCopy(newestTables())
  const id = JSON.parse(dump(source).identity?.[0] ?? "").id
  {
    await using target = await openSqliteTarget(changed, `copy of ${id}`, tables)
    assert.match((await copy(source, changed)).err, /Another process is using .+changed\.db/)
    await using from = openSqliteSource(source)
    const failing: CopyTarget = { ...target, setIds: () => Promise.reject(new Error("killed")) }
    await assert.rejects(
      copyRows(from, failing, tables, () => {}),
      { message: "killed" },
    )
  }
  const db = new DatabaseSync(changed)
  db.exec("UPDATE pets SET etag = 'other' WHERE id = 2")
  db.close()
  assert.match((await copy(source, changed)).err, /pets differs: 3 rows in the source, 3 in the target/)
  assert.throws(() => openSqlite(changed), /is not whole/)
})

test("a database of an earlier version is not copied before it is migrated", async () => {
  const earlier = at("earlier.db")
  await openSqlite(earlier).close()
  {
    using database = new DatabaseSync(earlier)
    const version = Number(database.prepare("PRAGMA user_version").get()?.user_version)
    database.exec(`PRAGMA user_version = ${version - 1}`)
  }
  assert.match((await copy(earlier, at("none.db"))).err, /bring it up to date with petstore migrate first/)
})
