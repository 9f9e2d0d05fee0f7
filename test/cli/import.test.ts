import assert from "node:assert/strict"
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs"
import { basename, join } from "node:path"
import { after, test } from "node:test"
import { setImmediate } from "node:timers/promises"
import { petBytesMax } from "../../src/core/domain/pets/contract.ts"
import { petstoreCommand } from "../harness/command-line.ts"
import { serverUrl } from "../harness/database.ts"
import { temporaryDirectory } from "../harness/directory.ts"
import { freePort } from "../harness/free-port.ts"
import { startPetstore } from "../harness/petstore.ts"
import { usePetstore } from "../harness/use.ts"

const minuteMs = 60_000
const petstore = usePetstore()
const directory = temporaryDirectory()

after(() => directory[Symbol.dispose]())

const pet = (name: string, more: object = {}) =>
  JSON.stringify({ name, photoUrls: [], tags: [{ name: "imported" }], ...more })

/** A file of an import in the state directory. */
function keptOf(file: string, kind: "state" | "refused"): string {
  const names = readdirSync(join(directory.path, "imports"))
  const found = names.find((name) => name.startsWith(`${basename(file)}-`) && name.endsWith(`.${kind}.ndjson`))
  return join(directory.path, "imports", found ?? "none")
}

function writeLines(name: string, ...lines: (string | Uint8Array)[]): string {
  const file = join(directory.path, name)
  writeFileSync(file, Buffer.concat(lines.map((line) => (typeof line === "string" ? Buffer.from(`${line}\n`) : line))))
  return file
}
const runImport = async (...argv: string[]) => {
  const { code, out, err } = await petstoreCommand(petstore.url, ["import", ...argv, "--json"], {
    clock: petstore.clock,
    stateDir: directory.path,
  })
  const { seconds, ...counts } = out ? JSON.parse(out) : { seconds: 0 }
  return { code, err, counts: counts as Record<string, number> }
}
const readReport = (file: string): [number, string][] =>
  readFileSync(keptOf(file, "refused"), "utf8")
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line))
    .map(({ line, code }) => [line, code])
const listStored = async (prefix: string): Promise<string[]> => {
  const { out } = await petstoreCommand(petstore.url, ["export"])
  return out
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line).name)
    .filter((name) => name.startsWith(prefix))
}

test("every kind of invalid line is reported by its number, and the others are imported", async () => {
  const file = writeLines(
    "kinds.ndjson",
    `\ufeff${pet("kind 1")}`,
    "",
    `${pet("kind 3")}\r`,
    "  \t ",
    "[1]",
    '"text"',
    '{"name":',
    Buffer.from([0x7b, 0xff, 0xfe, 0x7d, 0x0a]),
    pet(" "),
    pet("kind 10", { status: "lost", id: -1 }),
    pet("taken", { id: 1 }),
    `{"padding":"${"x".repeat(petBytesMax)}"}`,
    pet("kind 13 🐕"),
    Buffer.from('{"name":"torn'),
  )
  const dry = await runImport(file, "--dry-run")
  assert.deepEqual(
    { code: dry.code, imported: dry.counts.imported, listStored: await listStored("kind") },
    { code: 1, imported: 4, listStored: [] },
  )

  const { code, counts } = await runImport(file)
  assert.deepEqual(counts, { lines: 14, blank: 2, imported: 3, before: 0, refused: 9, held: 0 })
  assert.equal(code, 1)
  assert.deepEqual(await listStored("kind"), ["kind 1", "kind 3", "kind 13 🐕"])
  assert.deepEqual(
    readReport(file).sort(([a], [b]) => a - b),
    [
      [5, "invalid-body"],
      [6, "invalid-body"],
      [7, "malformed-json"],
      [8, "malformed-json"],
      [9, "invalid-body"],
      [10, "invalid-body"],
      [11, "pet-exists"],
      [12, "body-too-large"],
      [14, "malformed-json"],
    ],
  )
})

test("equal lines are separate pets, and a repeated import adds none", async () => {
  const file = writeLines("equal.ndjson", pet("equal"), pet("equal"), pet("equal"))
  assert.equal((await runImport(file)).counts.imported, 3)
  const again = await runImport(file)
  assert.deepEqual(
    { code: again.code, before: again.counts.before, listStored: (await listStored("equal")).length },
    { code: 0, before: 3, listStored: 3 },
  )
  await runImport(file, "--again")
  assert.equal((await listStored("equal")).length, 6)
})

