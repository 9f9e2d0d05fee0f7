import assert from "node:assert/strict"
import { existsSync, mkdirSync, statSync, symlinkSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { test } from "node:test"
import { temporaryDirectory } from "../../../test/harness/directory.ts"
import { countAllOpen } from "../../../test/harness/open-files.ts"
import { CannotStart } from "../kernel/cannot-start.ts"
import { lockDatabase, lockFile } from "./lock.ts"
import { openSqlite, versionOf } from "./open.ts"

test("a file is locked once at a time, and created for its owner", () => {
  using directory = temporaryDirectory()
  const file = join(directory.path, "lock")
  const before = countAllOpen()
  const unlock = lockFile(file)
  assert.ok(unlock)
  assert.equal((statSync(file).mode & 0o777).toString(8), "600")
  assert.equal(lockFile(file), undefined)
  unlock()
  lockFile(file)?.()
  assert.equal(countAllOpen(), before)
})

test("a file that cannot be locked is an error", () => {
  using directory = temporaryDirectory()
  const file = join(directory.path, "lock")
  writeFileSync(file, "x".repeat(1000))
  const before = countAllOpen()
  assert.throws(() => lockFile(file), { errcode: 26 })
  mkdirSync(join(directory.path, "directory"))
  assert.throws(() => lockFile(join(directory.path, "directory")), { errcode: 14 })
  assert.equal(countAllOpen(), before)
})

test("a database is locked under its real name, and its log is emptied", () => {
  using directory = temporaryDirectory()
  const [file, link] = [join(directory.path, "real.db"), join(directory.path, "link.db")]
  {
    using db = new DatabaseSync(file)
    db.exec("PRAGMA journal_mode = WAL; CREATE TABLE t (x)")
  }
  symlinkSync(file, link)
  const unlock = lockDatabase(link)
  assert.ok(existsSync(`${file}.lock`) && !existsSync(`${link}.lock`))
  assert.equal(statSync(`${file}-wal`, { throwIfNoEntry: false })?.size ?? 0, 0)
  for (const path of [file, link])
    assert.throws(
      () => lockDatabase(path),
      new CannotStart(
        `Another process is using ${path}: a Petstore, or a tool such as sqlite3. Stop it first, or start this one with ` +
          "a different PETSTORE_DATA_DIR.",
      ),
    )
  unlock()
  lockDatabase(file)()
})

test("a damaged database leaves no lock, nor does a store that is closed or cannot be opened", async () => {
  using directory = temporaryDirectory()
  const file = join(directory.path, "petstore.db")
  await openSqlite(file).close()
  const isFree = () => {
    const unlock = lockFile(`${file}.lock`)
    unlock?.()
    return unlock !== undefined
  }
  assert.ok(isFree())
  {
    using db = new DatabaseSync(file)
    db.exec("PRAGMA user_version = 999")
  }
  assert.throws(() => openSqlite(file), /schema version 999/)
  assert.equal(versionOf(file), 999)
  assert.ok(isFree())
  writeFileSync(file, "x".repeat(1000))
  assert.throws(() => openSqlite(file), /is not a database/)
  assert.throws(() => versionOf(file), /is not a database/)
  assert.ok(isFree())
})
