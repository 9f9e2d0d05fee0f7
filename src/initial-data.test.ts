import assert from "node:assert/strict"
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { after, test } from "node:test"
import { temporaryDirectory } from "../test/harness/directory.ts"
import { sandboxFileBytesMax } from "./domain/sandbox/file/contract.ts"
import { readInitialData } from "./initial-data.ts"
import { CannotStart } from "./kernel/cannot-start.ts"

const directory = temporaryDirectory()
after(() => directory[Symbol.dispose]())
const file = join(directory.path, "pets")

function read(text: string) {
  writeFileSync(file, text)
  return readInitialData({ file })
}
const refused = (reading: Promise<unknown>, message: string) =>
  assert.rejects(reading, new CannotStart(`PETSTORE_SEED: ${file}${message}`))

test("a seed by its name is no file", async () => {
  assert.deepEqual(await readInitialData({ seed: "empty" }), { kind: "seed", seed: "empty" })
})

test("pets are read with their ids, of which 0 and none stand for new ones", async () => {
  const pets = [{ id: 7 }, { id: 0 }, { id: 0 }, {}, {}].map((id) => ({ ...id, name: "Rex", photoUrls: [] }))
  const lines = pets.map((pet) => `${JSON.stringify(pet)}\n`)
  assert.deepEqual(await read(lines.join("")), { kind: "pets", drafts: pets })
  await refused(read(`${lines.join("\n")}\n${lines[0]}`), ", line 11: The id 7 is that of line 1 too")
})

test("a file has at most 100,000 lines", async () => {
  const rex = '{"name":"Rex"}'
  const drafts = [{ name: "Rex", photoUrls: [] }]
  assert.deepEqual(await read(rex + "\n".repeat(100_000)), { kind: "pets", drafts })
  await refused(
    read(rex + "\n".repeat(100_001)),
    " cannot be read: A file may have 100000 lines, including blank ones. Split the file",
  )
})

test("a file that cannot be read says why", async () => {
  for (const [path, why] of [
    ["none", "there is no such file"],
    [".", "it is a directory"],
    ["pets/below", `ENOTDIR: not a directory, open '${join(file, "below")}'`],
  ] as const) {
    writeFileSync(file, "")
    const named = join(directory.path, path)
    await assert.rejects(
      readInitialData({ file: named }),
      new CannotStart(`PETSTORE_SEED: ${named} cannot be read: ${why}`),
    )
  }
  await refused(read(""), " contains no pets; PETSTORE_SEED=empty starts without pets")
  await refused(
    read('{"dogs":[{"name":"Rex"}],"cats":[{"name":"Mia"}]}'),
    ' cannot be read: The file has several arrays: dogs, cats. Rename the one with the pets to "pets"',
  )
})

test("a sandbox file is recognised by its start, is checked, and has a bound", async () => {
  const start = ' {"data": { "format":"petstore-sandbox"'
  await assert.rejects(read(`${start},"version":1}}`), / cannot be read: schema is required/)
  const data = {
    format: "petstore-sandbox",
    version: 2,
    schema: 1,
    clock: { time: 0, steady: 0, frozen: false, start: null, startsFrozen: false },
    sealingKey: `${"A".repeat(43)}=`,
    tables: {},
    images: {},
  }
  await refused(read(JSON.stringify({ data })), " cannot be read: version must be 1 or less")
  const padded = (bytes: number) => read(`${start}}}`.padEnd(bytes))
  await assert.rejects(padded(sandboxFileBytesMax), / cannot be read: .*is required/)
  await refused(
    padded(sandboxFileBytesMax + 1),
    ` cannot be read: a sandbox file has at most ${sandboxFileBytesMax} bytes`,
  )
  await refused(
    read(`{"pets":[],"data":{"format":"petstore-sandbox"}}`),
    " contains no pets; PETSTORE_SEED=empty starts without pets",
  )
})
