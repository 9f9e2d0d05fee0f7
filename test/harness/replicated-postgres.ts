import { Client } from "pg"
import { startPostgres } from "./postgres.ts"
import { until } from "./until.ts"

/** A durable server and its synchronous standby: a confirmed commit is on both disks. */
export async function startReplicatedPostgres() {
  await using opened = new AsyncDisposableStack()
  const primary = opened.use(await startPostgres({ durable: true }))
  const database = await primary.createDatabase()
  const standby = opened.use(await startPostgres({ durable: true, standbyOf: primary }))
  await queryValues(primary.url, "ALTER SYSTEM SET synchronous_standby_names = 'standby'")
  await queryValues(primary.url, "SELECT pg_reload_conf()")
  await until(
    async () => (await queryValues(primary.url, "SELECT sync_state FROM pg_stat_replication"))[0] === "sync",
    "the standby did not follow",
  )
  const { pathname } = new URL(database)
  const kept = opened.move()

  return {
    primary,
    standby,
    /** The URL of a new, empty database with both hosts, the standby first. */
    url: `postgres://petstore@${new URL(standby.url).host},${new URL(primary.url).host}${pathname}`,
    /** Makes the standby the primary; resolves once it accepts writes. */
    promote: () => queryValues(standby.url, "SELECT pg_promote()"),
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  }
}

/** All values of a statement's result. */
export async function queryValues(connectionString: string, text: string): Promise<unknown[]> {
  const client = new Client({ connectionString })
  await client.connect()
  try {
    return (await client.query({ text, rowMode: "array" })).rows.flat()
  } finally {
    await client.end()
  }
}
