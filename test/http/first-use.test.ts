// Runs alone.
import assert from "node:assert/strict"
import { registerHooks } from "node:module"
import { test } from "node:test"
import { settle } from "../../src/core/assembly/settle.ts"
import { partsOf } from "../../src/parts.ts"
import { openSender, slowness, watchLoop } from "../harness/event-loop.ts"
import { startPetstore } from "../harness/petstore.ts"

/** The goal is 50 ms of processor time; other processes use this machine too, and a first use cannot be repeated. */
const holdMaxMs = 150

test("a service that stops loads nothing in advance; else no first use of a path loads a module, or holds the event loop (slow)", async () => {
  await using petstore = await startPetstore({ env: { PETSTORE_UNLIMITED_ADDRESSES: "127.0.0.0/8" } })
  const parts = partsOf("sandbox")
  assert.deepEqual(await loadedDuring(() => settle(parts, () => true)), [])
  const loaded = await loadedDuring(() => settle(parts, () => false))
  for (const one of ["oidc-provider/lib/index.js", "@modelcontextprotocol/server/dist/index.mjs", "console/routes.ts"])
    assert.ok(
      loaded.some((url) => url.endsWith(one)),
      one,
    )

  const statuses = new Set<number | undefined>()
  await using sender = openSender()
  const late = await loadedDuring(async () => {
    for (const { path, routes } of await petstore.router.table())
      for (const method of routes.keys())
        for (const sent of method === "POST" ? [message, form] : [get]) {
          const url = petstore.url + path.replace(/\{\w+\}/g, "1").replace("*", "x")
          const stopWatch = watchLoop()
          statuses.add(await sender.send({ ...sent, url, method }))
          const heldMs = stopWatch()
          assert.ok(heldMs < holdMaxMs || heldMs < holdMaxMs * slowness(), `${method} ${path}: ${heldMs} ms`)
        }
  })
  assert.deepEqual(late, [])
  assert.ok(statuses.has(200) && statuses.has(303), [...statuses].join())
})

const get = { headers: { api_key: "special-key" } }
const message = {
  headers: { ...get.headers, "content-type": "application/json" },
  body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "prompts/list" }),
}
const form = {
  headers: {
    authorization: `Basic ${btoa("sample-client-id:sample-client-secret")}`,
    "content-type": "application/x-www-form-urlencoded",
  },
  body: "grant_type=client_credentials",
}

/** The modules that are loaded while it runs. */
async function loadedDuring(run: () => Promise<unknown>): Promise<string[]> {
  const loaded: string[] = []
  const hooks = registerHooks({
    load(url, context, next) {
      loaded.push(url)
      return next(url, context)
    },
  })
  await run()
  hooks.deregister()
  return loaded.filter((url) => url.startsWith("file:"))
}
