import { join } from "node:path"
import { fill } from "../load/fill.ts"
import { batchesOf, createsOf, threads } from "../load/wrk.ts"
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
      return { ...server, targets: await targetsOf(server.url, stock.file) }
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
      const { create: _, batch: __, ...reads } = await targetsOf(server.url, stock.file)
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

/** Requests to a service that has the pets of the file; creates the keys for them. */
export async function targetsOf(url: string, file: string) {
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
    list: { url: `${url}/api/v3/pet/findByStatus?status=available&limit=100`, headers: unlimited },
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
