import assert from "node:assert/strict"
import { test } from "node:test"
import { checkReadiness } from "./readiness.ts"

test("a service is ready when it says so, and otherwise the reason is its detail or the status", async () => {
  const check = (response: Response) =>
    checkReadiness("http://a/s/x", async (url, request) => {
      assert.deepEqual([url, request], ["http://a/s/x/readyz", { headers: { accept: "application/json" } }])
      return response
    })
  assert.deepEqual(await check(Response.json({ status: "ready" })), { isReady: true, reason: "status 200" })
  assert.deepEqual(await check(Response.json({ status: "unavailable", detail: "locked" }, { status: 503 })), {
    isReady: false,
    reason: "locked",
  })
  assert.deepEqual(await check(new Response("<html>", { status: 404 })), { isReady: false, reason: "status 404" })
})
