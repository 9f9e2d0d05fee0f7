import assert from "node:assert/strict"
import { test } from "node:test"
import { allItems, allPages, nextCursor } from "./pages.ts"

const linked = (cursor: string) => new Headers({ link: `</api/v3/pet?cursor=${cursor}>; rel="next"` })

test("a list whose page leads to itself is an error, not a loop", async () => {
  let calls = 0
  const call = async () => {
    calls++
    return { value: [calls], text: "", status: 200, headers: linked("a") }
  }
  await assert.rejects(Array.fromAsync(allItems(call)), /the list has no end/i)
  assert.equal(calls, 2)
})

test("pages are followed from the given cursor to the last one, with the same request", async () => {
  const asked: unknown[] = []
  const call = async (input?: { query?: { cursor?: string; limit?: number }; params?: object }, options?: object) => {
    asked.push([input, options])
    const next = { b: linked("c"), c: new Headers() }[input?.query?.cursor ?? ""] ?? linked("b")
    return { value: [asked.length, 0], text: "", status: 200, headers: next }
  }
  const options = { headers: { a: "1" } }
  const request = { query: { limit: 2 }, params: { x: 1 } }
  assert.deepEqual(await Array.fromAsync(allPages(call, request, options)), [
    [1, 0],
    [2, 0],
    [3, 0],
  ])
  assert.deepEqual(asked, [
    [request, options],
    [{ ...request, query: { limit: 2, cursor: "b" } }, options],
    [{ ...request, query: { limit: 2, cursor: "c" } }, options],
  ])
  asked.length = 0
  assert.deepEqual(await Array.fromAsync(allItems(call, { query: { cursor: "c" } })), [1, 0])
  assert.deepEqual(asked, [[{ query: { cursor: "c" } }, undefined]])
})

test("the cursor of the next page is that of its link", () => {
  const cursorIn = (link: string) => nextCursor(new Headers({ link }))
  assert.equal(cursorIn('</pet?limit=2&cursor=a%20b>; rel="next"'), "a b")
  assert.equal(cursorIn('<https://a.example/pet?cursor=a>;rel=next, </>; rel="up"'), "a")
  assert.equal(cursorIn('</pet?cursor=a>; rel="prev"'), undefined)
  assert.equal(cursorIn('</pet>; rel="next"'), undefined)
  assert.equal(nextCursor(new Headers()), undefined)
})
