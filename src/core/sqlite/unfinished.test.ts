import assert from "node:assert/strict"
import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { test } from "node:test"
import { temporaryDirectory } from "../../../test/harness/directory.ts"
import { countAllOpen } from "../../../test/harness/open-files.ts"
import { CannotStart } from "../kernel/cannot-start.ts"
import { openSqlite, versionOf } from "./open.ts"
import { makeUnfinished, readUnfinished } from "./unfinished.ts"

test("an unfinished database tells its source, and no service starts on it", () => {
  using directory = temporaryDirectory()
  const file = join(directory.path, "petstore.db")
  assert.equal(readUnfinished(file), undefined)
  writeFileSync(`${file}.unfinished`, "what a killed process left")
  const open = countAllOpen()
  makeUnfinished(file, "copy of x")
  assert.equal(readUnfinished(file), "copy of x")
  assert.equal(countAllOpen(), open, "no file stays open")
  assert.deepEqual(readdirSync(directory.path), ["petstore.db"])
  assert.equal((statSync(file).mode & 0o777).toString(8), "600")
  assert.equal(versionOf(file), -1)
  assert.throws(() => openSqlite(file), CannotStart)
})

test("any other file is not unfinished, and is not touched", () => {
  using directory = temporaryDirectory()
  const file = join(directory.path, "file")
  const open = countAllOpen()
  for (const text of ["", "x".repeat(1000), "SQLite format 3\0", `SQLite format 3\0${"\0".repeat(100)}`]) {
    writeFileSync(file, text)
    assert.equal(readUnfinished(file), undefined)
    assert.equal(readFileSync(file, "utf8"), text)
  }
  writeFileSync(file, `SQLite format 2\0${"\xff".repeat(100)}`, "latin1")
  assert.equal(readUnfinished(file), undefined, "the version alone does not make it one")
  assert.equal(readUnfinished(directory.path), undefined)
  assert.deepEqual([readdirSync(directory.path), countAllOpen()], [["file"], open])
})
