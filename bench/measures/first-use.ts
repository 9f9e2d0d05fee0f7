import { setTimeout as pause } from "node:timers/promises"
import { startPetstore, unlimited } from "../contestants/petstore.ts"
import { type Spread, spreadOf } from "../statistics.ts"

/** By then a service has loaded what its start left out. */
const restMs = 5000

const ping = { jsonrpc: "2.0", id: 1, method: "ping" }
const firsts: Record<string, [path: string, init?: RequestInit]> = {
  "the sign-in page": ["/console/sign-in"],
  "a token": [
    "/oauth/token",
    {
      method: "POST",
      body: new URLSearchParams({
        grant_type: "client_credentials",
        client_id: "sample-client-id",
        client_secret: "sample-client-secret",
      }),
    },
  ],
  "MCP `ping`": [
    "/mcp",
    { method: "POST", headers: { ...unlimited, "content-type": "application/json" }, body: JSON.stringify(ping) },
  ],
  "`/docs`": ["/docs"],
}

/** Milliseconds: what the first request of a part takes, and the longest that a read beside it takes. */
export type FirstUse = { own: Spread; beside: Spread }

/** Each round has a new process. */
export async function measureFirstUse(dataDir: string, rounds: number): Promise<Record<string, FirstUse>> {
  const times = Object.fromEntries(
    Object.keys(firsts).map((name) => [name, { own: [] as number[], beside: [] as number[] }]),
  )
  for (let round = 0; round < rounds; round++) {
    const server = await startPetstore(dataDir)
    await pause(restMs)
    const read = () => timeOf(`${server.url}/api/v3/pet/1`, { headers: unlimited })
    // This process has its connections, and its code is warm.
    for (let n = 0; n < 100; n++) await read()
    for (const [name, [path, init]] of Object.entries(firsts)) {
      let hasEnded = false
      const first = timeOf(server.url + path, init).finally(() => (hasEnded = true))
      let longest = 0
      while (!hasEnded) longest = Math.max(longest, await read())
      times[name]?.own.push(await first)
      times[name]?.beside.push(longest)
    }
    await server.stop()
  }
  return Object.fromEntries(
    Object.entries(times).map(([name, { own, beside }]) => [name, { own: spreadOf(own), beside: spreadOf(beside) }]),
  )
}

async function timeOf(url: string, init?: RequestInit): Promise<number> {
  const startedAt = performance.now()
  const response = await fetch(url, init)
  await response.arrayBuffer()
  if (!response.ok) throw new Error(`${url}: ${response.status}`)
  return performance.now() - startedAt
}
