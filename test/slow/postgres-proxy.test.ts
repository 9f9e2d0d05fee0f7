import assert from "node:assert/strict"
import { spawn } from "node:child_process"
import { once } from "node:events"
import { chmodSync, existsSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { after, before, describe, test } from "node:test"
import { Client } from "pg"
import { migratePostgres, openPostgres } from "../../src/storage/postgres/open.ts"
import { samplePet } from "../conformance/store/samples.ts"
import { storeConformance } from "../conformance/store/suite.ts"
import { renameDatabase } from "../harness/database.ts"
import { temporaryDirectory } from "../harness/directory.ts"
import { freePort } from "../harness/free-port.ts"
import { type PostgresServer, startPostgres, unprivileged, withoutPostgres } from "../harness/postgres.ts"

const pgbouncer = ["/usr/sbin/pgbouncer", "/usr/bin/pgbouncer"].find(existsSync)
const without = withoutPostgres || (pgbouncer === undefined && "NOT TESTED: install PgBouncer")

describe("behind PgBouncer in transaction mode", { skip: without }, () => {
  let server: PostgresServer
  let migrated: string
  let proxy: Awaited<ReturnType<typeof startPgbouncer>>
  before(async () => {
    server = await startPostgres()
    migrated = await server.createDatabase()
    await migratePostgres(migrated)
    proxy = await startPgbouncer(new URL(server.url).port)
  })
  after(async () => {
    await proxy[Symbol.asyncDispose]()
    await server[Symbol.asyncDispose]()
  })

  /** The URL of a new database through the proxy. */
  async function createDatabase(): Promise<string> {
    const url = await server.createDatabase(migrated)
    await renameDatabase(url)
    return Object.assign(new URL(url), { port: proxy.port }).href
  }

  test("the service refuses to start until the URL states whether the proxy supports prepared statements", async () => {
    const url = await createDatabase()
    await assert.rejects(openPostgres(url, { connections: 4 }), /leads to a proxy such as PgBouncer.*prepare=off/)
    const store = await openPostgres(`${url}?prepare=off`, { connections: 4 })
    await store.transaction((tx) => tx.pets.add([samplePet(1)]))
    assert.ok(await store.pets.read(1))
    await store.close()
  })

  test("timeouts of a transaction apply to that transaction only", async () => {
    const url = await createDatabase()
    const store = await openPostgres(`${url}?prepare=off`, { connections: 4 })
    await Promise.all(Array.from({ length: 8 }, (_, n) => store.transaction((tx) => tx.pets.add([samplePet(n + 1)]))))
    const client = new Client({ connectionString: url })
    await client.connect()
    for (const name of ["statement_timeout", "lock_timeout"])
      assert.deepEqual((await client.query(`SHOW ${name}`)).rows, [{ [name]: "0" }])
    await client.end()
    await store.close()
  })

  storeConformance("PostgreSQL behind PgBouncer", async () =>
    openPostgres(`${await createDatabase()}?prepare=off`, { connections: 8 }),
  )
})

/** PgBouncer on a free port, with fewer connections to the server than from clients. */
async function startPgbouncer(serverPort: string) {
  const directory = temporaryDirectory()
  const port = String(await freePort())
  const file = join(directory.path, "pgbouncer.ini")
  chmodSync(directory.path, 0o755)
  writeFileSync(
    file,
    `[databases]
* = user=petstore host=127.0.0.1 port=${serverPort}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = any
pool_mode = transaction
default_pool_size = 4
max_client_conn = 200
`,
  )
  const child = spawn(pgbouncer as string, ["-q", file], { ...(await unprivileged()), stdio: "ignore" })
  const ended = once(child, "exit")
  for (let isUp = false; !isUp; ) {
    if (child.exitCode !== null) throw new Error("PgBouncer did not start")
    const client = new Client({ connectionString: `postgres://petstore@127.0.0.1:${port}/postgres` })
    client.on("error", () => {})
    isUp = await client.connect().then(
      () => true,
      () => false,
    )
    await client.end().catch(() => {})
  }
  return {
    port,
    async [Symbol.asyncDispose]() {
      child.kill("SIGKILL")
      await ended
      directory[Symbol.dispose]()
    },
  }
}