test("two imports of one file at the same time add each of its pets once", async () => {
  const file = writeLines("both.ndjson", ...Array.from({ length: 100 }, (_, n) => pet(`both ${n}`)))
  const turn = { pause: () => setImmediate(), clock: petstore.clock }
  const both = ["one", "two"].map((state) =>
    petstoreCommand(
      petstore.url,
      ["import", file, "--state", join(directory.path, state), "--report", join(directory.path, `${state} report`)],
      turn,
    ),
  )
  for (const { code, err } of await Promise.all(both)) assert.equal(code, 0, err)
  assert.equal((await listStored("both")).length, 100)
})

test("without its state a repeated import still adds no pets for a day", async () => {
  const file = writeLines("stateless.ndjson", pet("stateless 1"), pet("stateless 2"))
  await runImport(file)
  await runImport(file, "--state", join(directory.path, "another state"))
  assert.deepEqual(await listStored("stateless"), ["stateless 1", "stateless 2"])
})

test("only a corrected line is imported, even if the lines around it have moved", async () => {
  const file = writeLines("corrected.ndjson", pet("fine 1"), pet(" "), pet("fine 2"))
  assert.equal((await runImport(file)).counts.refused, 1)
  writeLines("corrected.ndjson", pet("fine 3"), pet("fine 2"), pet("fine 4"), pet("fine 1"))
  assert.deepEqual((await runImport(file)).counts, { lines: 4, blank: 0, imported: 2, before: 2, refused: 0, held: 0 })
  assert.deepEqual((await listStored("fine")).sort(), ["fine 1", "fine 2", "fine 3", "fine 4"])
  assert.equal(existsSync(keptOf(file, "refused")), false)
})

/** Removes the results from the state of an import, as when it was killed before the response; the last entry is torn. */
function loseResults(file: string): void {
  const [identity, batch] = readFileSync(keptOf(file, "state"), "utf8").split("\n")
  writeFileSync(keptOf(file, "state"), `${identity}\n${batch}\n{"batch":"torn`)
}

test("a batch whose response was lost is repeated as it was sent, also when its lines were changed", async () => {
  const file = writeLines("lost.ndjson", pet("lost 1"), pet("lost 2"), pet("lost taken", { id: 1 }))
  await runImport(file)
  loseResults(file)
  writeLines("lost.ndjson", pet("lost 3"), pet("lost 1"))
  const { counts } = await runImport(file)
  assert.deepEqual(counts, { lines: 4, blank: 0, imported: 3, before: 0, refused: 1, held: 0 })
  assert.deepEqual((await listStored("lost")).sort(), ["lost 1", "lost 2", "lost 3"])
  assert.equal((await runImport(file)).counts.before, 2)
})

test("after a day, lines of a batch whose response is unknown are held back until --resend", async () => {
  const lines = Array.from({ length: 12 }, (_, n) => pet(`late ${n + 1}`))
  const file = writeLines("late.ndjson", ...lines.slice(0, 8))
  await runImport(file)
  loseResults(file)
  writeLines("late.ndjson", ...lines)
  petstore.clock.advance(25 * 60 * minuteMs)
  const held = await runImport(file)
  assert.deepEqual(
    { code: held.code, counts: held.counts },
    { code: 1, counts: { lines: 12, blank: 0, imported: 4, before: 0, refused: 0, held: 8 } },
  )
  assert.equal((await runImport(file)).counts.held, 8)
  const resent = await runImport(file, "--resend")
  assert.deepEqual(
    { code: resent.code, counts: resent.counts },
    { code: 0, counts: { lines: 12, blank: 0, imported: 8, before: 4, refused: 0, held: 0 } },
  )
  assert.equal((await runImport(file)).counts.before, 12)
})

test("a refused line is sent again by each run, and imported once its id is free", async () => {
  const { value: blocking } = await petstore
    .as("special-key")
    .addPet({ body: { id: 9001, name: "blocks", photoUrls: [] } })
  const file = writeLines("freed.ndjson", pet("freed", { id: blocking.id }))
  for (const _ of [1, 2]) assert.equal((await runImport(file)).counts.refused, 1)
  await petstore.as("special-key").deletePet({ params: { petId: blocking.id } })
  assert.equal((await runImport(file)).counts.imported, 1)
})

