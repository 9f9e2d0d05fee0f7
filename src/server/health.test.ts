import assert from "node:assert/strict"
import { test } from "node:test"
import type { Exchange } from "./exchange/exchange.ts"
import { createRouter } from "./exchange/router.ts"
import { addHealth, readiness } from "./health.ts"

const working = {
  requireDatabase: async () => undefined,
  requireCapacity: () => undefined,
  isDraining: () => false,
  refusesWrites: () => undefined,
  degraded: () => [],
}
const fail = (): never => {
  throw new Error("unavailable")
}

async function respond(path: string, parts: Partial<Parameters<typeof readiness>[0]> = {}) {
  const router = createRouter()
  addHealth(router, readiness({ ...working, ...parts }))
  const found = router.find(path)
  if (!found || "enter" in found) throw new Error("no route")
  const route = found.resource.routes.get("GET")
  assert.equal(route?.admission, "health")
  return route?.handle({} as Exchange)
}

const ok = (status: object) => ({
  status: 200,
  headers: ["content-type", "application/json", "cache-control", "no-store"],
  body: JSON.stringify(status),
})

test("the process is alive in any state", async () => {
  assert.deepEqual(await respond("/livez", { isDraining: () => true }), ok({ status: "alive" }))
})

test("the service is ready, and lists the parts that it works without", async () => {
  assert.deepEqual(await respond("/readyz"), ok({ status: "ready" }))
  assert.deepEqual(
    await respond("/readyz", { degraded: () => ["redis"] }),
    ok({ status: "ready", degraded: ["redis"] }),
  )
})

test("the service is not ready while it stops, is overloaded, cannot write or has no database", async () => {
  const unavailable = (detail: string) => ({ code: "unavailable", retryAfter: 5, detail })
  await assert.rejects(respond("/readyz", { isDraining: () => true }), unavailable("The service is shutting down"))
  await assert.rejects(
    respond("/readyz", { refusesWrites: () => "the disk is full" }),
    unavailable("Nothing can be written: the disk is full. Reads continue"),
  )
  await assert.rejects(respond("/readyz", { requireCapacity: fail }), { message: "unavailable" })
  await assert.rejects(respond("/readyz", { requireDatabase: async () => fail() }), { message: "unavailable" })
})
