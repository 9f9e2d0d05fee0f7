import assert from "node:assert/strict"
import { test } from "node:test"
import { Problem } from "../../../kernel/problem.ts"
import { html } from "../html.ts"
import { type ListQuery, listPage, showList, tablePage } from "./list-page.ts"
import type { Visit } from "./page.ts"

type Listed = Parameters<typeof listPage<number>>[0]

function visitOf(search: string): Visit {
  const given: Partial<Visit> = { root: "/console", path: "/things", query: new URLSearchParams(search), token: "T" }
  return { ...given, service: { publicUrl: () => "https://pets.example" } } as Visit
}
const lines = (text: string) => text.split("\n").filter((line) => line !== "")

const base: Listed = {
  path: "/things",
  title: "Things",
  scope: "any",
  find: async () => ({ value: [1, 2], next: undefined }),
  show: (_, rows) => html`<p>${rows.join()}</p>`,
}
const shown = async (changed: Partial<Listed> = {}, search = "") =>
  lines((await listPage<number>({ ...base, ...changed }).show(visitOf(search))).text)

const control = { kind: "text", name: "a", label: "A", maxLength: 9 } as const
const refuse = (parameter: string) => () =>
  Promise.reject(
    new Problem("invalid-parameter", "It is wrong", { violations: [{ parameter, code: "x", detail: "is wrong" }] }),
  )

test("a list has a heading, an introduction, a search, its rows and its request, as far as it has them", async () => {
  assert.deepEqual(await shown(), ["<h1>Things</h1>", "<p>1,2</p>"])
  const request = { method: "GET", target: "/things" }
  const whole = await shown(
    {
      heading: () => ({ title: "All things" }),
      intro: () => html`<p>Here.</p>`,
      controls: [control],
      button: "Find",
      find: async () => ({ value: [3], next: "c2", request }),
    },
    "limit=50",
  )
  assert.deepEqual(whole.slice(0, 7), [
    "<h1>All things</h1>",
    "<p>Here.</p>",
    '<form class="search" role="search" method="get" action="/console/things">',
    '<input type="hidden" name="limit" value="50">',
    '<div><label for="a">A</label>',
    '<input id="a" name="a" value="" maxlength="9" autocomplete="off">',
    "</div>",
  ])
  assert.ok(whole.includes('<button class="quiet small">Find</button>'))
  assert.ok(whole.includes('<p>3</p><nav class="pager" aria-label="Pages">'))
  assert.ok(whole.some((line) => line.startsWith('<p class="copyable"><code>GET /api/v3/things</code>')))
})

test("a list is asked for the parameters of its controls that have a value, the cursor and a number of rows", async () => {
  const asked: ListQuery[] = []
  const find: Listed["find"] = async (_, query) => {
    asked.push(query)
    return { value: [], next: undefined }
  }
  await shown({ find, controls: [control, { ...control, name: "b" }] }, "a=1&b=&c=3&cursor=x&limit=100")
  await shown({ find })
  assert.deepEqual(asked, [{ a: "1", cursor: "x", limit: 100 }, { limit: 25 }])
})

test("a search that is refused keeps its form; a refusal of another parameter is shown instead of the list", async () => {
  const beside = await shown({ controls: [control], find: refuse("a") }, "a=1")
  assert.ok(beside.includes('<p class="error" id="a-error" role="alert">This is wrong.</p></div>'))
  assert.equal(beside.at(-1), '<p class="empty">Correct the search to see the list.</p>')
  assert.equal(
    (await shown({ controls: [control], find: refuse("cursor") })).at(-1),
    '<p class="alarm" role="alert">It is wrong</p>',
  )
  await assert.rejects(shown({ find: () => Promise.reject(new Problem("forbidden", "No")) }), { code: "forbidden" })
})

test("a list on a page with other content shows no request, and its refusal in its place", async () => {
  const request = { method: "GET", target: "/things" }
  const inside = async (find: Listed["find"]) => (await showList(visitOf(""), { find, show: base.show })).text
  assert.equal(await inside(async () => ({ value: [3], next: undefined, request })), "<p>3</p>")
  assert.equal(await inside(refuse("cursor")), '<p class="alarm" role="alert">It is wrong</p>')
})

test("the rows of a table can be ticked, if there are any and the user may change them", async () => {
  const table = async (rows: number[], hasBulk = true) => {
    const controls = html`<button>Do</button>`
    const page = tablePage<number>({
      ...base,
      find: async () => ({ value: rows, next: undefined }),
      columns: () => [{ title: "Id", kind: "id", cell: (id) => id }],
      empty: () => "None.",
      bulk: () => (hasBulk ? { itemOf: (id) => ({ id }), nameOf: (id) => `Thing ${id}`, controls } : undefined),
    })
    const { text } = await page.show(visitOf(""))
    return [
      text.includes('<form method="post"'),
      text.includes('class="kind-tick"'),
      text.includes("None."),
      text.includes('<table role="table">'),
    ]
  }
  assert.deepEqual(await table([1]), [true, true, false, true])
  assert.deepEqual(await table([1], false), [false, false, false, true])
  assert.deepEqual(await table([]), [false, false, true, false])
})
