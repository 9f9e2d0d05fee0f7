import assert from "node:assert/strict"
import { test } from "node:test"
import { createPetstoreClient } from "../../src/client/petstore-client.ts"
import { api } from "../../src/core/domain/api.ts"
import type { Endpoint } from "../../src/core/kernel/endpoint/endpoint.ts"
import { createSandboxClient } from "../../src/parts/sandbox/client/sandbox-client.ts"
import type { SandboxData } from "../../src/parts/sandbox/files/contract.ts"
import { serverUrl } from "../harness/database.ts"
import { usePetstore } from "../harness/use.ts"

const petstore = usePetstore()
/** Each run sends requests to one third of the accepted files, which the seed decides. */
const sampled = 3
const seed = Number(process.env.SIMULATION ?? Math.floor(Date.now() / 1000))

type Asked = { method: string; path: string; body?: object; key?: string }

/** All reads, and the changes that count on from what a row says. */
const asked: readonly Asked[] = [
  ...Object.values<Endpoint>(api)
    .filter(({ method, streams }) => method === "GET" && !streams)
    .map(({ path }) => ({ method: "GET", path: path.replace("{username}", "user1").replace(/\{\w+\}/g, "1") })),
  { method: "GET", path: "/pet/1", key: "free-key" },
  { method: "POST", path: "/pet", body: { name: "Next", photoUrls: [] } },
  { method: "POST", path: "/store/order", body: { petId: 2 } },
  { method: "POST", path: "/user/login", body: { username: "user1", password: "password1" } },
  { method: "DELETE", path: "/pet/11" },
  { method: "POST", path: "/sandbox/clock", body: { advance: "P1D" } },
]

const send = async (url: string, { method, path, body, key = "special-key" }: Asked) => {
  const headers = { api_key: key, "content-type": "application/json" }
  const response = await fetch(`${url}/api/v3${path}`, { method, headers, ...(body && { body: JSON.stringify(body) }) })
  await response.arrayBuffer()
  return response.status
}

test("a wrong value in any column of a sandbox file is refused, or leads to no 500", {
  skip: serverUrl && "named sandboxes need SQLite",
}, async () => {
  const service = createSandboxClient({ url: petstore.url })
  await service.createSandbox({ body: { name: "source", start: "2020-01-01T00:00:00Z", freeze: true } })
  const source = petstore.url.concat("/s/source")
  const store = createPetstoreClient({ url: source, apiKey: "special-key" })
  await store.createWebhook({ body: { url: "http://127.0.0.1:9/", events: ["pet.created"] } })
  await store.addPet({ body: { name: "Rex", photoUrls: [] } }, { headers: { "idempotency-key": "one" } })
  for (const each of asked) if (each.method === "POST" || each.key) await send(source, each)
  const { data } = (await service.exportSandbox({ params: { name: "source" } })).value as { data: SandboxData }

  let made = 0
  for (const [table, [columns = [], first]] of Object.entries(data.tables))
    for (const [n, column] of columns.entries())
      for (const value of wrongValues(column as string, first?.[n])) {
        const changed = structuredClone(data)
        for (const row of changed.tables[table]?.slice(1) ?? []) row[n] = value
        const what = `${table}.${column} = ${value}`
        const name = "changed"
        const status = await send(petstore.url, {
          method: "POST",
          path: `/sandboxes?name=${name}`,
          body: { data: changed },
        })
        assert.ok(status === 201 || status === 422, `${what}: ${status}`)
        if (status === 422) continue
        for (const each of made++ % sampled === seed % sampled ? asked : [])
          assert.notEqual(
            await send(`${petstore.url}/s/${name}`, each),
            500,
            `${what}: ${each.method} ${each.path}, SIMULATION=${seed}`,
          )
        await service.deleteSandbox({ params: { name } })
      }
  assert.ok(made > 50, `${made}`)
})

const wrongValues = (column: string, value: string | number | null | undefined): (string | number)[] => {
  if (value === undefined) return []
  if (typeof value === "number") return [0, 2 ** 52]
  return column === "json" ? ["{}", '{"a":1}'] : ["garbage"]
}
