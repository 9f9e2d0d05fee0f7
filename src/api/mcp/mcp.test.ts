import assert from "node:assert/strict"
import { test } from "node:test"
import { exchangeOf } from "../../../test/harness/exchange.ts"
import { createRouter } from "../../server/exchange/router.ts"
import { addMcp } from "./mcp.ts"

/** Sends the head of a message whose body never arrives; says who was admitted and counted. */
async function send(headers: Record<string, string>) {
  const calls: unknown[] = []
  const router = createRouter()
  addMcp(router, {
    ports: { publicUrl: () => "https://petstore.example" },
    http: { limitAddress: (kind: string, address: string) => void calls.push([kind, address]) },
    admit: (_: unknown, demands: object) => void calls.push(demands),
  } as never)
  const found = router.find("/mcp")
  assert.ok(found && "resource" in found)
  const { handle, ...route } = found.resource.routes.get("POST") ?? {}
  const exchange = exchangeOf("/mcp", { method: "POST", headers })
  const responding = Promise.resolve(handle?.(exchange)).catch((error: { code: string }) => error.code)
  exchange.request.on("error", () => undefined)
  setImmediate(() => exchange.request.emit("error", new Error("closed")))
  return { route, calls, problem: await responding }
}

test("a message has up to 4 MiB, from an admitted caller whose address is within its limit", async () => {
  const calls = [{ scope: "any", cost: 0 }, ["files", "192.0.2.1"]]
  const route = { admission: "operation", operation: "mcp", isAdministrative: true, isChange: true }
  for (const [bytes, problem] of [
    [4_194_304, "malformed-request"],
    [4_194_305, "body-too-large"],
  ] as const)
    assert.deepEqual(await send({ "content-length": String(bytes) }), { route, calls, problem })
})

test("a page of another site is refused before anything else", async () => {
  const { calls, problem } = await send({ origin: "https://other.example", host: "petstore.example" })
  assert.deepEqual([calls, problem], [[], "foreign-page"])
})
