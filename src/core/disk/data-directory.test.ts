import assert from "node:assert/strict"
import { chmodSync, lstatSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { test } from "node:test"
import { temporaryDirectory } from "../../../test/harness/directory.ts"
import { tightenData } from "./data-directory.ts"

/** A data directory that others may read, with files of the service. */
function openData(parent: string, databaseName = "petstore.db") {
  const dataDir = join(parent, "data")
  const imageDirectory = join(dataDir, "images")
  mkdirSync(imageDirectory, { recursive: true })
  for (const path of [dataDir, imageDirectory]) chmodSync(path, 0o755)
  const add = (name: string) => {
    writeFileSync(join(dataDir, name), "")
    chmodSync(join(dataDir, name), 0o644)
  }
  const names = [
    databaseName,
    `${databaseName}-wal`,
    `${databaseName}.lock-journal`,
    "secret.key",
    "first-admin-key.txt",
  ]
  for (const name of names) add(name)
  const mode = (name: string) => (lstatSync(join(dataDir, name)).mode & 0o777).toString(8)
  return { dataDir, imageDirectory, databaseFile: join(dataDir, databaseName), names, add, mode }
}

test("the service's files lose the permissions of others, and so does a directory that holds nothing else", () => {
  using directory = temporaryDirectory()
  const { names, add, mode, ...data } = openData(directory.path)
  for (const name of ["admin.sock", "petstore-sandboxes", "secret.key.next", "last-backup.txt", "last-backup.txt.next"])
    add(name)
  mkdirSync(join(data.dataDir, "lost+found"))
  assert.deepEqual(tightenData(data), [])
  assert.deepEqual([...names, "images", "."].map(mode), [...names.map(() => "600"), "700", "700"])
})

test("a directory with other files keeps its permissions, and is named if others may read it", () => {
  using directory = temporaryDirectory()
  const { names, add, mode, ...data } = openData(directory.path)
  add("notes.txt")
  assert.deepEqual(tightenData(data), [data.dataDir])
  assert.deepEqual([...names, "images", ".", "notes.txt"].map(mode), [...names.map(() => "600"), "700", "755", "644"])
  for (const [mode, open] of [
    [0o700, []],
    [0o701, [data.dataDir]],
    [0o740, [data.dataDir]],
  ] as const) {
    chmodSync(data.dataDir, mode)
    assert.deepEqual(tightenData(data), open)
  }
})

test("files beside a linked database are its own, and those of a database elsewhere are other files", () => {
  using directory = temporaryDirectory()
  const { mode, ...data } = openData(directory.path, "real.db")
  const link = join(directory.path, "link.db")
  symlinkSync(data.databaseFile, link)
  assert.deepEqual(tightenData({ ...data, databaseFile: link }), [])
  assert.deepEqual(["real.db", "real.db-wal", "."].map(mode), ["600", "600", "700"])

  using other = temporaryDirectory()
  const { mode: modeOfOther, ...unused } = openData(other.path)
  assert.deepEqual(tightenData({ ...unused, databaseFile: undefined }), [unused.dataDir])
  assert.deepEqual(["petstore.db", "secret.key", "."].map(modeOfOther), ["644", "600", "755"])
})

test("what does not exist yet is private, and what cannot be made private is named", () => {
  using directory = temporaryDirectory()
  const missing = join(directory.path, "missing")
  const absent = {
    dataDir: missing,
    databaseFile: join(missing, "petstore.db"),
    imageDirectory: join(missing, "images"),
  }
  assert.deepEqual(tightenData(absent), [])
  const { dataDir, databaseFile } = openData(directory.path)
  const below = join(databaseFile, "images")
  assert.deepEqual(tightenData({ dataDir, databaseFile, imageDirectory: below }), [below])
})