test("an import of many pets is sent in batches, within the maximum size of a request (slow)", async () => {
  const photo = `https://a.example/${"x".repeat(1900)}`
  const lines = Array.from({ length: 520 }, (_, n) =>
    pet(`many ${n}`, { photoUrls: n < 30 ? Array(40).fill(photo) : [] }),
  )
  const file = writeLines("batches.ndjson", ...lines)
  const { counts, err } = await runImport(file)
  assert.equal(counts.imported, 520, err)
  const batches = readFileSync(keptOf(file, "state"), "utf8").match(/"pets":/g)?.length
  assert.ok(batches && batches >= 10 && batches <= 20, `${batches} batches`)
  assert.equal(new Set(await listStored("many ")).size, 520)
})

test("an import waits for the rate limit and loses no lines", async () => {
  const file = writeLines("limited.ndjson", ...Array.from({ length: 70 }, (_, n) => pet(`limited ${n}`)))
  let waited = 0
  const { code, err } = await petstoreCommand(petstore.url, ["--api-key", "free-key", "import", file], {
    clock: petstore.clock,
    pause: async (ms) => {
      waited += ms
      petstore.clock.advance(ms)
    },
  })
  assert.equal(code, 0, err)
  assert.ok(waited > 0)
  assert.match(err, /Waiting .*free allows 60 requests a minute/)
  assert.equal((await listStored("limited")).length, 70)
})

test("new ids are assigned to pets whose ids the service would refuse, once", async () => {
  const file = writeLines("foreign.csv", "id,name", "A100001,foreign 1", "-5,foreign 2", "1.0,foreign 3")
  assert.equal((await runImport(file, "--new-ids", "--dry-run")).counts.imported, 3)
  assert.equal((await runImport(file, "--new-ids")).counts.imported, 3)
  assert.equal((await runImport(file, "--new-ids")).counts.before, 3)
  assert.equal((await listStored("foreign ")).length, 3)
})

test("the state of another import and a report that overwrites the file are refused", async () => {
  const file = writeLines("mistaken.ndjson", pet("mistaken"))
  await runImport(file)
  const cases: [string[], RegExp][] = [
    [
      [file, "--new-ids"],
      /belongs to an import without --new-ids; continue it the same way, or start over with --again/,
    ],
    [[file, "--state", file], /must differ/],
    [[writeLines("other.ndjson", pet("x")), "--state", writeLines("no-state", "{}")], /is not the state of an import/],
  ]
  for (const [argv, expected] of cases) {
    const { code, err } = await runImport(...argv)
    assert.equal(code, 2)
    assert.match(err, expected)
  }
  const elsewhere = await petstoreCommand(petstore.url.replace("127.0.0.1", "localhost"), [
    "import",
    file,
    "--state",
    keptOf(file, "state"),
  ])
  assert.match(elsewhere.err, /belongs to an import into http/)
})

test("after a reset all pets are imported again, once (slow)", async () => {
  await using own = await startPetstore()
  const file = writeLines("reset.ndjson", pet("reset 1", { id: 501 }), pet("reset 2", { id: 502 }))
  const importOwn = async (...flags: string[]) => {
    const { out, err } = await petstoreCommand(own.url, ["import", file, "--json", ...flags], {
      stateDir: directory.path,
    })
    const { imported, before } = out ? JSON.parse(out) : { imported: err, before: 0 }
    return [imported, before]
  }
  const state = ["--state", join(directory.path, "reset state")]
  assert.deepEqual(
    [await importOwn(), await importOwn()],
    [
      [2, 0],
      [0, 2],
    ],
  )
  for (let n = 0; n < 12; n++) {
    assert.equal((await petstoreCommand(own.url, ["reset", "--seed", "empty"])).code, 0)
    assert.deepEqual(
      [await importOwn(), await importOwn()],
      [
        [2, 0],
        [0, 2],
      ],
    )
  }
  const states = readdirSync(join(directory.path, "imports")).filter((name) => /^reset.*state/.test(name))
  assert.equal(states.length, 10, "progress is kept for ten stores")

  await importOwn("--again", ...state)
  await petstoreCommand(own.url, ["reset", "--seed", "empty"])
  assert.match(
    String((await importOwn(...state))[0]),
    /was reset or replaced; import into the current one with another --state/,
  )
})

test("a new store at the same address gets the complete import", async () => {
  const port = String(await freePort())
  const file = writeLines("new-data.ndjson", pet("new data", { id: 503 }))
  for (let n = 0; n < 2; n++) {
    await using own = await startPetstore({ env: { PETSTORE_PORT: port } })
    const { out } = await petstoreCommand(own.url, ["import", file], { stateDir: directory.path })
    assert.match(out, /1 line: 1 imported, 0 refused/)
  }
})

