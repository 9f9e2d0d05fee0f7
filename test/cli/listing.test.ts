import assert from "node:assert/strict"
import { test } from "node:test"
import { columnsOf } from "../../src/cli/output/listing.ts"
import { commands } from "../../src/commands.ts"
import { api } from "../../src/core/domain/api.ts"
import type { Endpoint } from "../../src/core/kernel/endpoint/endpoint.ts"
import { petstoreCommand } from "../harness/command-line.ts"
import { usePetstore } from "../harness/use.ts"

const petstore = usePetstore()
const run = (...argv: string[]) => petstoreCommand(petstore.url, argv)

test("only lists have --columns and --csv", () => {
  for (const endpoint of Object.values<Endpoint>(api)) {
    const isList = (endpoint.response as { type?: string }).type === "array"
    const flags = commands.find(({ name }) => name === endpoint.command)?.flags.map(({ name }) => name) ?? []
    const has = ["columns", "csv"].map((flag) => flags.includes(flag))
    assert.deepEqual(has, [isList, isList], endpoint.command)
    if (isList) assert.ok(columnsOf(endpoint).length > 1, endpoint.command)
  }
})

test("the requested columns are printed in their order, by default all columns of the contract", async () => {
  const { out } = await run("pets", "list", "--columns", "status,id", "--sort", "id", "--limit", "1")
  assert.equal(out, "status     id\navailable  1\n")
  assert.match((await run("pets", "list", "--limit", "1")).out, /^id +name +category +status +photoUrls +tags\n/)
  const repeated = await run(
    "pets",
    "list",
    "--columns",
    "id",
    "--columns",
    "name",
    "--sort",
    "id",
    "--limit",
    "4",
    "--all",
    "--csv",
  )
  assert.match(repeated.out, /^id,name\r\n1,/)
  assert.equal(repeated.out.split("\r\n").length, 12)
})

test("CSV escapes commas, quotes and formulas, and only the first page has column names", async () => {
  const body = JSON.stringify({ name: '=1+"2",3', photoUrls: [], tags: [{ name: "a" }, { name: "b" }] })
  await run("pets", "create", "--body", body, "--status", "pending")
  const flags = ["--name", "=1", "--csv", "--columns", "name,tags", "--columns", "category"]
  assert.equal((await run("pets", "list", ...flags)).out, `name,tags,category\r\n"'=1+""2"",3",a|b,\r\n`)
  const none = await run("pets", "list", "--name", "no such pet", "--csv", "--columns", "id")
  assert.deepEqual({ out: none.out, err: none.err }, { out: "id\r\n", err: "No results.\n" })
  const nowhere = await run("pets", "list", "--name", "no such pet", "--csv", "--columns", "id", "--all")
  assert.equal(nowhere.out, "id\r\n")
})

test("an unknown column, and JSON with columns, are refused", async () => {
  const wrong = await run("pets", "list", "--columns", "id,age")
  assert.equal(wrong.code, 2, wrong.err)
  assert.match(wrong.err, /unknown column "age"; columns are id, name, category/)
  assert.match((await run("pets", "list", "--json", "--csv")).err, /--json cannot be combined/)
})
