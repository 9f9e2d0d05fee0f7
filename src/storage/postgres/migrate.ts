import { setTimeout as pause } from "node:timers/promises"
import type { Client } from "pg"
import { CannotStart } from "../../kernel/cannot-start.ts"
import { migrations, migrationsFrom } from "../sql/migrations.ts"
import { postgresDialect } from "./dialect.ts"

const attemptsMax = 10
/** A change of a table waits for those who use it, and meanwhile keeps all others from it: shortly, and then again. */
const lockTimeoutMs = 1_000
const pauseMs = 1_000
const triesMax = 30

/**
 * Brings the schema up to date in one transaction and returns the versions before and after. Of several that start together
 * one does it while the others wait for the lock on the row of the version. Throws CannotStart, before anything is touched, when a
 * newer version wrote the database.
 */
export async function migrate(client: Client): Promise<{ from: number; to: number }> {
  const to = migrations.length
  const seen = await readVersion(client)
  migrationsFrom(seen ?? 0, postgresDialect)
  if (seen === to) return { from: to, to }
  if (seen === undefined) await createVersion(client)

  for (let tries = 1; ; tries++)
    try {
      return { from: await changeSchema(client), to }
    } catch (error) {
      if (isOccupied(error)) throw new CannotStart(notEmpty, { cause: error })
      if (!isInUse(error)) throw error
      if (tries === triesMax) throw new CannotStart(inUse, { cause: error })
      await pause(pauseMs)
    }
}

/** Returns the version before, having waited for others who change it. */
async function changeSchema(client: Client): Promise<number> {
  await client.query("BEGIN")
  try {
    const from = (await client.query(`${version} FOR UPDATE`)).rows[0].version as number
    await client.query(`SET LOCAL lock_timeout = ${lockTimeoutMs}`)
    for (const statement of migrationsFrom(from, postgresDialect)) await client.query(statement)
    await client.query(`UPDATE schema_version SET version = ${migrations.length}`)
    await client.query("COMMIT")
    return from
  } catch (error) {
    await client.query("ROLLBACK").catch(() => {})
    throw error
  }
}

const version = "SELECT version FROM schema_version"

/** Undefined while there is no schema. */
export async function readVersion(client: Client): Promise<number | undefined> {
  const { rows } = await client.query("SELECT to_regclass('schema_version') IS NOT NULL AS exists")
  return rows[0].exists ? (await client.query(version)).rows[0]?.version : undefined
}

/** Those who create the table at the same moment fail on the catalogue's own indexes, and find it the next time. */
export async function createVersion(client: Client): Promise<void> {
  for (let attempt = 1; ; attempt++)
    try {
      await client.query(
        "CREATE TABLE IF NOT EXISTS schema_version (id BIGINT PRIMARY KEY CHECK (id = 1), version BIGINT NOT NULL)",
      )
      await client.query("INSERT INTO schema_version (id, version) VALUES (1, 0) ON CONFLICT (id) DO NOTHING")
      return
    } catch (error) {
      const { code } = error as { code?: string }
      if (attempt === attemptsMax || !/^(23505|42P07|42710|40001|XX000)$/.test(code ?? "")) throw error
    }
}

/** duplicate_table: somebody else's tables are there. */
const isOccupied = (error: unknown): boolean => (error as { code?: string }).code === "42P07"

/** lock_not_available, and deadlock_detected: a table is used in another order by others. */
const isInUse = (error: unknown): boolean => /^(55P03|40P01)$/.test((error as { code?: string }).code ?? "")

const inUse =
  "The schema of the database cannot be changed: for a minute somebody has been using a table that has to change, such as a backup " +
  "or a transaction that was left open (pg_stat_activity names them). Nothing was changed; try again when that has ended"

const notEmpty =
  "The database holds tables of another program with the names of Petstore's. Create a database of its own: CREATE DATABASE petstore"
