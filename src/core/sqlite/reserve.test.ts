import assert from "node:assert/strict"
import { statSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { test } from "node:test"
import { temporaryDirectory } from "../../../test/harness/directory.ts"
import { StoreUnavailable } from "../domain/ports/store.ts"
import { boundSize, createDiskReserve, isFullError } from "./reserve.ts"

const reserveBytes = 8 * 1024 * 1024
const enough = 2 * reserveBytes

/** A database with a log, on a disk whose free space a test sets. */
function openDatabase() {
  const directory = temporaryDirectory()
  const file = join(directory.path, "petstore.db")
  const db = new DatabaseSync(file)
  db.exec("PRAGMA journal_mode = WAL; PRAGMA wal_autocheckpoint = 0; PRAGMA busy_timeout = 5000; CREATE TABLE t (x)")
  const disk = { freeBytes: enough }
  const pragma = (name: string) => Number(Object.values(db.prepare(`PRAGMA ${name}`).get() ?? {})[0])
  const sizeOf = (ending: string) => statSync(file + ending, { throwIfNoEntry: false })?.size
  return {
    file,
    db,
    disk,
    sizeOf,
    pragma,
    /** How many pages the database may grow by; undefined without a limit. */
    growth: () => {
      const max = pragma("max_page_count")
      return max === 4_294_967_294 ? undefined : max - pragma("page_count")
    },
    open: () => createDiskReserve(db, file, () => disk.freeBytes),
    [Symbol.dispose]() {
      db.close()
      directory[Symbol.dispose]()
    },
  }
}

test("8 MiB are reserved beside the database when at least twice as much is free", () => {
  using database = openDatabase()
  const { open, sizeOf, growth, file, disk } = database
  const { isFull, renew } = open()
  assert.deepEqual([isFull(), sizeOf(".reserve"), growth()], [false, reserveBytes, undefined])
  assert.equal((statSync(`${file}.reserve`).mode & 0o777).toString(8), "600")
  writeFileSync(`${file}.reserve`, "x")
  renew()
  assert.equal(sizeOf(".reserve"), 1, "it is renewed only after it was spent")
  open()
  assert.equal(sizeOf(".reserve"), reserveBytes)
  disk.freeBytes = 0
  assert.equal(open().isFull(), false, "a reserve that is held stays")
})

test("without a reserve and without space for it, the database may grow by 64 pages", () => {
  using database = openDatabase()
  const { open, sizeOf, growth, disk } = database
  disk.freeBytes = enough - 1
  const { isFull, spend, renew } = open()
  assert.deepEqual([isFull(), sizeOf(".reserve"), growth()], [true, undefined, 64])
  spend()
  renew()
  assert.deepEqual([isFull(), sizeOf(".reserve"), growth()], [true, undefined, 64])
  disk.freeBytes = enough
  renew()
  assert.deepEqual([isFull(), sizeOf(".reserve"), growth()], [false, reserveBytes, undefined])
})

test("spending the reserve frees it and the log, until there is space again", () => {
  using database = openDatabase()
  const { open, sizeOf, growth, db, pragma, disk } = database
  const { isFull, spend, renew } = open()
  db.exec("INSERT INTO t VALUES (zeroblob(100000))")
  assert.ok((sizeOf("-wal") ?? 0) > 100_000)
  disk.freeBytes = enough - 1
  spend()
  assert.deepEqual([isFull(), sizeOf(".reserve"), sizeOf("-wal"), growth()], [true, undefined, 0, 64])
  assert.equal(pragma("busy_timeout"), 5000)
  db.exec("INSERT INTO t VALUES (zeroblob(100000))")
  spend()
  assert.ok((sizeOf("-wal") ?? 0) > 100_000, "nothing is left to spend")
  renew()
  assert.equal(isFull(), true)
  disk.freeBytes = enough
  renew()
  assert.deepEqual([isFull(), sizeOf(".reserve"), growth()], [false, reserveBytes, undefined])
  spend()
  assert.equal(sizeOf(".reserve"), undefined)
})

test("a database with a maximum size never reports a full disk", () => {
  using database = openDatabase()
  const { isFull, spend, renew } = boundSize(database.db, 20 * 4096 + 4095)
  assert.equal(database.pragma("max_page_count"), 20)
  spend()
  renew()
  assert.deepEqual([isFull(), database.pragma("max_page_count"), database.sizeOf(".reserve")], [false, 20, undefined])
  assert.throws(() => database.db.exec("INSERT INTO t VALUES (zeroblob(100000))"), isFullError)
})

test("a full disk differs from other failures, also in the error of the store", () => {
  for (const [error, expected] of [
    [{ errcode: 13 }, true],
    [{ errcode: 10 }, false],
    [{ errcode: 10, cause: { errcode: 13 } }, false],
    [new StoreUnavailable("full", { cause: { errcode: 13 } }), true],
    [new StoreUnavailable("other", { cause: { errcode: 7 } }), false],
    [new StoreUnavailable("other"), false],
  ] as const)
    assert.equal(isFullError(error), expected)
})
