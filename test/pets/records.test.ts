import assert from "node:assert/strict"
import { test } from "node:test"
import { petstoreCommand } from "../harness/command-line.ts"
import { usePetstore } from "../harness/use.ts"

const petstore = usePetstore()
const store = petstore.as("special-key")

const now = () => new Date(petstore.clock.now()).toISOString()

test("an export has the times in every format, and an import of it adds the pets as new ones", async () => {
  const run = (...argv: string[]) => petstoreCommand(petstore.url, argv)
  const sold = (await run("export", "--status", "sold")).out.trimEnd().split("\n")
  assert.ok(sold.length > 0 && sold.every((line) => JSON.parse(line).createdAt <= JSON.parse(line).updatedAt))
  const csv = (await run("export", "--format", "csv")).out
  assert.match(csv, /^\ufeffid,name,category,status,tags,photoUrls,createdAt,updatedAt\r\n/)
  for (const format of ["ndjson", "json", "csv"]) {
    const { out } = await run("export", "--format", format)
    petstore.clock.advance(60_000)
    const { code, err } = await petstoreCommand(petstore.url, ["import", "-", "--new-ids"], { stdin: out })
    assert.equal(code, 0, err)
    const [newest] = (await store.listPetRecords({ query: { limit: 1 } })).value
    assert.equal(newest?.createdAt, now())
  }
})
