// Decision: docs/decisions/storage-postgres.md#migrations-wait-at-most-a-second-for-a-lock-then-retry

import { setTimeout as pause } from "node:timers/promises"
import type { Client } from "pg"
import { CannotStart } from "../../../core/kernel/cannot-start.ts"
import { migrations, migrationsFrom } from "../../../core/sql/migrations.ts"
import { postgresDialect } from "./dialect.ts"

const attemptsMax = 10
/** A schema change waits for running statements and blocks all others meanwhile, so it waits briefly and retries. */
const lockTimeoutMs = 1_000
const pauseMs = 1_000
const triesMax = 30

/**
 * Migrates the schema in one transaction and returns the versions before and after. Concurrent starts wait for the lock on the
 * row of the version. Throws CannotStart, before any change, when a newer version wrote the database.
 */
export async function migrateSchema(client: Client): Promise<{ from: number; to: number }> {
  const to = migrations.length
  const seen = await readPostgresVersion(client)
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

/** Returns the version before. */
const changeSchema = (client: Client): Promise<number> =>
  transaction(client, async () => {
    const from = (await client.query(`${version} FOR UPDATE`)).rows[0].version as number
    await client.query(`SET LOCAL lock_timeout = ${lockTimeoutMs}`)
    for (const statement of migrationsFrom(from, postgresDialect)) await client.query(statement)
    await client.query(`UPDATE schema_version SET version = ${migrations.length}`)
    return from
  })

export async function transaction<T>(client: Client, work: () => Promise<T>): Promise<T> {
  await client.query("BEGIN")
  try {
    const result = await work()
    await client.query("COMMIT")
    return result
  } catch (error) {
    await client.query("ROLLBACK").catch(() => {})
    throw error
  }
}

const version = "SELECT version FROM schema_version"

/** Undefined while there is no schema. */
export async function readPostgresVersion(client: Client): Promise<number | undefined> {
  const { rows } = await client.query("SELECT to_regclass('schema_version') IS NOT NULL AS exists")
  return rows[0].exists ? (await client.query(version)).rows[0]?.version : undefined
}

/** Concurrent creations conflict in the catalogue's indexes; a retry finds the table. */
export async function createVersion(client: Client): Promise<void> {
  for (let attempt = 1; ; attempt++)
    try {
      await client.query(
        "CREATE TABLE IF NOT EXISTS schema_version (id BIGINT PRIMARY KEY CHECK (id = 1), version BIGINT NOT NULL)",
      )
      await client.query("INSERT INTO schema_version (id, version) VALUES (1, 0) ON CONFLICT (id) DO NOTHING")
      return
    } catch (error) {
      if (attempt === attemptsMax || !/^(23505|42P07|42710|40001|XX000)$/.test(codeOf(error))) throw error
    }
}

const codeOf = (error: unknown): string => (error as { code?: string }).code ?? ""

/** duplicate_table: another program's tables. */
const isOccupied = (error: unknown): boolean => codeOf(error) === "42P07"

/** lock_not_available, and deadlock_detected: others use a table in another order. */
const isInUse = (error: unknown): boolean => /^(55P03|40P01)$/.test(codeOf(error))

const inUse =
  "The schema of the database cannot be changed: for a minute another session has been using a table that has to change, such as a " +
  "backup or an open transaction (see pg_stat_activity). Nothing was changed; try again when it has ended"

const notEmpty =
  "The database holds tables of another program with the names of Petstore's. Create a database of its own: CREATE DATABASE petstore"
