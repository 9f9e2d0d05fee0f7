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

/** Milliseconds that the first request of a part takes in a process that has just started; each round has a new process. */
export async function measureFirstUse(dataDir: string, rounds: number): Promise<Record<string, Spread>> {
  const times = new Map<string, number[]>(Object.keys(firsts).map((name) => [name, []]))
  for (let round = 0; round < rounds; round++) {
    const server = await startPetstore(dataDir)
    await pause(restMs)
    for (const [name, [path, init]] of Object.entries(firsts)) {
      const startedAt = performance.now()
      const response = await fetch(server.url + path, init)
      await response.arrayBuffer()
      if (!response.ok) throw new Error(`${path}: ${response.status}`)
      times.get(name)?.push(performance.now() - startedAt)
    }
    await server.stop()
  }
  return Object.fromEntries([...times].map(([name, values]) => [name, spreadOf(values)]))
}
