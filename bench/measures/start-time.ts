import { spawn } from "node:child_process"
import { once } from "node:events"
import { join } from "node:path"
import { freePort } from "../../test/harness/free-port.ts"
import { unlimited } from "../contestants/petstore.ts"
import { firstResponse } from "../machine/server-process.ts"
import { undisturbed } from "../machine/undisturbed.ts"
import { type Spread, spreadOf } from "../statistics.ts"

const root = join(import.meta.dirname, "..", "..")
const { PATH = "", HOME = "" } = process.env

export const startCommands = {
  launcher: ["bin/petstore", "serve"],
  npm: ["npm", "start", "--silent"],
} as const

/** Milliseconds from the command to the first response, on an existing store. */
export async function measureStart(command: readonly string[], dataDir: string, rounds: number): Promise<Spread> {
  const times: number[] = []
  // The first start fills the compile cache.
  await startOnce(command, dataDir)
  while (times.length < rounds) times.push((await undisturbed(() => startOnce(command, dataDir))).value)
  return spreadOf(times)
}

async function startOnce([program, ...args]: readonly string[], dataDir: string): Promise<number> {
  const port = await freePort()
  const env = { PATH, HOME, PETSTORE_PORT: String(port), PETSTORE_DATA_DIR: dataDir }
  const startedAt = performance.now()
  const child = spawn(program as string, args, { cwd: root, env, detached: true, stdio: "ignore" })
  const exited = once(child, "exit")
  const at = await firstResponse(`http://127.0.0.1:${port}/api/v3/pet/1`, unlimited, child)
  process.kill(-(child.pid as number), "SIGTERM")
  await exited
  return at - startedAt
}
