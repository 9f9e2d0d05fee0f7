import assert from "node:assert/strict"
import { test } from "node:test"
import { pager, pageSizeOf } from "./pager.ts"

const place = (query: URLSearchParams) => ({ root: "", path: "/pets", query })
const cursorOf = (page: number) => `${"c".repeat(60)}${page}`

/** The query of a link of a page; undefined when the page has no such link. */
function linked(query: URLSearchParams, relation: "next" | "prev", page = 1): URLSearchParams | undefined {
  const { text = "" } = pager(place(query), cursorOf(page + 1)) ?? {}
  const address = new RegExp(`<a href="/pets\\??([^"]*)" rel="${relation}">`).exec(text)?.[1]
  return address === undefined ? undefined : new URLSearchParams(address.replaceAll("&amp;", "&"))
}

test("the previous pages lead back to the first one, with the filters and the number of rows", () => {
  const first = new URLSearchParams("status=sold&limit=50")
  const visited = [first]
  for (let page = 1; page < 6; page++) visited.push(linked(visited[page - 1] ?? first, "next", page) as URLSearchParams)
  assert.equal(visited[5]?.get("cursor"), cursorOf(6))
  assert.equal(visited[5]?.get("status"), "sold")
  let here = visited[5] as URLSearchParams
  for (let page = 5; page >= 1; page--) {
    here = linked(here, "prev") as URLSearchParams
    assert.equal(`${here}`, `${visited[page - 1]}`)
  }
  assert.equal(linked(here, "prev"), undefined)
})

test("an address keeps a bounded number of earlier pages; further back leads the first page only", () => {
  let here = new URLSearchParams()
  for (let page = 1; page <= 40; page++) here = linked(here, "next", page) as URLSearchParams
  assert.ok(`${here}`.length < 2_500, `${`${here}`.length} characters`)
  let steps = 0
  for (let back = linked(here, "prev"); back; back = linked(here, "prev")) {
    here = back
    steps += 1
  }
  assert.equal(steps, 20)
  assert.equal(here.get("cursor"), cursorOf(21))
  const { text = "" } = pager(place(here), undefined) ?? {}
  assert.match(text, /<a href="\/pets">First page<\/a>/)
  assert.match(text, /Page 21/)

  const long = "c".repeat(1_500)
  const next = linked(new URLSearchParams({ cursor: long, page: "3", trail: long }), "next") as URLSearchParams
  assert.deepEqual(next.getAll("trail"), [long])
})

test("a number of rows that is not offered is the smallest one", () => {
  for (const limit of ["0", "1000", "26", "all"]) {
    const { text = "" } = pager(place(new URLSearchParams({ limit })), cursorOf(2)) ?? {}
    assert.match(text, /aria-current="true">25</)
  }
  assert.equal(pager(place(new URLSearchParams()), undefined), undefined)
})

test("a pager has the links of its position", () => {
  const sizes = (query: string) =>
    `<span class="sizes"><span class="soft">Rows per page</span><a href="/pets${query}" aria-current="true">25</a><a href="/pets?${query && `${query.slice(1)}&amp;`}limit=50">50</a><a href="/pets?${query && `${query.slice(1)}&amp;`}limit=100">100</a></span>`
  const first = '<a href="/pets">First page</a>'
  const cases: [query: string, next: string | undefined, lines: string[]][] = [
    ["", "c2", ['<span class="soft">Page 1</span>', '<a href="/pets?cursor=c2&amp;page=2" rel="next">Next page</a>']],
    [
      "cursor=c2&page=2",
      undefined,
      ['<a href="/pets" rel="prev">Previous page</a>', '<span class="soft">Page 2</span>'],
    ],
    [
      "cursor=c3&page=3&trail=c2",
      "c4",
      [
        first,
        '<a href="/pets?cursor=c2&amp;page=2" rel="prev">Previous page</a>',
        '<span class="soft">Page 3</span>',
        '<a href="/pets?cursor=c4&amp;page=4&amp;trail=c2&amp;trail=c3" rel="next">Next page</a>',
      ],
    ],
    ["cursor=c3&page=3", undefined, [first, '<span class="soft">Page 3</span>']],
    ["cursor=c3", "c4", [first, '<a href="/pets?cursor=c4" rel="next">Next page</a>']],
    ["cursor=c3&page=1", undefined, [first]],
    ["cursor=c3&page=1", "c4", [first, '<a href="/pets?cursor=c4" rel="next">Next page</a>']],
    ["cursor=c3&page=1.5", undefined, [first]],
    ["cursor=c3&page=x", undefined, [first]],
  ]
  for (const [query, next, lines] of cases) {
    const { text = "" } = pager(place(new URLSearchParams(query)), next) ?? {}
    assert.deepEqual(
      text.split("\n").filter((line) => line !== ""),
      ['<nav class="pager" aria-label="Pages">', ...lines, sizes(""), "</nav>"],
      query,
    )
  }
})

test("a pager without sizes has none, and one of another size is shown on a single page too", () => {
  const shown = (query: string, next?: string, hasSizes = true) =>
    pager(place(new URLSearchParams(query)), next, { hasSizes })?.text
  assert.doesNotMatch(shown("", "c2", false) ?? "", /Rows per page/)
  assert.doesNotMatch(shown("limit=50", undefined) ?? "", /Page 1/)
  assert.match(
    shown("limit=50&name=&a=b", undefined) ?? "",
    /<a href="\/pets\?limit=50&amp;a=b" aria-current="true">50</,
  )
  assert.match(shown("limit=50&name=&a=b", undefined) ?? "", /<a href="\/pets\?a=b">25</)
  for (const limit of ["25", "50", "100"]) assert.equal(String(pageSizeOf(new URLSearchParams({ limit }))), limit)
  assert.equal(pageSizeOf(new URLSearchParams()), 25)
})

test("earlier pages whose cursors are longer than 2,000 characters together are left out, the oldest first", () => {
  const trailOf = (...trail: string[]) => {
    const query = new URLSearchParams({ cursor: "c", page: "9" })
    for (const each of trail) query.append("trail", each)
    return linked(query, "next")?.getAll("trail")
  }
  const [one, two] = ["a".repeat(999), "b".repeat(1000)]
  assert.deepEqual(trailOf(one, two), [one, two, "c"])
  assert.deepEqual(trailOf(`${one}a`, two), [two, "c"])
  assert.deepEqual(trailOf(...Array.from({ length: 20 }, (_, n) => `${n}`))?.slice(0, 2), ["1", "2"])
  assert.deepEqual(trailOf(...Array.from({ length: 19 }, (_, n) => `${n}`))?.slice(0, 2), ["0", "1"])
})
