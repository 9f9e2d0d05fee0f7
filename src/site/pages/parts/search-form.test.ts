import assert from "node:assert/strict"
import { test } from "node:test"
import { type Control, isBeside, newestFirst, searchForm } from "./search-form.ts"

const page = (query: string) => ({ root: "/console", path: "/pets", query: new URLSearchParams(query) })
const linesOf = (...[context, controls, look]: Parameters<typeof searchForm>) =>
  searchForm(context, controls, look)
    .text.split("\n")
    .filter((line) => line !== "")

const name: Control = { kind: "text", name: "name", label: "Name", maxLength: 9 }

test("a search form has its controls with the values of the address, and the parameters that a search keeps", () => {
  const controls: Control[] = [
    name,
    { kind: "time", name: "since", label: "Since" },
    { kind: "choice", name: "status", label: "Status", choices: { sold: "Gone" } },
    newestFirst,
  ]
  assert.deepEqual(
    linesOf(page("name=%3Cb%3E&since=2026-01-02T03:04&status=sold&limit=50&x=1"), controls, { kept: ["limit", "y"] }),
    [
      '<form class="search" role="search" method="get" action="/console/pets">',
      '<input type="hidden" name="limit" value="50">',
      '<div><label for="name">Name</label>',
      '<input id="name" name="name" value="&lt;b&gt;" maxlength="9" autocomplete="off">',
      '</div><div><label for="since">Since</label>',
      '<input id="since" name="since" value="2026-01-02T03:04" type="datetime-local"></div><div><label for="status">Status</label>',
      '<select id="status" name="status"><option value="">Any</option><option value="sold" selected>Gone</option></select></div><div><label for="sort">Sort by</label>',
      '<select id="sort" name="sort"><option value="" selected>Default</option><option value="-id">Newest first</option><option value="id">Oldest first</option></select></div>',
      '<button class="quiet small">Search</button>',
      "</form>",
    ],
  )
})

test("a text control offers each suggestion once, in order, and none without any", () => {
  const suggesting: Control = { ...name, suggestions: ["b", "a", "b"] }
  assert.deepEqual(linesOf(page(""), [suggesting], { button: "Find" }).slice(1, -1), [
    '<div><label for="name">Name</label>',
    '<input id="name" name="name" value="" maxlength="9" autocomplete="off" list="suggestions-name">',
    '<datalist id="suggestions-name"><option value="a"><option value="b"></datalist></div>',
    '<button class="quiet small">Find</button>',
  ])
  assert.deepEqual(linesOf(page(""), [{ ...name, suggestions: [] }]), linesOf(page(""), [name]))
  assert.deepEqual(linesOf(page(""), [{ ...name, suggestions: ["a"] }]).slice(2, 4), [
    '<input id="name" name="name" value="" maxlength="9" autocomplete="off" list="suggestions-name">',
    '<datalist id="suggestions-name"><option value="a"></datalist></div>',
  ])
})

test("controls that exclude others, and refused ones, say so beside the field", () => {
  const excluding: Control = { ...name, excludes: ["tag", "category"] }
  const refused = {
    violations: [
      { parameter: "name", code: "x", detail: "is wrong" },
      { parameter: "name", code: "y", detail: "is long" },
    ],
  }
  assert.deepEqual(linesOf(page(""), [excluding]).slice(1), [
    '<div><label for="name">Name</label>',
    '<input id="name" name="name" value="" maxlength="9" autocomplete="off" data-excludes="tag category" aria-describedby="exclusive-hint">',
    "</div>",
    '<button class="quiet small">Search</button>',
    '<p class="hint" id="exclusive-hint">Use name, or tag and category.</p>',
    "</form>",
  ])
  assert.deepEqual(linesOf(page(""), [name], refused).slice(2, 4), [
    '<input id="name" name="name" value="" maxlength="9" autocomplete="off" aria-invalid="true" aria-describedby="name-error">',
    '<p class="error" id="name-error" role="alert">This is wrong.</p></div>',
  ])
  assert.match(linesOf(page(""), [excluding], refused)[2] ?? "", / aria-describedby="exclusive-hint name-error">$/)
})

test("a refusal is shown beside the controls when all its violations are of them", () => {
  const of = (parameter: string) => ({ parameter, code: "x", detail: "is wrong" })
  const tag: Control = { ...name, name: "tag" }
  assert.equal(isBeside([name, tag], [of("name"), of("tag")]), true)
  assert.equal(isBeside([name, tag], [of("name")]), true)
  assert.equal(isBeside([name], [of("name"), of("cursor")]), false)
  assert.equal(isBeside([name], [{ pointer: "/name", code: "x", detail: "is wrong" }]), false)
  assert.equal(isBeside([name], []), false)
})
