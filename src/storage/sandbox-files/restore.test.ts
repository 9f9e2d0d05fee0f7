import assert from "node:assert/strict"
import { readdirSync, readFileSync, statSync } from "node:fs"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { after, before, test } from "node:test"
import { temporaryDirectory } from "../../../test/harness/directory.ts"
import { makeInstallation } from "../../../test/harness/small-backup.ts"
import type { SandboxData } from "../../domain/sandbox/file/contract.ts"
import { Problem } from "../../kernel/problem.ts"
import { migrations } from "../sql/migrations.ts"
import { readTables } from "../sqlite/tables.ts"
import { readSandbox, restoreSandbox } from "./restore.ts"
import { writeSandbox } from "./write.ts"

const directory = temporaryDirectory()
after(() => directory[Symbol.dispose]())
const locationsIn = (name: string) => ({
  databaseFile: join(directory.path, name, "petstore.db"),
  imageDirectory: join(directory.path, name, "images"),
})
const clock = { time: 1, steady: 2, frozen: false, start: null, startsFrozen: false }
const settings = { clock, sealingKey: `${"A".repeat(43)}=` }
let data: SandboxData

before(async () => {
  await makeInstallation(join(directory.path, "from"), 2)
  {
    using db = new DatabaseSync(locationsIn("from").databaseFile)
    db.exec("INSERT INTO origin (profile, store_id) VALUES ('sandbox', 's')")
  }
  data = JSON.parse(writeSandbox(locationsIn("from"), settings) ?? "").data
})

/** The path and the text of the refusal of changed data; undefined when they are accepted. */
function refusal(change: (data: SandboxData) => unknown): string | undefined {
  const changed = structuredClone(data)
  change(changed)
  try {
    readSandbox(changed)
    return undefined
  } catch (error) {
    assert.ok(error instanceof Problem && error.code === "invalid-body")
    const [violation] = error.violations
    assert.ok(violation && "pointer" in violation)
    return `${violation.pointer.replace("/data/", "")} ${violation.detail}`
  }
}

test("a file has each row on a line, and makes the same sandbox again", () => {
  const text = writeSandbox(locationsIn("from"), settings) ?? ""
  const { tables, images, ...head } = data
  assert.deepEqual(head, { format: "petstore-sandbox", version: 1, schema: migrations.length, ...settings })
  const rows = Object.values(tables).reduce((sum, { length }) => sum + length, 0)
  // Of each table one line more, two for images, and the frame.
  assert.equal(text.split("\n").length, rows + 2 * Object.keys(tables).length + 2 + 6)
  assert.equal(Object.keys(images).length, 2)

  const to = locationsIn("to")
  restoreSandbox({ ...to, databaseFile: join(directory.path, "to.db") }, data)
  assert.deepEqual(readTables(join(directory.path, "to.db")), readTables(locationsIn("from").databaseFile))
  const files = (path: string) => readdirSync(join(path, "kept"), { recursive: true, encoding: "utf8" }).sort()
  assert.deepEqual(files(to.imageDirectory), files(locationsIn("from").imageDirectory))
  for (const file of files(to.imageDirectory).filter((name) => name.includes("/"))) {
    const path = join(to.imageDirectory, "kept", file)
    assert.deepEqual(readFileSync(path), readFileSync(join(locationsIn("from").imageDirectory, "kept", file)))
    assert.equal((statSync(path).mode & 0o777).toString(8), "600")
  }
})

const rows = (of: SandboxData, name: string) => of.tables[name] as (string | number | null)[][]

test("tables that are not exactly those of this version are refused", () => {
  assert.equal(
    refusal(() => undefined),
    undefined,
  )
  const newest = migrations.length
  for (const schema of [newest - 1, newest + 1])
    assert.equal(
      refusal((of) => (of.schema = schema)),
      `schema is ${schema}, and this service has ${newest}: use the version that made the file`,
    )
  assert.equal(
    refusal((of) => Object.assign(of.tables, { ["x".repeat(100)]: [] })),
    `tables/${"x".repeat(64)} is no table`,
  )
  assert.equal(
    refusal((of) => delete of.tables.tags),
    "tables/tags is missing",
  )
  const names = "tables/tags/0 must be the names of the columns: id, name"
  assert.equal(
    refusal((of) => (of.tables.tags = [])),
    names,
  )
  assert.equal(
    refusal((of) => rows(of, "tags")[0]?.reverse()),
    names,
  )
})

