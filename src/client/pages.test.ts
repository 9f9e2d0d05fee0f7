import assert from "node:assert/strict"
import { test } from "node:test"
import { allItems } from "./pages.ts"

test("a list whose page leads to itself is an error, not a loop", async () => {
  const headers = new Headers({ link: '</api/v3/pet?cursor=a>; rel="next"' })
  let calls = 0
  const call = async () => {
    calls++
    return { value: [calls], text: "", status: 200, headers }
  }
  await assert.rejects(Array.fromAsync(allItems(call)), /the list has no end/i)
  assert.equal(calls, 2)
})
