import { execFileSync } from "node:child_process"
import { once } from "node:events"
import { statSync } from "node:fs"
import { connect, type Socket } from "node:net"
import { join } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import { checkReadiness } from "../../src/client/readiness.ts"
import { measuredIn, scrape } from "../harness/prometheus.ts"
import { type SpawnOptions, spawnPetstore } from "../harness/spawn.ts"
import { until } from "../harness/until.ts"
import { type Cause, lookUntil, observe } from "./cause.ts"

const pet = { name: "Rex", photoUrls: [] }
const headers = { api_key: "special-key", "content-type": "application/json" }
/** Metrics are kept for a second. */
const keptMs = 1_010

/** A service in a process of its own. */
async function spawnWatched(options: SpawnOptions) {
  const petstore = await spawnPetstore(options)
  const look = async () => {
    await sleep(keptMs)
    return scrape(petstore.url)
  }
  const store = petstore.as("special-key")
  const healthy = await observe(look, async () => {
    for (let n = 1; n <= 5; n++) await store.getPetById({ params: { petId: n } })
    await store.addPet({ body: pet })
  })
  return { petstore, store, look, healthy, [Symbol.asyncDispose]: () => petstore[Symbol.asyncDispose]() }
}

async function connectTo(url: string, connections: number): Promise<Socket[]> {
  const { hostname, port } = new URL(url)
  const sockets = Array.from({ length: connections }, () => connect(Number(port), hostname))
  await Promise.all(sockets.map((socket) => once(socket, "connect")))
  return sockets
}

const stallingDisk = join(import.meta.dirname, "..", "harness", "stalling-disk.ts")
const manyConnections = { PETSTORE_CONNECTIONS_PER_ADDRESS: "5000" }

export const openStalling = () =>
  spawnWatched({ env: { NODE_OPTIONS: `--import=${stallingDisk}`, ...manyConnections } })

/** Each key makes a transaction of its own. */
const createWithKey = (key: string): string => {
  const body = JSON.stringify(pet)
  const lines = Object.entries({ host: "localhost", ...headers, "idempotency-key": key, "content-length": body.length })
  return `POST /api/v3/pet HTTP/1.1\r\n${lines.map(([name, value]) => `${name}: ${value}\r\n`).join("")}\r\n${body}`
}

export const stallingCauses: readonly Cause<Awaited<ReturnType<typeof openStalling>>>[] = [
  {
    when: "the disk confirms no write for six seconds",
    fires: ["PetstoreCommitsWaiting", "PetstoreDiskStalled", "PetstoreUnavailable", "PetstoreDiskSlow"],
    async make(service) {
      const { petstore, look } = service
      const toggle = async (msg: string) => {
        process.kill(petstore.pid, "SIGUSR2")
        await petstore.logged({ msg })
      }
      const clients = await connectTo(petstore.url, 1_200)
      await toggle("disk stalls")
      for (const [n, client] of clients.entries()) client.write(createWithKey(`${n}`))
      const queued = await lookUntil(service, "petstore_commits_waiting", (commits) => commits > 1_000)
      const stalled = await lookUntil(service, "petstore_database_flush_age_seconds", (seconds) => seconds > 5)
      for (const client of clients) client.destroy()
      const refused = await look()
      await toggle("disk answers")
      await until(async () => (await checkReadiness(petstore.url)).isReady, "the service did not become ready")
      return [queued, stalled, refused, await look()].map((scrape) => [scrape])
    },
  },
]

const descriptorsMax = 256
const largePet = { ...pet, photoUrls: Array<string>(50).fill("x".repeat(2_000)) }

export const openLimited = () =>
  spawnWatched({ under: ["prlimit", `--nofile=${descriptorsMax}`], env: manyConnections })

export const limitedCauses: readonly Cause<Awaited<ReturnType<typeof openLimited>>>[] = [
  {
    when: "clients keep connections open",
    fires: ["PetstoreFileDescriptors"],
    async make(service) {
      const [, before] = service.healthy
      const free = descriptorsMax - measuredIn(before as NonNullable<typeof before>, "process_open_fds")
      const clients = await connectTo(service.petstore.url, free - 12)
      const scrape = await lookUntil(service, "process_open_fds", (open) => open > 0.9 * descriptorsMax)
      for (const client of clients) client.destroy()
      return [[scrape]]
    },
  },
  {
    when: "the process has the processor for a tenth of the time",
    fires: ["PetstoreEventLoopLate"],
    async make({ petstore, look }) {
      // The delays are those since the last scrape.
      await look()
      for (let n = 0; n < 8; n++) {
        process.kill(petstore.pid, "SIGSTOP")
        await sleep(270)
        process.kill(petstore.pid, "SIGCONT")
        await sleep(30)
      }
      return [[await look()]]
    },
  },
  {
    when: "the file of the database cannot grow",
    fires: ["PetstoreCheckpointFailing"],
    async make(service) {
      const { petstore, store } = service
      const limit = (bytes: number | "unlimited") =>
        execFileSync("prlimit", ["--pid", `${petstore.pid}`, `--fsize=${bytes}:unlimited`])
      const isDegraded = async () => (await (await fetch(`${petstore.url}/readyz`)).text()).includes("checkpoint")
      for (let n = 0; n < 100; n++) await store.addPet({ body: largePet })
      limit(statSync(petstore.databaseFile).size)
      // The log file already has that size, and its space is reused from the start.
      for (let n = 0; n < 100 && !(await isDegraded()); n++) await store.addPet({ body: largePet })
      const scrape = await lookUntil(service, "petstore_database_checkpoint_failing", (failing) => failing === 1)
      limit("unlimited")
      return [[scrape]]
    },
  },
  {
    when: "the process is killed",
    fires: ["PetstoreDown"],
    async make({ petstore, look }) {
      await petstore.kill("SIGKILL")
      return [[await look()]]
    },
  },
]
