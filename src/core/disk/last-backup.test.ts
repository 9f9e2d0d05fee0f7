import assert from "node:assert/strict"
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { test } from "node:test"
import { temporaryDirectory } from "../../../test/harness/directory.ts"
import { noteBackup, readLastBackup } from "./last-backup.ts"

test("the time of the last backup is kept in one file of the data directory", () => {
  using directory = temporaryDirectory()
  assert.equal(readLastBackup(directory.path), undefined)
  // What a killed process left.
  writeFileSync(join(directory.path, "last-backup.txt.next"), "half")
  for (const time of ["2026-01-01T00:00:00Z", "2026-01-02T00:00:00.000Z"]) {
    noteBackup(directory.path, time)
    assert.equal(readLastBackup(directory.path), time)
    assert.equal(readFileSync(join(directory.path, "last-backup.txt"), "utf8"), `${time}\n`)
    assert.deepEqual(readdirSync(directory.path), ["last-backup.txt"])
  }
})

test("a record that is no time is none, and one that cannot be written is no error", () => {
  using directory = temporaryDirectory()
  const file = join(directory.path, "last-backup.txt")
  for (const text of [
    "",
    "yesterday",
    "2026-01-01T00:00:00",
    "x2026-01-01T00:00:00Z",
    "2026-01-01T00:00:00Z, I think",
  ]) {
    writeFileSync(file, text)
    assert.equal(readLastBackup(directory.path), undefined, text)
  }
  const missing = join(directory.path, "missing")
  noteBackup(missing, "2026-01-01T00:00:00Z")
  assert.equal(existsSync(missing), false)
  mkdirSync(join(directory.path, "last-backup.txt.next"))
  noteBackup(directory.path, "2026-01-01T00:00:00Z")
  assert.equal(readLastBackup(directory.path), undefined)
})
