import { execFile, spawnSync } from "node:child_process"
import { randomUUID } from "node:crypto"
import { join } from "node:path"
import { promisify } from "node:util"
import { onLoadCore } from "../machine/cores.ts"
import { processorSeconds } from "../machine/processor-time.ts"

/** One request that wrk repeats. */
export type Target = {
  url: string
  headers?: Record<string, string>
  /** Arguments for `wrk.lua`, evaluated for each run; without it, wrk repeats the same GET. */
  mode?: () => string[]
  /** Instead of the number of the load. */
  connections?: number
}

/** Requests to this URL followed by a random number up to `max`, or by a cursor there. */
export const anyOf = (
  kind: "random" | "pages",
  url: string,
  max: number,
  headers: Record<string, string> = {},
): Target => ({
  ...{ url, headers },
  mode: () => [kind, new URL(url).pathname + new URL(url).search, String(max)],
})

/** Creates of the pets of a file, with so many connections that a group commit has a group. */
export const createsOf = (url: string, file: string, headers: Record<string, string> = {}): Target => ({
  ...{ url, headers, connections: 64 },
  mode: () => ["create", file],
})

/** Imports of so many pets at a time. */
export const batchesOf = (url: string, file: string, headers: Record<string, string>): Target => ({
  ...{ url, headers, connections: 4 },
  mode: () => ["batch", file, String(petsPerBatch)],
})

/** The same request with a body every time. */
export const sendsOf = (method: string, url: string, body: string, headers: Record<string, string>): Target => ({
  ...{ url, headers },
  mode: () => ["send", method, body],
})

/** Changes of a pet's name, each to another one. */
export const changesOf = (url: string, headers: Record<string, string>): Target => ({
  ...{ url, headers },
  mode: () => ["change"],
})

/** Creates of the pets of a file, each with an Idempotency-Key of its own. */
export const keyedCreatesOf = (url: string, file: string, headers: Record<string, string>): Target => ({
  ...{ url, headers, connections: 64 },
  mode: () => ["keyed", file, randomUUID()],
})

/** About so many creates a second, beside other load: each of 64 connections waits between its creates. */
export const steadyCreatesOf = ({ url, headers = {} }: Target, file: string, perSecond: number): Target => ({
  ...{ url, headers, connections: 64 },
  mode: () => ["steady", file, String(Math.floor(64_000 / perSecond) - 4)],
})

/** The same request on connections that were all accepted before the first one. */
export const onceAccepted = ({ url, headers = {} }: Target, connections: number): Target => ({
  ...{ url, headers, connections },
  mode: () => ["accepted", String(connections)],
})

export type Load = { connections: number; seconds: number }
export type Sample = { requests: number; requestsPerSecond: number; p50Ms: number; p99Ms: number; processorUs: number }

/** Keys of limited accounts are distributed over threads, so that a run does not exhaust an account's minute. */
export const threads = 4
const petsPerBatch = 100

const triesMax = 3
const run = promisify(execFile)
const script = join(import.meta.dirname, "wrk.lua")

/** The reason why the bench cannot run on this machine, and how to fix it; undefined when it can. */
export function missingTools(): string | undefined {
  const missing = ["wrk", "taskset"].filter((tool) => spawnSync("which", [tool]).status !== 0)
  if (missing.length === 0) return undefined
  return `NO LOAD GENERATOR: ${missing.join(" and ")} not found. On Debian: apt-get install wrk util-linux`
}

/** Runs wrk on the load's core and reads the server's processor time per request from /proc. */
export async function runLoad(pid: number, target: Target, load: Load): Promise<Sample> {
  for (let tries = 1; tries <= triesMax; tries++) {
    const before = processorSeconds(pid)
    const { requests, seconds, errors, p50Ms, p99Ms } = await runWrk(target, load)
    const spent = processorSeconds(pid) - before
    if (errors > 0) throw new Error(`${errors} of ${requests} requests to ${target.url} failed`)
    // On a busy machine a server may not run for a whole second.
    if (requests > 0)
      return { requests, requestsPerSecond: requests / seconds, p50Ms, p99Ms, processorUs: (spent * 1e6) / requests }
  }
  throw new Error(`${target.url} sent no response in ${triesMax} runs of ${load.seconds} s`)
}

type Outcome = { requests: number; seconds: number; errors: number; p50Ms: number; p99Ms: number }

async function runWrk({ url, headers = {}, mode = () => [], connections }: Target, load: Load): Promise<Outcome> {
  const options = [
    `-t${threads}`,
    `-c${connections ?? load.connections}`,
    `-d${load.seconds}s`,
    "--timeout=30s",
    "-s",
    script,
  ]
  const sent = Object.entries(headers).flatMap(([name, value]) => ["-H", `${name}: ${value}`])
  const [command, args] = onLoadCore("wrk", ...options, ...sent, url, "--", ...mode())
  const { stdout } = await run(command, args)
  return JSON.parse(/^RESULT (.*)$/m.exec(stdout)?.[1] ?? "null")
}
