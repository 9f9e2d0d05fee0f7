import assert from "node:assert/strict"
import { test } from "node:test"
import { openVisit, rowsOf, type VisitGiven } from "../../../../../test/harness/visit.ts"
import { findRequest } from "./recorded.ts"
import { namedRequestsPage, requestsPage, statusBadge } from "./requests.ts"

const recorded = {
  id: 7,
  time: "1970-01-01T00:00:00Z",
  durationMs: 3,
  method: "GET",
  path: "/api/v3/pet/1",
  status: 200,
}

/** The list of the requests to a sandbox. */
async function shown(rows: object[], given: VisitGiven = {}) {
  const { visit, called } = openVisit({ path: "/requests", calls: { listRequests: { value: rows } }, ...given })
  const { text } = await (visit.params.name === undefined ? requestsPage : namedRequestsPage).show(visit)
  return {
    called,
    rows: rowsOf(text),
    live: /data-live="([^"]*)"/.exec(text)?.[1],
    back: /<p class="back"><a href="([^"]*)">/.exec(text)?.[1],
    empty: /<p class="empty">(.*?)<\/p>/.exec(text)?.[1],
  }
}
const mine = { path: "/sandbox/mine/requests", params: { name: "mine" } }

test("requests are listed with their outcome, and their first page is live", async () => {
  const problem = { ...recorded, id: 8, status: 404, caller: "key 1", problem: "pet-not-found", fault: "code=404" }
  const fault = { ...recorded, id: 9, status: undefined, fault: "abort" }
  const { rows, live, called, back } = await shown([recorded, problem, fault])
  const link = (id: number) => `<a href="/console/requests/${id}">GET /pet/1</a>`
  const badge = (kind: string, words: string) => `<span class="badge ${kind}">${words}`
  const time = '<time datetime="1970-01-01T00:00:00Z">1970-01-01 00:00:00 UTC</time>'
  assert.deepEqual(rows, [
    [link(7), badge("good", "200"), time, "3 ms", "", ""],
    [link(8), badge("waiting", "404"), time, "3 ms", "key 1", "<code>pet-not-found</code>"],
    [link(9), badge("bad", "no response"), time, "3 ms", "", "<code>abort</code>"],
  ])
  assert.deepEqual([live, back], ["/console/requests/stream", undefined])
  assert.deepEqual(called, [["listRequests", { query: { limit: 25 } }]])
  assert.equal((await shown([recorded], { query: "cursor=c" })).live, undefined)
  const named = await shown([recorded], mine)
  assert.deepEqual([named.live, named.back], ["/console/sandbox/mine/requests/stream", "/console/sandbox/mine"])
})

test("a list without requests says how to send one, or that none match the filters", async () => {
  const curl = (at: string) =>
    `No requests yet. Send one: <code>curl -H 'api_key: special-key' https://pets.example${at}/api/v3/pet/1</code>`
  assert.equal((await shown([])).empty, curl(""))
  assert.equal((await shown([], { query: "status=&cursor=c" })).empty, curl(""))
  assert.equal((await shown([], mine)).empty, curl("/s/mine"))
  const none = 'No requests match. <a href="/console/requests">Clear the filters</a>'
  for (const query of ["status=5xx", "operation=addPet"]) assert.equal((await shown([], { query })).empty, none)
})

test("a recorded request is found by its number, and by no other text", async () => {
  const find = (requestId: string) => {
    const { visit, called } = openVisit({ params: { requestId }, calls: { getRequest: { value: recorded } } })
    return findRequest(visit).then((found) => [found, called])
  }
  assert.deepEqual(await find("1"), [recorded, [["getRequest", { params: { id: 1 } }]]])
  for (const id of ["0", "-1", "1.5", "x", "9007199254740992"])
    await assert.rejects(find(id), { code: "request-not-found" }, id)
})

test("the badge of a status says how the request ended", () => {
  const kinds: [number | undefined, string, string][] = [
    [undefined, "bad", "no response"],
    [200, "good", "200"],
    [399, "good", "399"],
    [400, "waiting", "400"],
    [499, "waiting", "499"],
    [500, "bad", "500"],
  ]
  for (const [status, kind, words] of kinds)
    assert.equal(statusBadge(status).text, `<span class="badge ${kind}">${words}</span>`)
})
