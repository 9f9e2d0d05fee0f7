import assert from "node:assert/strict"
import { test } from "node:test"
import { type CheckRequest, type CheckResponse, judgeCheck } from "../../../../test/harness/conform-check.ts"
import { listChecks } from "./lists.ts"

const list = "/pet/findByStatus?status=sold&limit=3"
const missing = `${list} does not have the pet 4`

type Paged = {
  /** The second page once a pet was deleted. */
  later?: number[]
  headers?: Record<string, string>
  /** The page that follows the last one, if any. */
  afterLast?: number
}

/** A service with one list of these pages, which gives pets the ids from 1 on. */
function serviceWith(pages: readonly (readonly number[])[], { later, headers = {}, afterLast }: Paged) {
  let [added, isChanged] = [0, false]
  return ({ request }: CheckRequest): CheckResponse => {
    if (request === "POST /pet") return { value: { id: ++added } }
    if (request.startsWith("DELETE")) isChanged = true
    if (!request.includes(list)) return { status: request.startsWith("GET") ? 404 : 200 }
    const page = Number(/page=(\d+)/.exec(request)?.[1] ?? 0)
    const next = page < pages.length - 1 ? page + 1 : afterLast
    const ids = page === 1 && isChanged ? later : pages[page]
    const link = next !== undefined && { link: `<${list}${next > 0 ? `&page=${next}` : ""}>; rel="next"` }
    return { value: ids?.map((id) => ({ id })), headers: { ...headers, ...link } }
  }
}

const judge = async (name: string, pages: readonly (readonly number[])[], more: Paged = {}) =>
  (await judgeCheck(listChecks, name, serviceWith(pages, more))).verdict

test("a list has each pet once on pages of its limit, which end, or claims no pages", async () => {
  const once = (pages: readonly (readonly number[])[], more?: Paged) => judge("has-each-once", pages, more)
  assert.equal(await once([[1, 2, 3], [4]]), "passed")
  assert.equal(await once([[1, 2, 3, 4]]), "unclaimed: its lists have no limit")
  assert.equal(
    await once([
      [1, 2, 3],
      [3, 4],
    ]),
    "missed: the number of pets was 5 instead of 4",
  )
  for (const pages of [[[1, 2, 3]], [[1, 2, 3], [5]]]) assert.equal(await once(pages), `missed: ${missing}`)
  for (const afterLast of [0, 1])
    assert.match(await once([[1, 2, 3], [4]], { afterLast }), /^missed: the page \S+ follows itself$/)
  const long = Array.from({ length: 10_000 }, (_, n) => [n + 1])
  assert.equal(await once(long), "missed: the list has no end")
  assert.equal(await once(long.slice(1)), `missed: ${missing.replace("4", "1")}`)
})

test("the second page has the same pets after a change, and at least one of them", async () => {
  const pages = [[1, 2, 3], [4, 7, 8], [9]]
  const change = (...later: number[]) => judge("goes-on-after-a-change", pages, { later })
  for (const right of [[4, 7, 8], [4, 7, 5], [4]]) assert.equal(await change(...right), "passed")
  for (const empty of [[], [5]]) assert.equal(await change(...empty), "missed: the second page is empty")
  assert.equal(await change(7, 8, 9), "missed: the second page was [7,8,9] instead of [4,7,8]")
  assert.equal(await change(4, 8), "missed: the second page was [4,8] instead of [4,7]")
})

test("of the pets on a page only one that the check added is deleted", async () => {
  const deletedOf = async (first: number[]) => {
    const service = serviceWith([first, [8]], { later: [8] })
    const { requests } = await judgeCheck(listChecks, "goes-on-after-a-change", service)
    return requests.filter((request) => request.startsWith("DELETE"))
  }
  assert.deepEqual(await deletedOf([7, 3, 4]), ["DELETE /pet/3"])
  assert.deepEqual(await deletedOf([7, 9, 10]), [])
})

test("a count is that of all pages, or none is claimed", async () => {
  const count = (headers: Record<string, string>) => judge("counts-the-whole-list", [[1, 2, 3], [4]], { headers })
  assert.equal(await count({ "total-count": "4" }), "passed")
  assert.equal(await count({ "total-count": "3" }), `missed: Total-Count of ${list} was 3 instead of 4`)
  assert.equal(await count({}), "unclaimed: no list has Total-Count")
})

test("other limits and an unknown cursor are refused by a service whose lists have a limit", async () => {
  for (const [name, wrong] of [
    ...["0", "-1", "many"].map((limit) => ["refuses-other-limits", list.replace("limit=3", `limit=${limit}`)] as const),
    ["refuses-an-unknown-cursor", `${list}&cursor=unknown`] as const,
  ]) {
    const refuse = async (status: number) => {
      const service = serviceWith([[1, 2, 3], [4]], {})
      const { verdict } = await judgeCheck(listChecks, name, (sent) => {
        if (sent.request === `GET ${wrong}`) return { status }
        return sent.request.includes("findBy") && !sent.request.endsWith("limit=3") ? { status: 400 } : service(sent)
      })
      return verdict
    }
    for (const status of [400, 499]) assert.equal(await refuse(status), "passed")
    for (const status of [200, 399, 500])
      assert.equal(await refuse(status), `missed: GET ${wrong} was ${status} instead of 4xx`)
    assert.equal(await judge(name, [[1, 2, 3, 4]]), "unclaimed: its lists have no limit")
  }
})
