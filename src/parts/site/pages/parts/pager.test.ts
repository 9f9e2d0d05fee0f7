import assert from "node:assert/strict"
import { test } from "node:test"
import { pager } from "./pager.ts"

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
