import assert from "node:assert/strict"
import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { after, test } from "node:test"
import { petstoreCommand } from "../harness/command-line.ts"
import { temporaryDirectory } from "../harness/directory.ts"
import { startPetstore } from "../harness/petstore.ts"
import { usePetstore } from "../harness/use.ts"

const petstore = usePetstore()
const directory = temporaryDirectory()
after(() => directory[Symbol.dispose]())
const at = (name: string) => join(directory.path, name)
const run = (...argv: string[]) => petstoreCommand(petstore.url, argv, { clock: petstore.clock })

test("the column mapping of a CSV file is printed before the import, and a dry run prints its first pets", async () => {
  writeFileSync(at("pets.csv"), "Pet name;Category;Breed;Tags\r\nRexa;Dogs;Terrier;small|brown\r\n;Dogs;;\r\n")
  const dry = await run("import", at("pets.csv"), "--dry-run")
  assert.match(
    dry.err,
    /^column Pet name → name\ncolumn Category → category\ncolumn Breed → nothing\ncolumn Tags → tags\n/,
  )
  assert.match(
    dry.out,
    /^id +name +category +status +tags +photoUrls\n +Rexa +Dogs +small, brown\n2 lines: 1 valid, 1 refused/,
  )
  assert.equal(
    (await run("import", at("pets.csv"), "--dry-run", "--json")).err,
    "line 3: name is required (invalid-body)\n",
  )
  const { code, err } = await run("import", at("pets.csv"))
  assert.equal(code, 1, err)
  assert.match(err, /line 3: /)
  const { value } = await petstore.as("special-key").listPets({ query: { name: "Rexa" } })
  assert.deepEqual(
    value.map(({ tags }) => tags.map(({ name }) => name)),
    [["small", "brown"]],
  )
  assert.match((await run("import", at("pets.csv"))).out, /0 imported, 1 already imported, 1 refused/)
})

test("the elements of a JSON array are imported like lines", async () => {
  const pets = ["Arra", "Arrb"].map((name) => ({ name, photoUrls: [] }))
  writeFileSync(at("pets.json"), JSON.stringify([...pets, { name: " ", photoUrls: [] }], null, 2))
  const { code, out, err } = await run("import", at("pets.json"))
  assert.match(out, /^3 lines: 2 imported, 1 refused/)
  assert.equal(code, 1, err)
  assert.match(err, /^line 10: name must not be blank/m)
})

test("the separator of tags is printed with the mapping when it is not a bar", async () => {
  writeFileSync(at("tagged.csv"), "name,tags\nRexc,big; calm\n")
  const { err, out } = await run("import", at("tagged.csv"), "--dry-run")
  assert.match(err, /^column name → name\ncolumn tags → tags, separated by ";"\n/)
  assert.match(out, /Rexc +big, calm\n/)
})

test("a file of another format is refused before any request", async () => {
  writeFileSync(at("prose.txt"), "Once upon a time\n")
  const { code, err } = await run("import", at("prose.txt"))
  assert.equal(code, 2, err)
  assert.match(err, /must be NDJSON, a JSON array, or CSV/)
})

test("an export in each format can be imported into another store as the same pets (slow)", async () => {
  writeFileSync(
    at("own.ndjson"),
    `${JSON.stringify({ name: 'Arrc, "Rex"', photoUrls: [], tags: [{ name: "small" }] })}\n`,
  )
  assert.match((await run("import", at("own.ndjson"))).out, /1 imported/)
  assert.equal((await run("export", "--format", "json")).out.startsWith('[\n{"id":1,'), true)
  assert.equal((await run("export", "--format", "xml")).code, 2)
  for (const name of ["out.ndjson", "out.csv", "out.json"]) {
    assert.equal((await run("export", "--out", at(name))).code, 0)
    await using other = await startPetstore()
    const { out } = await petstoreCommand(other.url, ["import", at(name), "--json"], { clock: other.clock })
    const { imported, refused } = JSON.parse(out)
    assert.ok(imported > 0)
    assert.equal(refused, 10, "the classic ten are there")
    await petstoreCommand(other.url, ["export", "--out", at(`again-${name}`)])
    const forget = (text: string) =>
      text.replaceAll(/"id":\d+,"name"/g, '"name"').replaceAll(/http:\/\/127\.0\.0\.1:\d+\/images/g, "/images")
    assert.equal(forget(readFileSync(at(`again-${name}`), "utf8")), forget(readFileSync(at(name), "utf8")), name)
  }
  assert.ok(JSON.parse(readFileSync(at("out.json"), "utf8")).length > 10)
})
