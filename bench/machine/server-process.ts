import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"
import { freePort } from "../../test/harness/free-port.ts"
import { onServerCore } from "./cores.ts"

export type ServerProcess = { pid: number; url: string; stop(): Promise<void> }

type Command = {
  /** The command line for this port. */
  command: (port: number) => string[]
  env?: (port: number) => Record<string, string>
  cwd?: string
  /** The path that is requested until it responds successfully. */
  readyPath: string
  headers?: Record<string, string>
}

const startTimeoutMs = 60_000
const { PATH = "", HOME = "" } = process.env

/** Starts a server on the servers' core, on a free port of 127.0.0.1, and waits until it is ready. */
export async function startServer({ command, env, cwd, readyPath, headers = {} }: Command): Promise<ServerProcess> {
  const port = await freePort()
  const [taskset, args] = onServerCore(...command(port))
  const child = spawn(taskset, args, {
    cwd,
    env: { PATH, HOME, ...env?.(port) },
    stdio: ["ignore", "ignore", "inherit"],
  })
  const url = `http://127.0.0.1:${port}`
  const stop = async () => {
    child.kill()
    if (child.exitCode === null && child.signalCode === null) await once(child, "exit")
  }
  try {
    await firstResponse(url + readyPath, headers, child)
  } catch (error) {
    await stop()
    throw error
  }
  return { pid: child.pid as number, url, stop }
}

/** Resolves with the time of the first successful response; rejects when the process ends, or after a minute. */
export async function firstResponse(
  url: string,
  headers: Record<string, string>,
  child: ChildProcess,
): Promise<number> {
  const until = performance.now() + startTimeoutMs
  while (performance.now() < until && child.exitCode === null) {
    const isOk = await fetch(url, { headers }).then(
      (response) => response.arrayBuffer().then(() => response.ok),
      () => false,
    )
    if (isOk) return performance.now()
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
  throw new Error(`${url} does not respond`)
}
