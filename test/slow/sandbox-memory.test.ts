import assert from "node:assert/strict"
import { test } from "node:test"
import { createSandboxClient } from "../../src/parts/sandbox/client/sandbox-client.ts"
import { requestsMax } from "../../src/parts/sandbox/journal/contract.ts"
import { limitedMemory } from "../harness/control-group.ts"
import { spawnPetstore } from "../harness/spawn.ts"

const limitBytes = 400 * 1024 ** 2

test("100 named sandboxes with advanced clocks and full journals, ten of which use OAuth, are served within 400 MiB", async (t) => {
  await using group = limitedMemory(limitBytes)
  if (!group) return t.skip("NOT TESTED, control groups cannot be created here")
  await using petstore = await spawnPetstore({ under: group.under, env: { PETSTORE_UNLIMITED_ADDRESSES: "127.0.0.1" } })
  const sandboxes = Array.from({ length: 100 }, (_, n) => createSandboxClient({ url: petstore.url, name: `full-${n}` }))
  const headers = { api_key: "special-key", "user-agent": "a".repeat(200), accept: "application/json" }
  const photoUrls = Array.from({ length: 8 }, (_, n) => `https://photos.example/${"p".repeat(1900)}${n}`)
  await inTurns(sandboxes, 8, async (sandbox) => {
    await sandbox.advanceClock({ body: { advance: "P1D" } })
    await fetch(`${sandbox.url}/api/v3/pet`, {
      method: "POST",
      body: JSON.stringify({ name: "Rex", photoUrls }),
      headers: { ...headers, "content-type": "application/json" },
    })
    for (let n = 0; n < requestsMax * 0.3; n++)
      await (await fetch(`${sandbox.url}/api/v3/pet/${n % 2 === 0 ? 11 : 1}`, { headers })).text()
  })
  const tokens = await Promise.all(
    sandboxes.slice(-10).map(async ({ url }) => {
      const token = await requestToken(url)
      assert.equal((await fetch(`${url}/oauth/jwks`)).status, 200)
      return { url, headers: { authorization: `Bearer ${token}` } }
    }),
  )
  const counts = await Promise.all(sandboxes.slice(-3).map(async (sandbox) => (await sandbox.requests()).length))
  assert.ok(
    counts.every((count) => count >= 250),
    `the latest sandboxes have ${counts} requests`,
  )
  t.diagnostic(`at most ${Math.round(group.peakBytes() / 1024 ** 2)} MiB with the files in memory`)
  assert.equal(group.kills(), 0)
  for (const { url, headers } of tokens) assert.equal((await fetch(`${url}/api/v3/pet/1`, { headers })).status, 200)
  for (const { url } of sandboxes) assert.equal((await fetch(`${url}/api/v3/pet/1`, { headers })).status, 200)
})

async function requestToken(url: string): Promise<string> {
  const authorization = `Basic ${btoa("sample-client-id:sample-client-secret")}`
  const body = new URLSearchParams({ grant_type: "client_credentials" })
  const response = await fetch(`${url}/oauth/token`, { method: "POST", headers: { authorization }, body })
  return ((await response.json()) as { access_token: string }).access_token
}

async function inTurns<T>(items: readonly T[], workers: number, work: (item: T) => Promise<void>): Promise<void> {
  const waiting = [...items]
  const workOn = async () => {
    for (let item = waiting.shift(); item !== undefined; item = waiting.shift()) await work(item)
  }
  await Promise.all(Array.from({ length: workers }, workOn))
}
