import assert from "node:assert/strict"
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { test } from "node:test"
import { temporaryDirectory } from "../../../test/harness/directory.ts"
import { CannotStart } from "../../kernel/cannot-start.ts"
import { migrations } from "../sql/migrations.ts"
import { openSqliteSource, openSqliteTarget } from "./copy-ends.ts"
import { lockDatabase } from "./lock.ts"
import { migrateSqlite, openSqlite, versionOf } from "./open.ts"
import { newestTables } from "./tables.ts"
import { readUnfinished } from "./unfinished.ts"

const newest = migrations.length

test("a source is a database of the newest version that no process uses, and stays as it is", async () => {
  using directory = temporaryDirectory()
  const file = join(directory.path, "petstore.db")
  assert.throws(() => openSqliteSource(file), new CannotStart(`There is no database at ${file}`))
  await migrateSqlite(file)
  {
    await using source = openSqliteSource(file)
    assert.throws(() => openSqlite(file), /Another process is using/)
    const { counters, generated } = await source.ids([])
    assert.equal(counters.get("events"), 0n)
    assert.equal(typeof generated, "object")
    await assert.rejects(
      source.query("DELETE FROM pets"),
      new RegExp(`${file} cannot be used: the database is read-only`),
    )
    assert.deepEqual(await source.query("SELECT 9007199254740993 AS n, ? AS text", ["a"]), [[9007199254740993n, "a"]])
  }
  {
    using db = new DatabaseSync(file)
    db.exec(`PRAGMA user_version = ${newest - 1}`)
  }
  assert.throws(() => openSqliteSource(file), /bring it up to date with petstore migrate first/)
  lockDatabase(file)()
})

test("a target is a new database, on which no service starts before it is complete", async () => {
  using directory = temporaryDirectory()
  const file = join(directory.path, "new/petstore.db")
  const tables = newestTables().filter(({ name }) => name !== "counters")
  {
    await using target = await openSqliteTarget(file, "copy of a", tables)
    assert.deepEqual([versionOf(file), readUnfinished(file)], [-1, "copy of a"])
    const [[progress] = []] = await target.query("SELECT count(*) FROM copied")
    assert.equal(progress, BigInt(tables.length))
    await target.query("INSERT INTO tags (id, name) VALUES (1, 'kept')")
    await target.transaction(async () => {
      await target.setIds({ counters: new Map([["events", 7n]]), generated: new Map([["events", 9n]]) })
    })
    const failing = target.transaction(async () => {
      await target.query("INSERT INTO tags (id, name) VALUES (2, 'undone')")
      throw new Error("no")
    })
    await assert.rejects(failing, /^Error: no$/)
    await target.transaction(async () => {
      assert.deepEqual(await target.query("SELECT name FROM tags"), [["kept"]], "it was rolled back")
    })
    const settings = ["synchronous", "foreign_keys", "temp_store"].map((name) => target.query(`PRAGMA ${name}`))
    assert.deepEqual(await Promise.all(settings), [[[2n]], [[1n]], [[2n]]])
  }
  assert.throws(() => openSqlite(file), CannotStart)
  await assert.rejects(openSqliteTarget(file, "copy of b", tables), new CannotStart(`${file} is there already`))
  {
    await using target = await openSqliteTarget(file, "copy of a", tables)
    assert.deepEqual(await target.query("SELECT name FROM tags"), [["kept"]], "it continues")
    assert.deepEqual(await target.query("SELECT last FROM counters WHERE name = 'events'"), [[7n]])
    assert.deepEqual(await target.query("SELECT name, seq FROM sqlite_sequence"), [["events", 9n]])
    await target.setVersion(newest)
  }
  assert.deepEqual([versionOf(file), readUnfinished(file)], [newest, undefined])
  await assert.rejects(openSqliteTarget(file, "copy of a", tables), CannotStart)
})

test("a file with content is not overwritten, and an empty one is", async () => {
  using directory = temporaryDirectory()
  const [empty, full] = [join(directory.path, "empty.db"), join(directory.path, "full.db")]
  writeFileSync(empty, "")
  await (await openSqliteTarget(empty, "a", []))[Symbol.asyncDispose]()
  writeFileSync(full, "x")
  await assert.rejects(openSqliteTarget(full, "a", []), CannotStart)
  assert.equal(existsSync(`${full}.unfinished`), false)
})

test("a database that is removed while it is opened is left unlocked, so that it can be tried again", async (t) => {
  using directory = temporaryDirectory()
  const file = join(directory.path, "petstore.db")
  await migrateSqlite(file)
  const content = readFileSync(file)
  const { [Symbol.dispose]: dispose } = DatabaseSync.prototype
  t.after(() => Object.assign(DatabaseSync.prototype, { [Symbol.dispose]: dispose }))
  // Called after the check that no process uses it.
  DatabaseSync.prototype[Symbol.dispose] = function () {
    dispose.call(this)
    rmSync(file)
  }
  for (let n = 0; n < 2; n++) {
    assert.throws(() => openSqliteSource(file), {
      message: `${file} cannot be used: the database file cannot be opened. Check the directory's permissions and free space, or choose another with PETSTORE_DATA_DIR.`,
    })
    writeFileSync(file, content)
  }
  DatabaseSync.prototype[Symbol.dispose] = dispose
  await openSqliteSource(file)[Symbol.asyncDispose]()
})