test("a row with too few or too many values, or none that its table can have, is refused by its number", () => {
  for (const row of [[1], [1, "a", 2]])
    assert.equal(
      refusal((of) => rows(of, "tags").push([1, "one"], row)),
      "tables/tags/2 must have 2 values",
    )
  assert.equal(
    refusal((of) => rows(of, "tags").push([-1, "one"])),
    "tables/tags/1 has no possible number in id",
  )
  const twice = structuredClone(data)
  rows(twice, "tags").push([1, "one"], [1, "two"])
  const target = { databaseFile: join(directory.path, "twice.db"), imageDirectory: join(directory.path, "twice") }
  assert.throws(() => restoreSandbox(target, twice), {
    code: "invalid-body",
    violations: [
      {
        pointer: "/data/tables/tags/2",
        code: "wrong-form",
        detail: "cannot be stored: UNIQUE constraint failed: tags.id",
      },
    ],
  })
})

test("images are complete, known, and as the database says", () => {
  const [key = "", other = ""] = Object.keys(data.images)
  assert.equal(
    refusal((of) => (of.images.unknown = {})),
    "images/unknown belongs to no row of images",
  )
  assert.equal(
    refusal((of) => delete of.images[other]),
    `images/${other} is missing`,
  )
  for (const part of ["original", "320", "1280"])
    for (const bytes of [undefined, "", Buffer.from("longer than before").toString("base64")])
      assert.equal(
        refusal((of) => Object.assign(of.images[key] as object, { [part]: bytes })),
        `images/${key} is damaged: ${part} has other bytes than the table says`,
      )
  const spoil = (text: string) => Buffer.from(text.toUpperCase()).toString("base64")
  assert.equal(
    refusal((of) => Object.assign(of.images[key] as object, { original: spoil("original 0") })),
    `images/${key} is damaged: original has other bytes than the table says`,
    "of the same length",
  )
  const evil = "../../evil"
  assert.equal(
    refusal((of) => {
      const [names = [], row = []] = rows(of, "images")
      const blob = names.indexOf("blob")
      of.images[evil] = of.images[String(row[blob])] as Record<string, string>
      delete of.images[String(row[blob])]
      row[blob] = evil
    }),
    `images/${evil} is missing`,
  )
})

test("a sandbox that would be too large for a file has none", () => {
  const file = join(directory.path, "large.db")
  restoreSandbox({ databaseFile: file, imageDirectory: join(directory.path, "large") }, data)
  const large = { databaseFile: file, imageDirectory: locationsIn("from").imageDirectory }
  const set = (text: string) => {
    using db = new DatabaseSync(file)
    db.exec(text)
  }
  const sizeOf = () => writeSandbox(large, settings)?.length
  const max = 16 * 1024 * 1024
  set(`INSERT INTO tags (id, name) VALUES (1, '${"x".repeat(100)}')`)
  const withTag = (sizeOf() ?? 0) - 100
  set(`UPDATE tags SET name = printf('%.*c', ${max - withTag}, 'x')`)
  assert.equal(sizeOf(), max)
  set("UPDATE tags SET name = name || 'x'")
  assert.equal(sizeOf(), undefined)
  const small = 30
  set(
    `DELETE FROM tags; UPDATE images SET bytes = ${small}; UPDATE images SET bytes = ${(max * 3) / 4 - small} WHERE rowid = 1`,
  )
  assert.ok((sizeOf() ?? 0) > 0)
  set(`UPDATE images SET bytes = ${small + 3} WHERE rowid = 2`)
  assert.equal(sizeOf(), undefined, "by its images alone")
})
