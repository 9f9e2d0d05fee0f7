import { type Client, types } from "pg"
import { CannotStart } from "../../../core/kernel/cannot-start.ts"
import { type CopySource, type CopyTarget, liveReplicas, noteTables, setCounter } from "../../../core/sql/copying.ts"
import { migrationsFrom, requireNewest, unfinishedVersion } from "../../../core/sql/migrations.ts"
import type { RawDatabase, Table, Value } from "../../../core/sql/tables.ts"
import { parseDatabaseUrl } from "./address.ts"
import { clientConfig } from "./client.ts"
import { postgresDialect } from "./dialect.ts"
import { createVersion, readPostgresVersion, transaction } from "./migrate.ts"
import { Primary } from "./primary.ts"
import { connectFirst, explainStart } from "./server.ts"

/** Opens a database to copy from, and keeps services from starting on it. Throws CannotStart when one is running. */
export async function openPostgresSource(url: string): Promise<CopySource> {
  const { client, raw, name } = await open(url)
  try {
    requireNewest(await versionOf(client, name), `The database at ${name}`)
    // A starting service writes its heartbeat, which this lock blocks.
    const lock = "BEGIN ISOLATION LEVEL REPEATABLE READ; LOCK TABLE replicas IN SHARE MODE"
    await explainStart({ name }, () => client.query(lock))
    if ((await liveReplicas(raw)) > 0)
      throw new CannotStart(
        `A service is using the database at ${name}: stop all of them, and wait 15 seconds if one was killed`,
      )
  } catch (error) {
    await client.end()
    throw error
  }
  return {
    ...raw,
    async ids(tables) {
      const counters = await raw.query("SELECT name, last FROM counters")
      const generated: [string, bigint][] = []
      for (const { name } of tables.filter(({ hasGeneratedId }) => hasGeneratedId))
        generated.push([name, await lastOf(raw, await generatorOf(raw, name))])
      for (const sequence of await ownSequences(raw)) counters.push([counterOf(sequence), await lastOf(raw, sequence)])
      return {
        counters: new Map(counters.map(([name, last]) => [String(name), last as bigint])),
        generated: new Map(generated),
      }
    },
    [Symbol.asyncDispose]: () => client.end(),
  }
}

/** Opens an empty database to fill from this source, or one that an interrupted copy of it left. Throws CannotStart. */
export async function openPostgresTarget(url: string, source: string, tables: readonly Table[]): Promise<CopyTarget> {
  const { client, raw, name } = await open(url)
  const version = await versionOf(client, name)
  if (version === 0) {
    await explainStart({ name }, () => createVersion(client))
    await raw.transaction(async () => {
      await client.query("SELECT version FROM schema_version FOR UPDATE")
      for (const statement of migrationsFrom(0, postgresDialect)) await client.query(statement)
      await noteTables(raw, tables)
      await client.query("CREATE TABLE unfinished (source TEXT NOT NULL)")
      await raw.query("INSERT INTO unfinished (source) VALUES ($1)", [source])
      await client.query(`UPDATE schema_version SET version = ${unfinishedVersion}`)
    })
  } else if (version !== unfinishedVersion || (await raw.query("SELECT source FROM unfinished"))[0]?.[0] !== source) {
    await client.end()
    throw new CannotStart(`The database at ${name} holds a Petstore already: create an empty one`)
  }
  return {
    ...raw,
    async setIds({ counters, generated }) {
      const sequences = await ownSequences(raw)
      for (const [counter, last] of counters) {
        const sequence = sequences.find((own) => counterOf(own) === counter)
        if (sequence === undefined) await setCounter(raw, counter, last)
        else await setLast(raw, sequence, last)
      }
      for (const [table, last] of generated) await setLast(raw, await generatorOf(raw, table), last)
    },
    async setVersion(to) {
      await client.query("DROP TABLE unfinished")
      await client.query(`UPDATE schema_version SET version = ${to}`)
    },
    [Symbol.asyncDispose]: () => client.end(),
  }
}

const versionOf = async (client: Client, name: string): Promise<number> =>
  Number((await explainStart({ name }, () => readPostgresVersion(client))) ?? 0)

/** Sequences that replace rows of `counters`. */
async function ownSequences({ query }: RawDatabase): Promise<string[]> {
  const sequences = "SELECT sequence_name FROM information_schema.sequences"
  return (await query(`${sequences} WHERE sequence_name LIKE '%\\_ids' ORDER BY 1`)).map(([name]) => String(name))
}

const counterOf = (sequence: string): string => sequence.replace(/_ids$/, "")

/** The sequence behind a generated id. */
const generatorOf = async ({ query }: RawDatabase, table: string): Promise<string> =>
  String((await query("SELECT pg_get_serial_sequence($1, 'id')", [table]))[0]?.[0])

async function lastOf({ query }: RawDatabase, sequence: string): Promise<bigint> {
  const [row] = await query(`SELECT CASE WHEN is_called THEN last_value ELSE last_value - 1 END FROM ${sequence}`)
  return row?.[0] as bigint
}

const setLast = ({ query }: RawDatabase, sequence: string, last: bigint): Promise<Value[][]> =>
  query("SELECT setval($1, $2, false)", [sequence, last + 1n])

async function open(url: string): Promise<{ client: Client; raw: RawDatabase; name: string }> {
  const address = parseDatabaseUrl(url)
  const first = await connectFirst(address)
  await first.client.end()
  const client = await new Primary(address.urls, { ...clientConfig, types: { getTypeParser } }).connect()
  const raw: RawDatabase = {
    dialect: postgresDialect,
    query: (text, values = []) =>
      explainStart(
        address,
        async () => (await client.query({ text, values: [...values], rowMode: "array" })).rows as Value[][],
      ),
    transaction: (work) => transaction(client, work),
  }
  return { client, raw, name: address.name }
}

/** Integers are never rounded. */
const getTypeParser = ((oid: number, format?: "text") =>
  oid === types.builtins.INT8 ? BigInt : types.getTypeParser(oid, format)) as typeof types.getTypeParser