test("a recreated named sandbox gets the complete import (slow)", {
  skip: serverUrl && "they need SQLite",
}, async () => {
  await using own = await startPetstore({ sandboxes: { max: 1 } })
  const file = writeLines("named.ndjson", pet("named", { id: 504 }))
  for (let n = 0; n < 2; n++) {
    const { out, err } = await petstoreCommand(`${own.url}/s/one`, ["import", file], { stateDir: directory.path })
    assert.match(out, /1 line: 1 imported, 0 refused/, err)
    own.clock.advance(minuteMs)
    await fetch(`${own.url}/s/other/api/v3/pet/1`, { headers: { api_key: "special-key" } })
    own.clock.advance(minuteMs)
  }
})

test("a key without write access stops the import at the first response", async () => {
  const file = writeLines("stopped.ndjson", ...Array.from({ length: 100 }, (_, n) => pet(`stopped ${n}`)))
  const { value: reader } = await petstore.as("special-key").createKey({ body: { name: "r", scopes: ["read:pets"] } })
  const { code, err } = await petstoreCommand(petstore.url, ["--api-key", reader.secret, "import", file])
  assert.equal(code, 1)
  assert.match(err, /run the same command again to continue\.\n.*\n.*forbidden \(403\)/)
  const unknown = await petstoreCommand(petstore.url, ["--api-key", "unknown-key", "import", file])
  assert.deepEqual({ code: unknown.code, out: unknown.out }, { code: 1, out: "" })
  assert.match(unknown.err, /unauthorized \(401\)/)
})

test("standard input is imported as it arrives", async () => {
  const { code, out } = await petstoreCommand(petstore.url, ["import", "-"], { stdin: `${pet("piped")}\n${pet(" ")}` })
  assert.deepEqual({ code, listStored: await listStored("piped") }, { code: 1, listStored: ["piped"] })
  assert.match(out, /2 lines: 1 imported, 1 refused/)
})

test("an export is in order of id and recreates the same pets and ids in another store (slow)", async () => {
  const file = writeLines(
    "ids.ndjson",
    ...[5000, 4000, 6000].map((id) => pet(`id ${id}`, { id, category: { name: "C" } })),
  )
  await runImport(file)
  const out = join(directory.path, "out.ndjson")
  assert.equal((await petstoreCommand(petstore.url, ["export", "--out", out])).code, 0)
  const pets = readFileSync(out, "utf8")
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line))
  assert.deepEqual(
    pets.map(({ id }) => id),
    pets.map(({ id }) => id).sort((a, b) => a - b),
  )

  await using other = await startPetstore()
  const { code } = await petstoreCommand(other.url, ["import", out])
  assert.equal(code, 1, "the ten classic pets are there already")
  for (const id of [4000, 5000, 6000]) {
    const { value } = await other.as("special-key").getPetById({ params: { petId: id } })
    const { category, tags, createdAt: _, updatedAt: __, ...rest } = pets.find((exported) => exported.id === id)
    assert.deepEqual(
      { ...value, category: value.category?.name, tags: value.tags.map(({ name }) => name) },
      { ...rest, category: category.name, tags: tags.map(({ name }: { name: string }) => name) },
    )
  }
  const fresh = await petstoreCommand(other.url, ["import", out, "--new-ids", "--state", `${out}.new`, "--json"])
  assert.equal(JSON.parse(fresh.out).refused, 0)
})

test("nothing is written next to the file, and a continued import explains how to start over", async () => {
  const place = join(directory.path, "read-only")
  mkdirSync(place)
  const file = writeLines("read-only/pets.ndjson", pet("shelved"), pet(" "))
  chmodSync(place, 0o500)
  const run = (...flags: string[]) =>
    petstoreCommand(petstore.url, ["import", file, ...flags], { clock: petstore.clock, stateDir: directory.path })
  const first = await run()
  assert.match(first.err, new RegExp(`Refused lines are listed in ${keptOf(file, "refused")}\n`))
  const second = await run()
  assert.match(second.err, new RegExp(`^1 pet was already imported according to ${keptOf(file, "state")}; use --again`))
  assert.doesNotMatch((await run("--again")).err, /already imported/)
  assert.deepEqual(readdirSync(place), ["pets.ndjson"])
  assert.equal((await listStored("shelved")).length, 2)
})
