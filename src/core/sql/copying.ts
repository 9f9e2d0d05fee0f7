import { CannotStart } from "../kernel/cannot-start.ts"
import { positionUnpublished } from "./migrations/0024-positions-at-insert.ts"
import { countLive } from "./nouns/replicas.ts"
import { keyOf, quote, type RawDatabase, type Table, type Value } from "./tables.ts"

/** A database at one end of a copy, which no service uses. */
type CopyEnd = RawDatabase & AsyncDisposable

export type CopyTarget = CopyEnd & {
  /** Sets the last ids: those in `counters` by name, and those that the database generates by table. */
  setIds(ids: Ids): Promise<void>
  /** Makes it a complete database; called in a transaction. */
  setVersion(version: number): Promise<void>
}

export type CopySource = CopyEnd & { ids(tables: readonly Table[]): Promise<Ids> }

type Ids = { counters: ReadonlyMap<string, bigint>; generated: ReadonlyMap<string, bigint> }

/** Tables that are not copied row by row, and why. */
export const notCopied: Readonly<Record<string, string>> = {
  counters: "the last ids given are set at the end: some databases keep them in sequences",
  inventory: "numbers of pets are set at the end: some databases keep them in parts",
  leases: "belong to running processes",
  replicas: "belong to running processes",
}

/** Tracks the progress of each table in the target, so that an interrupted copy can continue. */
export async function noteTables(target: RawDatabase, tables: readonly Table[]): Promise<void> {
  await target.query(
    `CREATE TABLE copied (name TEXT NOT NULL PRIMARY KEY, last TEXT, count ${target.dialect.integer} NOT NULL)`,
  )
  for (const { name } of tables) {
    await target.query(`INSERT INTO copied (name, count) VALUES (${target.dialect.placeholder(1)}, 0)`, [name])
    // The copy includes the rows that migrations added.
    await target.query(`DELETE FROM ${quote(name)}`)
  }
}

/** The key of the last row copied of each table, as text, and the number of rows. */
export async function progressOf(target: RawDatabase): Promise<Map<string, { last: string | null; count: bigint }>> {
  const rows = await target.query("SELECT name, last, count FROM copied")
  return new Map(
    rows.map(([name, last, count]) => [String(name), { last: last as string | null, count: count as bigint }]),
  )
}

/** Records that these rows are copied and returns their last key. Throws CannotStart when another copy is running. */
export async function noteRows(
  { query, dialect }: RawDatabase,
  table: Table,
  before: string | null,
  rows: readonly Value[][],
): Promise<string> {
  const last = formatKey(keyOf(table, rows.at(-1) ?? []))
  const [a, b, c, d] = [1, 2, 3, 4].map((n) => dialect.placeholder(n))
  const changed = await query(
    `UPDATE copied SET last = ${a}, count = count + ${b} WHERE name = ${c} AND last IS NOT DISTINCT FROM ${d} RETURNING name`,
    [last, BigInt(rows.length), table.name, before],
  )
  if (changed.length === 0) throw new CannotStart("Another petstore copy is filling the same database")
  return last
}

const formatKey = (key: readonly Value[]): string => JSON.stringify(key.map(String))

export function parseKey({ columns, key }: Table, text: string): Value[] {
  const isInteger = (name: string | undefined) => columns.find((column) => column.name === name)?.isInteger
  return (JSON.parse(text) as string[]).map((value, n) => (isInteger(key[n]) ? BigInt(value) : value))
}

/** The number of serving processes, by the database's clock. */
export const liveReplicas = async ({ query, dialect }: RawDatabase): Promise<number> =>
  Number((await query(countLive.text(dialect)))[0]?.[0])

export const readInventory = ({ query }: RawDatabase): Promise<Value[][]> =>
  query("SELECT status, CAST(sum(pets) AS BIGINT) FROM inventory GROUP BY status")

export async function setInventory({ query, dialect }: RawDatabase, inventory: readonly Value[][]): Promise<void> {
  await query("UPDATE inventory SET pets = 0")
  const [a, b] = [1, 2].map((n) => dialect.placeholder(n))
  const key = dialect.slots > 1 ? "status, slot" : "status"
  for (const [status = null, pets = null] of inventory)
    await query(
      `INSERT INTO inventory (status, slot, pets) VALUES (${a}, 0, ${b}) ON CONFLICT (${key}) DO UPDATE SET pets = excluded.pets`,
      [status, pets],
    )
}

/** Brings positions of unpublished events into the form of the target's dialect, once the counters are set. */
export async function adaptEvents({ query, dialect }: RawDatabase): Promise<void> {
  await query(
    dialect.name === "sqlite"
      ? positionUnpublished
      : "UPDATE events SET position = NULL WHERE position > (SELECT last FROM counters WHERE name = 'events')",
  )
}

export async function setCounter({ query, dialect }: RawDatabase, name: string, last: bigint): Promise<void> {
  await query(`UPDATE counters SET last = ${dialect.placeholder(1)} WHERE name = ${dialect.placeholder(2)}`, [
    last,
    name,
  ])
}
