import assert from "node:assert/strict"
import { test } from "node:test"
import { recordTerminal } from "../../../test/harness/terminal.ts"
import type { Endpoint } from "../../core/kernel/endpoint/endpoint.ts"
import { Type } from "../../core/kernel/schema/type.ts"
import { UsageError } from "../command/command.ts"
import { columnsOf, createRows, listingFlags, readListing } from "./listing.ts"

const columns = ["id", "name", "tags"]
const input = (flags: Record<string, (string | boolean)[]>) => ({ arguments: {}, flags, rest: [] })
const read = (flags: Record<string, (string | boolean)[]>, json = false) => readListing(input(flags), columns, { json })

test("a list has all columns of its items, or those that are named in their order", () => {
  assert.deepEqual(read({}), { columns, isChosen: false, isCsv: false })
  assert.deepEqual(read({}, true), { columns, isChosen: false, isCsv: false })
  assert.deepEqual(read({ columns: ["tags,id", "name"], csv: [true] }), {
    columns: ["tags", "id", "name"],
    isChosen: true,
    isCsv: true,
  })
  assert.throws(() => read({ columns: ["id,age"] }), new UsageError('unknown column "age"; columns are id, name, tags'))
  assert.throws(() => read({ columns: [""] }), new UsageError('unknown column ""; columns are id, name, tags'))
  for (const flags of [{ columns: ["id"] }, { csv: [true] }])
    assert.throws(() => read(flags, true), new UsageError("--json cannot be combined with --columns or --csv"))
  assert.deepEqual(listingFlags(columns), [
    { name: "columns", value: "NAME,…", choices: columns, many: true, meaning: "Only these columns: id, name, tags" },
    { name: "csv", meaning: "Print CSV (RFC 4180) with column names in the first line" },
  ])
})

test("only a list of objects has columns", () => {
  const endpoint: Endpoint = {
    method: "GET",
    path: "/things",
    summary: "",
    tag: "",
    command: "things list",
    scope: "open",
    response: Type.Array(Type.Object({ id: Type.Integer(), name: Type.String() })),
    status: 200,
    problems: [],
  }
  assert.deepEqual(columnsOf(endpoint), ["id", "name"])
  const sorted = Type.Object({
    url: Type.String(),
    tags: Type.Array(Type.String()),
    at: Type.String(),
    name: Type.String(),
  })
  assert.deepEqual(columnsOf({ ...endpoint, response: Type.Array(sorted) }), ["name", "at", "tags", "url"])
  const { name: _, ...nameless } = sorted.properties
  assert.deepEqual(columnsOf({ ...endpoint, response: Type.Array(Type.Object(nameless)) }), ["url", "at", "tags"])
  assert.deepEqual(columnsOf({ ...endpoint, response: Type.Array(Type.String()) }), [])
  assert.deepEqual(columnsOf({ ...endpoint, response: Type.Object({ id: Type.Integer() }) }), [])
})

test("CSV has lists in the format of the import, and its head once", () => {
  const { terminal } = recordTerminal()
  const rows = createRows({ columns: ["name", "tags"], isChosen: true, isCsv: true }, { terminal })
  const tags = (...names: string[]) => names.map((name) => ({ id: 1, name }))
  assert.equal(rows([{ name: "=1", tags: tags("a", "b") }]), "name,tags\r\n'=1,a|b\r\n")
  assert.equal(rows([{ name: "x", tags: tags("a;b") }, {}]), 'x,"a;b\n"\r\n,\r\n')
  assert.equal(createRows({ columns: ["id"], isChosen: false, isCsv: false }, { terminal })([{ id: 1 }]), "id\n1\n")
})

test("on a narrow terminal the last columns are left out, unless they were chosen", () => {
  const terminal = { ...recordTerminal().terminal, width: 30 }
  const items = [{ id: 1, name: "x".repeat(20), url: "y".repeat(20) }]
  const rows = (isChosen: boolean) =>
    createRows({ columns: ["id", "name", "url"], isChosen, isCsv: false }, { terminal })(items)
  assert.equal(rows(false), `id  name\n1   ${"x".repeat(20)}\n`)
  assert.match(rows(true), /^id {2}name +url\n1 {3}x+… {2}y+…?\n$/)
})
