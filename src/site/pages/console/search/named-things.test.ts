import assert from "node:assert/strict"
import { test } from "node:test"
import type { Visit } from "../page.ts"
import { namedThings } from "./named-things.ts"

/** What is found for a text among a hundred of each kind, by their paths; those of a path that the visitor may not see are not listed. */
async function found(text: string, hidden?: string) {
  const limits: number[] = []
  const listOf =
    <Item>(item: (n: number) => Item) =>
    async ({ query: { limit } }: { query: { limit: number } }) => {
      limits.push(limit)
      return { value: Array.from({ length: 100 }, (_, n) => item(n + 1)) }
    }
  const call = {
    listKeys: listOf((id) => ({ id, name: `Key ${id}`, scopes: ["read:pets", "read:orders"] })),
    listOAuthClients: listOf((id) => ({ id, name: `App ${id}`, clientId: `client-${id}` })),
    listWebhooks: listOf((id) => ({ id, description: id === 1 ? undefined : `Hook ${id}`, url: "https://a.example" })),
    listAccounts: listOf((id) => ({ id, name: `Account ${id}`, plan: "free" })),
  }
  const visit = { call, root: "/console", mayGo: (path: string) => path !== hidden } as unknown as Visit
  const hits = await Promise.all(namedThings.map((find) => find(visit, text)))
  const paths = hits.flatMap((hit) => [...`${hit?.text ?? ""}`.matchAll(/href="([^"]+)"/g)].map(([, path]) => path))
  return { limits, paths }
}

test("the newest hundred of each kind are searched, by their names and what is noted beside them", async () => {
  assert.deepEqual(await found("100"), {
    limits: [100, 100, 100, 100],
    paths: ["keys", "applications", "webhooks", "accounts"].map((kind) => `/console/${kind}/100`),
  })
  assert.deepEqual((await found("client-7")).paths.slice(0, 1), ["/console/applications/7"])
  assert.deepEqual((await found("Webhook 1")).paths, ["/console/webhooks/1"])
})

test("what the visitor may not see is not listed", async () => {
  const { limits, paths } = await found("100", "/keys")
  assert.deepEqual([limits.length, paths[0]], [3, "/console/applications/100"])
})
