// Requests a second of GET /pet/{id} with a key, next to a bare node:http server that answers the same bytes: both on one
// core, the load on another, in turns. Needs wrk and taskset. Run it with the runtime of the project: node bench/read-pet.ts
import { execFileSync, spawn } from "node:child_process"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"

const rounds = 5
const seconds = 3
const connections = 32
const header = "api_key: special-key"

const dataDir = mkdtempSync(join(tmpdir(), "petstore-bench-"))
const launcher = join(import.meta.dirname, "..", "bin", "petstore.mjs")
const service = start([launcher, "serve"], { PETSTORE_PORT: "18080", PETSTORE_DATA_DIR: dataDir })
const bare = start([join(import.meta.dirname, "bare-server.ts")], {})

try {
  const [petstore, floor] = ["http://127.0.0.1:18080/api/v3/pet/1", "http://127.0.0.1:18081/"]
  for (const url of [petstore, floor]) await reachable(url)
  const figures = Array.from({ length: rounds }, () => ({ petstore: load(petstore), bare: load(floor) }))
  const median = (of: (figure: (typeof figures)[number]) => number) =>
    figures.map(of).sort((a, b) => a - b)[rounds >> 1] ?? 0
  console.table(figures)
  console.log(
    `median: petstore ${median((f) => f.petstore)} requests/s, bare node:http ${median((f) => f.bare)} requests/s`,
  )
  console.log(`median ratio: ${median((f) => f.petstore / f.bare).toFixed(2)}`)
} finally {
  service.kill()
  bare.kill()
  rmSync(dataDir, { recursive: true })
}

function start(args: string[], env: Record<string, string>) {
  return spawn("taskset", ["-c", "0", process.execPath, ...args], {
    env: { PATH: process.env.PATH, ...env },
    stdio: "ignore",
  })
}

async function reachable(url: string): Promise<void> {
  for (let tries = 0; tries < 100; tries++) {
    if (
      await fetch(url, { headers: { api_key: "special-key" } }).then(
        (response) => response.ok,
        () => false,
      )
    )
      return
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  throw new Error(`${url} does not answer`)
}

function load(url: string): number {
  const args = ["-c", "1", "wrk", "-t1", `-c${connections}`, `-d${seconds}s`, "-H", header, url]
  const said = execFileSync("taskset", args, { encoding: "utf8" })
  return Math.round(Number(said.match(/Requests\/sec:\s+([\d.]+)/)?.[1]))
}
