import assert from "node:assert/strict"
import { test } from "node:test"
import { plainEndpoint } from "../../test/harness/endpoint.ts"
import { exchangeOf } from "../../test/harness/exchange.ts"
import { principalOf } from "../../test/harness/principal.ts"
import type { AnyOperation } from "../domain/context.ts"
import type { Endpoint } from "../kernel/endpoint/endpoint.ts"
import { Type } from "../kernel/schema/type.ts"
import { createRouter } from "../server/exchange/router.ts"
import { addRoutes, type RouteParts } from "./routes.ts"

const operation: AnyOperation = () => ({})

test("a route says what its operation needs of a request", () => {
  const parts = { admission: {}, streamsOf: () => ({}) } as unknown as RouteParts
  const plain = { admission: "operation", operation: "one", isAdministrative: false, isChange: false, isUpload: false }
  const upload = { types: ["image/*"], bytesMax: 1, fields: Type.Object({}) }
  const cases: [Partial<Endpoint>, object][] = [
    [{}, plain],
    [{ streams: true }, plain],
    [{ scope: "admin" }, { ...plain, isAdministrative: true }],
    [{ audited: ["pet.deleted"] }, { ...plain, isChange: true }],
    [{ method: "POST" }, { ...plain, isChange: true }],
    [
      { method: "PUT", audited: ["pet.deleted"], upload },
      { ...plain, isChange: true, isUpload: true },
    ],
  ]
  for (const [more, facts] of cases) {
    const router = createRouter()
    const endpoint = { ...plainEndpoint, ...more }
    const [{ name } = {}] = addRoutes(router, [{ api: { one: endpoint }, operations: { one: operation } }], parts)
    const found = router.find("/api/v3/pet")
    assert.ok(found && "resource" in found)
    const { handle, ...route } = found.resource.routes.get(endpoint.method) ?? {}
    assert.deepEqual([name, typeof handle, route], ["one", "function", facts])
  }
})

test("a request for a stream pays for its first page", async () => {
  const opened: unknown[] = []
  const open = async (_: unknown, { holder, replay }: { holder: object; replay?: { isFirstPaid: boolean } }) =>
    void opened.push([holder, replay?.isFirstPaid])
  const parts = {
    admission: { admit: () => undefined },
    ports: { store: {} },
    load: { start() {}, end() {} },
    streamsOf: (name: string) => (name === "one" ? { open } : {}),
  } as unknown as RouteParts
  const router = createRouter()
  const endpoint: Endpoint = { ...plainEndpoint, streams: true }
  addRoutes(router, [{ api: { one: endpoint }, operations: { one: operation } }], parts)
  const found = router.find("/api/v3/pet")
  assert.ok(found && "resource" in found)
  const exchange = exchangeOf("/api/v3/pet")
  exchange.caller = principalOf(7).caller
  await found.resource.routes.get("GET")?.handle(exchange)
  assert.deepEqual(opened, [[{ kind: "account", id: 7 }, true]])
})
