import assert from "node:assert/strict"
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { after, test } from "node:test"
import { temporaryDirectory } from "../../../../test/harness/directory.ts"
import { CannotStart } from "../../../core/kernel/cannot-start.ts"
import { sandboxFilesIn } from "../files/temporary.ts"
import { readInitialData } from "./read-initial-data.ts"

const directory = temporaryDirectory()
after(() => directory[Symbol.dispose]())
const file = join(directory.path, "pets")

function read(text: string) {
  writeFileSync(file, text)
  return readInitialData({ file }, () => sandboxFilesIn(directory.path))
}
const refused = (reading: Promise<unknown>, message: string) =>
  assert.rejects(reading, new CannotStart(`PETSTORE_SEED: ${file}${message}`))

test("a file has at most 100,000 lines (slow)", async () => {
  const rex = '{"name":"Rex"}'
  const drafts = [{ name: "Rex", photoUrls: [] }]
  assert.deepEqual(await read(rex + "\n".repeat(100_000)), { kind: "pets", drafts })
  await refused(
    read(rex + "\n".repeat(100_001)),
    " cannot be read: A file may have 100000 lines, including blank ones. Split the file",
  )
})

test("a sandbox file is recognised by its start, and is checked (slow)", async () => {
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
  await assert.rejects(read(JSON.stringify({ data })), / cannot be read: data.schema is 1, and this service has/)
  const withoutRows = JSON.stringify({ data: { ...data, tables: [], images: [] } })
  await assert.rejects(read(withoutRows), /version must be 1 or less/)
  await refused(
    read(`{"pets":[],"data":{"format":"petstore-sandbox"}}`),
    " contains no pets; PETSTORE_SEED=empty starts without pets",
  )
})
