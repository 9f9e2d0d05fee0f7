import { execFile, spawnSync } from "node:child_process"
import { join } from "node:path"
import { promisify } from "node:util"
import { onLoadCore } from "../machine/cores.ts"
import { processorSeconds } from "../machine/processor-time.ts"

/** One request, as wrk sends it over and over. */
export type Target = {
  url: string
  headers?: Record<string, string>
  /** What `wrk.lua` is told, asked anew for each run; without it, the same GET throughout. */
  mode?: () => string[]
}

export type Load = { connections: number; seconds: number }
export type Sample = { requests: number; requestsPerSecond: number; p50Ms: number; p99Ms: number; processorUs: number }

/** Keys of limited accounts are dealt out to threads, so that one account's minute is not used up in a run. */
export const threads = 2
const triesMax = 3
const run = promisify(execFile)
const script = join(import.meta.dirname, "wrk.lua")

/** What is missing on this machine for the bench to run, and how to get it; undefined when nothing is. */
export function whatIsMissing(): string | undefined {
  const missing = ["wrk", "taskset"].filter((tool) => spawnSync("which", [tool]).status !== 0)
  if (missing.length === 0) return undefined
  return `NO LOAD GENERATOR: ${missing.join(" and ")} not found. On Debian: apt-get install wrk util-linux`
}

/** Runs wrk on the load's core, and reads from /proc what processor time a request cost the server `pid`. */
export async function runLoad(pid: number, target: Target, load: Load): Promise<Sample> {
  for (let tries = 1; tries <= triesMax; tries++) {
    const before = processorSeconds(pid)
    const { requests, seconds, errors, p50Ms, p99Ms } = await runWrk(target, load)
    const spent = processorSeconds(pid) - before
    if (errors > 0) throw new Error(`${errors} of ${requests} requests to ${target.url} failed`)
    // A busy machine can keep a server from running for a second.
    if (requests > 0)
      return { requests, requestsPerSecond: requests / seconds, p50Ms, p99Ms, processorUs: (spent * 1e6) / requests }
  }
  throw new Error(`${target.url} answered nothing in ${triesMax} runs of ${load.seconds} s`)
}

type Outcome = { requests: number; seconds: number; errors: number; p50Ms: number; p99Ms: number }

async function runWrk({ url, headers = {}, mode = () => [] }: Target, load: Load): Promise<Outcome> {
  const options = [`-t${threads}`, `-c${load.connections}`, `-d${load.seconds}s`, "--timeout=30s", "-s", script]
  const sent = Object.entries(headers).flatMap(([name, value]) => ["-H", `${name}: ${value}`])
  const [command, args] = onLoadCore("wrk", ...options, ...sent, url, "--", ...mode())
  const { stdout } = await run(command, args)
  return JSON.parse(/^RESULT (.*)$/m.exec(stdout)?.[1] ?? "null")
}
