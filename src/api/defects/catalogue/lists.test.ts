import assert from "node:assert/strict"
import { test } from "node:test"
import { defective, ok, seen } from "../../../../test/harness/defective.ts"

const page = (ids: number[], next?: string) =>
  ok(ids, next === undefined ? [] : ["link", `</api/v3/pet?limit=2&cursor=${next}>; rel="next"`])

test("pages miss an item, or have one twice, from the second one on", async () => {
  const first = { url: "/api/v3/pet?limit=2" }
  const second = { url: "/api/v3/pet?limit=2&cursor=A" }
  assert.deepEqual(await seen("item-missing-between-pages", "listPets", first, page([1, 2], "A")), [1, 2])
  assert.deepEqual(await seen("item-missing-between-pages", "listPets", second, page([3, 4])), [4])
  const twice = defective("item-on-two-pages", "listPets")
  assert.deepEqual((await twice(first, page([1, 2], "A"))).shown, [1, 2])
  assert.deepEqual((await twice(second, page([3, 4], "B"))).shown, [2, 3, 4])
  assert.deepEqual((await twice({ url: "/api/v3/pet?cursor=C" }, page([9]))).shown, [9])
  assert.deepEqual((await twice(second, { status: 304, headers: [], body: undefined })).status, 304)
  const xml = await twice({ ...second, given: { isXml: true } }, { ...ok([]), body: "<pets/>" })
  assert.equal(xml.shown, "<pets/>")
})

test("the last page leads to itself, as the one before led to it", async () => {
  const endless = defective("next-page-without-end", "listPets")
  const link = '<https://pets.example/api/v3/pet?limit=2&cursor=A>; rel="next"'
  const first = await endless({ url: "/api/v3/pet?limit=2" }, ok([1, 2], ["link", link]))
  assert.deepEqual(first.head, ["link", link])
  assert.deepEqual((await endless({ url: "/api/v3/pet?limit=2&cursor=A" }, page([3]))).head, ["link", link])
  assert.deepEqual((await endless({ url: "/api/v3/pet?limit=9" }, page([3]))).head, [
    "link",
    '</api/v3/pet?limit=9>; rel="next"',
  ])
  assert.deepEqual((await endless({ url: "/api/v3/pet" }, page([3]))).head, ["link", '</api/v3/pet>; rel="next"'])
  assert.deepEqual((await endless({}, { status: 304, headers: [], body: undefined })).head, [])
})
