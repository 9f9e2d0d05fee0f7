import { spawn } from "node:child_process"
import { once } from "node:events"
import { join } from "node:path"
import { Client } from "pg"
import { newerDatabases } from "./foreign-tools.ts"
import { freePort } from "./free-port.ts"
import { until } from "./until.ts"

/** The reason why PGlite cannot be installed, or false. */
export const missingPglite = async (): Promise<string | false> => (await newerDatabases()).missing ?? false

/** Starts PGlite, empty and in memory, on a free port of 127.0.0.1; all its connections share one session. */
export async function startPglite(connections: number) {
  const { path = "" } = await newerDatabases()
  const port = await freePort()
  const server = join(path, "node_modules", "@electric-sql", "pglite-socket", "dist", "scripts", "server.js")
  const args = [server, "--port", String(port), "--max-connections", String(connections)]
  const child = spawn(process.execPath, args, { stdio: "ignore" })
  const ended = once(child, "exit")
  const url = `postgres://postgres@127.0.0.1:${port}/postgres`
  await until(() => responds(url), "PGlite did not start")
  return {
    url,
    async [Symbol.asyncDispose]() {
      child.kill("SIGKILL")
      await ended
    },
  }
}

async function responds(url: string): Promise<boolean> {
  const client = new Client({ connectionString: url })
  client.on("error", () => {})
  try {
    await client.connect()
    return true
  } catch {
    return false
  } finally {
    await client.end().catch(() => {})
  }
}
