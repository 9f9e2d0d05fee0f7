import { spawn } from "node:child_process"
import { once } from "node:events"
import { chmodSync, existsSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { Client } from "pg"
import { temporaryDirectory } from "./directory.ts"
import { freePort } from "./free-port.ts"
import { unprivileged, withoutPostgres } from "./postgres.ts"

const program = ["/usr/sbin/pgbouncer", "/usr/bin/pgbouncer"].find(existsSync)

/** The reason why tests that need PgBouncer are skipped; false when they are not. */
export const withoutPgbouncer = withoutPostgres || (program === undefined && "NOT TESTED: install PgBouncer")

type Options = {
  mode?: "transaction" | "session"
  /** Connections to the server; in transaction mode there may be fewer than from clients. */
  poolSize?: number
}

/** PgBouncer on a free port of 127.0.0.1, in front of the server at this URL. */
export async function startPgbouncer(server: string, { mode = "transaction", poolSize = 4 }: Options = {}) {
  const directory = temporaryDirectory()
  const port = String(await freePort())
  const file = join(directory.path, "pgbouncer.ini")
  chmodSync(directory.path, 0o755)
  writeFileSync(
    file,
    `[databases]
* = user=petstore host=127.0.0.1 port=${new URL(server).port}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = any
pool_mode = ${mode}
default_pool_size = ${poolSize}
server_login_retry = 1
max_client_conn = 200
`,
  )
  const owner = await unprivileged()
  const launch = () => spawn(program as string, ["-q", file], { ...owner, stdio: "ignore" })
  let child = launch()
  let ended = once(child, "exit")
  const urlOf = (database: string) => Object.assign(new URL(database), { port }).href

  async function ready(): Promise<void> {
    for (let isUp = false; !isUp; ) {
      if (child.exitCode !== null) throw new Error("PgBouncer did not start")
      const client = new Client({ connectionString: urlOf(server) })
      client.on("error", () => {})
      isUp = await client.connect().then(
        () => true,
        () => false,
      )
      await client.end().catch(() => {})
    }
  }
  await ready()

  return {
    /** The URL of a database of the server through PgBouncer. */
    urlOf,
    async kill(): Promise<void> {
      child.kill("SIGKILL")
      await ended
    },
    /** Starts it again on the same port, after it was killed. */
    async restart(): Promise<void> {
      child = launch()
      ended = once(child, "exit")
      await ready()
    },
    async [Symbol.asyncDispose]() {
      child.kill("SIGKILL")
      await ended
      directory[Symbol.dispose]()
    },
  }
}
