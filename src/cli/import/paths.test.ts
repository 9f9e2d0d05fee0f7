import assert from "node:assert/strict"
import fs, { readdirSync, statSync, utimesSync, writeFileSync } from "node:fs"
import { basename, join } from "node:path"
import { test } from "node:test"
import { applyToImports } from "../../../test/harness/builtins.ts"
import { temporaryDirectory } from "../../../test/harness/directory.ts"
import { UsageError } from "../command/command.ts"
import { choosePaths } from "./paths.ts"

const input = (flags: Record<string, string>) => ({
  arguments: {},
  flags: Object.fromEntries(Object.entries(flags).map(([name, value]) => [name, [value]])),
  rest: [],
})
const service = { url: "http://127.0.0.1:8080" }

test("files of an import are in the state directory, named after the file, the service and the store", () => {
  using directory = temporaryDirectory()
  const world = { stateDir: directory.path, service }
  const { report, state } = choosePaths("/data/pets.csv", input({}), world, "store1")
  const [, start = ""] = /^(.*\/imports\/pets\.csv-[0-9a-f]{12})\.refused\.ndjson$/.exec(report ?? "") ?? []
  assert.equal(start.startsWith(`${directory.path}/imports/`), true)
  assert.equal(state, `${start}.store1.state.ndjson`)
  assert.equal(choosePaths("/data/pets.csv", input({}), world, undefined).state, `${start}.state.ndjson`)
  assert.equal(statSync(join(directory.path, "imports")).mode & 0o777, 0o700)

  const nameOf = (file: string, url = service.url) =>
    basename(choosePaths(file, input({}), { ...world, service: { url } }, undefined).state ?? "")
  assert.notEqual(nameOf("/other/pets.csv"), nameOf("/data/pets.csv"))
  assert.notEqual(nameOf("/data/pets.csv", "http://other"), nameOf("/data/pets.csv"))
  assert.match(nameOf(`/data/${"x".repeat(61)}`), /^x{60}-[0-9a-f]{12}\.state\.ndjson$/)

  assert.deepEqual(choosePaths("-", input({}), world, "store1"), { report: undefined, state: undefined })
  const named = { report: join(directory.path, "report"), state: join(directory.path, "state") }
  for (const file of ["-", "/data/pets.csv"]) assert.deepEqual(choosePaths(file, input(named), world, "store1"), named)
})

test("the file, the report and the progress must be different files", () => {
  using directory = temporaryDirectory()
  const world = { stateDir: directory.path, service }
  for (const flags of [{ report: "pets.csv" }, { state: "./pets.csv" }, { report: "a", state: "b/../a" }] as Record<
    string,
    string
  >[])
    assert.throws(
      () => choosePaths("pets.csv", input(flags), world, undefined),
      new UsageError("FILE, --report and --state must differ"),
    )
  assert.deepEqual(readdirSync(directory.path), [])
})

test("the progress of the ten last stores of a file is kept, and no other file is removed", () => {
  using directory = temporaryDirectory()
  const world = { stateDir: directory.path, service }
  const { state = "" } = choosePaths("pets.csv", input({}), world, undefined)
  const start = state.replace("state.ndjson", "")
  for (let n = 0; n < 12; n++) {
    const path = `${start}s${n}.state.ndjson`
    writeFileSync(path, "")
    utimesSync(path, n, (n * 5) % 12)
  }
  const others = [`${start}refused.ndjson`, `${start.slice(0, -1)}x.s1.state.ndjson`]
  for (const path of others) {
    writeFileSync(path, "")
    utimesSync(path, 0, 0)
  }
  choosePaths("pets.csv", input({}), world, "s13")
  const kept = Array.from({ length: 12 }, (_, n) => n).filter((n) => (n * 5) % 12 >= 2)
  assert.deepEqual(
    readdirSync(join(directory.path, "imports")).sort(),
    [...kept.map((n) => `${start}s${n}.state.ndjson`), ...others].map((path) => basename(path)).sort(),
  )
})

test("progress that another import removes at the same time is no failure", (t) => {
  using directory = temporaryDirectory()
  const world = { stateDir: directory.path, service }
  const { state = "" } = choosePaths("pets.csv", input({}), world, undefined)
  const gone = Array.from({ length: 11 }, (_, n) => basename(state).replace("state.ndjson", `s${n}.state.ndjson`))
  t.mock.method(fs, "readdirSync", () => gone)
  applyToImports(t)
  assert.equal(choosePaths("pets.csv", input({}), world, undefined).state, state)
})
