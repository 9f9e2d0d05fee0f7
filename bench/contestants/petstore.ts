import { join } from "node:path"
import { fill } from "../load/fill.ts"
import { anyOf, batchesOf, createsOf, threads } from "../load/wrk.ts"
import { type ServerProcess, startServer } from "../machine/server-process.ts"
import type { Contestant, Stock } from "./contestant.ts"

const launcher = join(import.meta.dirname, "..", "..", "bin", "petstore")
export const unlimited = { api_key: "special-key" }
/** The maximum a plan can allow. */
const plan = "60000/minute, 10000000/day"
/** Each run with limited keys uses as many accounts as wrk has threads; the accounts follow each other. */
const limitedAccounts = 40

/** This service as a contestant, with its data directory. */
type Petstore = Contestant & { dataDir(stock: Stock): string }
type Options = { name: string; dataDir(stock: Stock): string; env?: Record<string, string> }

/** This service as a process that starts with an empty store and then receives the pets. */
export function petstore({ name, dataDir, env = {} }: Options): Petstore {
  return {
    name,
    dataDir,
    async start(stock) {
      const server = await startPetstore(dataDir(stock), env)
      await fill(`${server.url}/api/v3/pet`, unlimited, stock.file, stock.count)
      await warm(server.url)
      return { ...server, targets: await targetsOf(server.url, stock) }
    },
  }
}

/** This service on a store that an earlier process filled. */
export function petstoreRestarted({ name, dataDir, env = {} }: Options): Petstore {
  return {
    name,
    dataDir,
    async start(stock) {
      const earlier = await startPetstore(dataDir(stock), env)
      await fill(`${earlier.url}/api/v3/pet`, unlimited, stock.file, stock.count)
      await earlier.stop()
      const server = await startPetstore(dataDir(stock), env)
      await warm(server.url)
      const { create: _, batch: __, ...reads } = await targetsOf(server.url, stock)
      return { ...server, targets: reads }
    },
  }
}

/** Starts the service through the launcher, so that Node runs with the same flags as for `npm start`. */
export const startPetstore = (dataDir: string, env: Record<string, string> = {}): Promise<ServerProcess> =>
  startServer({
    command: () => [launcher, "serve"],
    env: (port) => ({
      PETSTORE_PORT: String(port),
      PETSTORE_DATA_DIR: dataDir,
      PETSTORE_PLAN_PRO: plan,
      ...env,
    }),
    readyPath: "/api/v3/pet/1",
    headers: unlimited,
  })

/** Requests of many kinds, as a service in use has seen them: V8 optimizes code for the kinds that it has met. */
async function warm(url: string): Promise<void> {
  const json = { ...unlimited, "content-type": "application/json" }
  const post = (path: string, body: unknown, headers: Record<string, string> = json) => [
    path,
    { method: "POST", headers, body: typeof body === "string" ? body : JSON.stringify(body) },
  ]
  const get = (path: string, headers: Record<string, string> = {}) => [path, { headers: { ...unlimited, ...headers } }]
  const form = { "content-type": "application/x-www-form-urlencoded" }
  const credentials = "client_id=sample-client-id&client_secret=sample-client-secret"
  const call = { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: "getPetById", arguments: { petId: 1 } } }
  const kinds = [
    ...["pet/1", "pets/1", "pet/4711000", "store/inventory", "account", "user/user1", "orders", "events?limit=20"].map(
      (path) => get(`/api/v3/${path}`),
    ),
    ...["status=sold", "tag=shy", "tag=shy&tag=calm", "category=Dogs", "category=Dogs&tag=shy", "sort=name&name=b"].map(
      (query) => get(`/api/v3/pets?limit=20&${query}`),
    ),
    ...["/api/v3/pet/1", "/api/v3/pet/findByStatus?limit=20"].map((path) => get(path, { accept: "application/xml" })),
    ...["/v2/pet/1", "/v2/pet/findByStatus?status=sold", "/v2/store/inventory", "/openapi.json", "/"].map((path) =>
      get(path),
    ),
    get("/api/v3/pet/1", { api_key: "" }),
    post("/api/v3/pet", { name: "warm", photoUrls: [], tags: [{ name: "calm" }] }),
    post("/api/v3/pet", { name: 1 }),
    post("/api/v3/pets/import", [{ name: "warm", photoUrls: [] }]),
    post("/api/v3/store/order", { petId: 1 }),
    post("/v2/pet", { name: "warm", photoUrls: [] }),
    ["/api/v3/pet/1", { method: "PATCH", headers: json, body: JSON.stringify({ name: "warm" }) }],
    post("/oauth/token", `grant_type=client_credentials&${credentials}`, form),
    post("/mcp", call, { ...json, accept: "application/json" }),
  ] as [string, RequestInit][]
  for (let n = 0; n < warmUpRounds; n++)
    await Promise.all(
      kinds.map(async ([path, init]) => {
        const response = await fetch(url + path, init)
        await response.arrayBuffer()
        if (response.status >= 500) throw new Error(`${path}: ${response.status}`)
      }),
    )
}

const warmUpRounds = 200

/** Requests to a service that has the pets of the file; creates the keys for them. */
export async function targetsOf(url: string, { file, count }: Pick<Stock, "file" | "count">) {
  const pet = `${url}/api/v3/pet/1`
  const response = await fetch(pet, { headers: unlimited })
  const { photoUrls } = (await response.json()) as { photoUrls: [string] }
  const keys = await makeLimitedKeys(url)
  return {
    get: { url: pet, headers: unlimited },
    limited: {
      url: pet,
      mode: () => {
        const next = keys.splice(0, threads)
        keys.push(...next)
        return ["read", next.join(",")]
      },
    },
    unchanged: { url: pet, headers: { ...unlimited, "if-none-match": response.headers.get("etag") ?? "" } },
    random: anyOf("random", `${url}/api/v3/pet/`, count, unlimited),
    list: { url: `${url}/api/v3/pet/findByStatus?status=available&limit=100`, headers: unlimited },
    anyPage: anyOf("pages", `${url}/api/v3/pet/findByStatus?status=available&limit=100&cursor=`, count, unlimited),
    create: createsOf(`${url}/api/v3/pet`, file, unlimited),
    batch: batchesOf(`${url}/api/v3/pets/import`, file, unlimited),
    image: { url: url + new URL(photoUrls[0], url).pathname },
  }
}

/** Creates accounts with a plan and one key each. */
async function makeLimitedKeys(url: string): Promise<string[]> {
  const post = async (path: string, body: object): Promise<Record<string, unknown>> => {
    const headers = { ...unlimited, "content-type": "application/json" }
    const response = await fetch(url + path, { method: "POST", headers, body: JSON.stringify(body) })
    if (!response.ok) throw new Error(`POST ${path}: ${await response.text()}`)
    return (await response.json()) as Record<string, unknown>
  }
  const keys = []
  for (let n = 1; n <= limitedAccounts; n++) {
    const { id: accountId } = await post("/api/v3/accounts", { name: `bench ${n}`, plan: "pro" })
    const { secret } = await post("/api/v3/keys", { accountId, name: "bench", scopes: ["read:pets"] })
    keys.push(String(secret))
  }
  return keys
}
