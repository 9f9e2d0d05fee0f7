import assert from "node:assert/strict"
import { test } from "node:test"
import { recordTerminal } from "../../../test/harness/terminal.ts"
import { show, showPages } from "./show.ts"

const table = { columns: ["id", "name"], isChosen: true, isCsv: false }
const csv = { columns: ["id", "name"], isChosen: true, isCsv: true }
const rex = { id: 1, name: "Rex" }
const ada = { id: 2, name: "Ada" }

async function shown(value: unknown, { status = 200, headers = {}, json = false, listing = table } = {}) {
  const { terminal, written } = recordTerminal()
  const text = value === undefined ? "" : JSON.stringify(value)
  await show({ value, text, status, headers: new Headers(headers) }, { terminal, json }, listing)
  return written
}

async function shownPages(pages: [unknown[]] | unknown[][], json: boolean, listing = table) {
  const { terminal, written } = recordTerminal()
  const all = (async function* () {
    yield* pages
  })()
  await showPages(all, { terminal, json }, listing)
  return written
}

test("a record is printed with its ETag, a list as rows, another value as it is, and the exact JSON with --json", async () => {
  assert.deepEqual(await shown(rex), { out: "id    1\nname  Rex\n", err: "" })
  assert.deepEqual(await shown(rex, { headers: { etag: '"a"' } }), {
    out: 'id    1\nname  Rex\nETag  "a"\n',
    err: "",
  })
  assert.deepEqual(await shown([rex, ada]), { out: "id  name\n1   Rex\n2   Ada\n", err: "" })
  assert.deepEqual(await shown([rex], { listing: csv }), { out: "id,name\r\n1,Rex\r\n", err: "" })
  assert.deepEqual(await shown([]), { out: "", err: "No results.\n" })
  assert.deepEqual(await shown("a token"), { out: "a token\n", err: "" })
  assert.deepEqual(await shown(null), { out: "null\n", err: "" })
  assert.deepEqual(await shown(rex, { json: true, headers: { etag: '"a"' } }), {
    out: '{"id":1,"name":"Rex"}\n',
    err: "",
  })
  for (const json of [false, true])
    assert.deepEqual(await shown(undefined, { status: 304, json }), { out: "", err: "Not modified since that ETag.\n" })
})

test("after a page, the number on all pages and the next page are printed where the service reports them", async () => {
  const listed = async (headers: Record<string, string>) => (await shown([rex], { headers })).err
  assert.equal(await listed({ "total-count": "7" }), "At least 7 on all pages.\n")
  assert.equal(
    await listed({ "total-count": "7", "preference-applied": "respond-async, count=exact" }),
    "7 on all pages.\n",
  )
  assert.equal(
    await listed({ "total-count": "7", "preference-applied": "respond-async" }),
    "At least 7 on all pages.\n",
  )
  assert.equal(
    await listed({ link: '</api/v3/pet?cursor=abc>; rel="next"' }),
    "There are more: use --all, or --cursor abc\n",
  )
  const { out, err } = await shown([rex], { json: true, headers: { "total-count": "0" } })
  assert.deepEqual({ out, err }, { out: '[{"id":1,"name":"Rex"}]\n', err: "At least 0 on all pages.\n" })
})

test("pages are one table or CSV with one head, or JSON with a value on each line", async () => {
  assert.deepEqual(await shownPages([[rex], [], [ada]], false), { out: "id  name\n1   Rex\n2   Ada\n", err: "" })
  assert.deepEqual(await shownPages([[], [rex], [ada]], false, csv), { out: "id,name\r\n1,Rex\r\n2,Ada\r\n", err: "" })
  assert.deepEqual(await shownPages([[rex], [ada]], true), {
    out: '{"id":1,"name":"Rex"}\n{"id":2,"name":"Ada"}\n',
    err: "",
  })
  assert.deepEqual(await shownPages([[]], true), { out: "", err: "" })
  assert.deepEqual(await shownPages([[]], false), { out: "", err: "No results.\n" })
  assert.deepEqual(await shownPages([[]], false, csv), { out: "id,name\r\n", err: "No results.\n" })
})
