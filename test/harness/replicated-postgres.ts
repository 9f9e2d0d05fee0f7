import { Client } from "pg"
import { startPostgres } from "./postgres.ts"
import { until } from "./until.ts"

/** A durable server and its synchronous standby: what one has confirmed, the other has on its disk. */
export async function startReplicatedPostgres() {
  await using opened = new AsyncDisposableStack()
  const primary = opened.use(await startPostgres({ durable: true }))
  const database = await primary.createDatabase()
  const standby = opened.use(await startPostgres({ durable: true, standbyOf: primary }))
  await ask(primary.url, "ALTER SYSTEM SET synchronous_standby_names = 'standby'")
  await ask(primary.url, "SELECT pg_reload_conf()")
  await until(
    async () => (await ask(primary.url, "SELECT sync_state FROM pg_stat_replication"))[0] === "sync",
    "the standby did not follow",
  )
  const { pathname } = new URL(database)
  const kept = opened.move()

  return {
    primary,
    standby,
    /** The URL of a new, empty database, with both hosts; the standby is the first. */
    url: `postgres://petstore@${new URL(standby.url).host},${new URL(primary.url).host}${pathname}`,
    /** Makes the standby the primary, and resolves once it takes writes. */
    promote: () => ask(standby.url, "SELECT pg_promote()"),
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  }
}

/** The values of all rows of a statement's result. */
export async function ask(connectionString: string, text: string): Promise<unknown[]> {
  const client = new Client({ connectionString })
  await client.connect()
  try {
    return (await client.query({ text, rowMode: "array" })).rows.flat()
  } finally {
    await client.end()
  }
}
