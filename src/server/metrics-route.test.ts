import assert from "node:assert/strict"
import { test } from "node:test"
import type { Exchange } from "./exchange/exchange.ts"
import { createRouter } from "./exchange/router.ts"
import { addMetrics } from "./metrics-route.ts"

test("metrics are read with each request, and limited like files", async () => {
  const router = createRouter()
  addMetrics(router, async () => ({ type: "text/plain", text: "a 1\n" }))
  const found = router.find("/metrics")
  const route = found && "resource" in found ? found.resource.routes.get("GET") : undefined
  assert.equal(route?.admission, "files")
  assert.deepEqual(await route?.handle({} as Exchange), {
    status: 200,
    headers: ["content-type", "text/plain", "cache-control", "no-store"],
    body: "a 1\n",
  })
})
