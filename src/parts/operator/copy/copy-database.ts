// Decision: docs/decisions/operator.md#a-copy-between-databases-reads-tables-not-nouns

import { CannotStart } from "../../../core/kernel/cannot-start.ts"
import {
  adaptEvents,
  type CopySource,
  type CopyTarget,
  notCopied,
  noteRows,
  parseKey,
  progressOf,
  readInventory,
  setInventory,
} from "../../../core/sql/copying.ts"
import { migrations } from "../../../core/sql/migrations.ts"
import { addRows, quote, readRows, type Table } from "../../../core/sql/tables.ts"
import type { Report } from "../contract.ts"
import { sumOfRows } from "./row-sum.ts"

/** Rows per transaction. */
const batchSize = 500

export const tablesToCopy = (tables: readonly Table[]): Table[] => tables.filter(({ name }) => !(name in notCopied))

/**
 * Copies all rows and compares both databases; only then can a service start on the target. An interrupted copy is continued.
 * Throws CannotStart. Returns the number of rows of each table.
 */
export async function copyRows(
  source: CopySource,
  target: CopyTarget,
  tables: readonly Table[],
  report: Report,
): Promise<Record<string, number>> {
  const copied = await progressOf(target)
  const total = await countRows(source, tables)
  let done = [...copied.values()].reduce((sum, { count }) => sum + Number(count), 0)
  for (const table of tables)
    for await (const count of copyTable(source, target, table, copied.get(table.name)?.last ?? null)) {
      done += count
      report("copying", done, total, "rows")
    }
  const counts = await compare(source, target, tables, total, report)
  const [ids, inventory] = [await source.ids(tables), await readInventory(source)]
  await target.transaction(async () => {
    await target.setIds(ids)
    await adaptEvents(target)
    await setInventory(target, inventory)
    await target.query("DROP TABLE copied")
    await target.setVersion(migrations.length)
  })
  return counts
}

/** Yields the number of rows that each transaction copied. */
async function* copyTable(
  source: CopySource,
  target: CopyTarget,
  table: Table,
  from: string | null,
): AsyncGenerator<number> {
  for (let last = from; ; ) {
    const rows = await readRows(source, table, last === null ? undefined : parseKey(table, last), batchSize)
    if (rows.length === 0) return
    const before = last
    await target.transaction(async () => {
      last = await noteRows(target, table, before, rows)
      await addRows(target, table, rows)
    })
    yield rows.length
  }
}

async function countRows({ query }: CopySource, tables: readonly Table[]): Promise<number> {
  let total = 0
  for (const { name } of tables) total += Number((await query(`SELECT count(*) FROM ${quote(name)}`))[0]?.[0])
  return total
}

async function compare(
  source: CopySource,
  target: CopyTarget,
  tables: readonly Table[],
  total: number,
  report: Report,
): Promise<Record<string, number>> {
  const counts: Record<string, number> = {}
  let done = 0
  for (const table of tables) {
    const [expected, actual] = [await sumOfRows(source, table), await sumOfRows(target, table)]
    if (expected.count !== actual.count || expected.sum !== actual.sum)
      throw new CannotStart(
        `${table.name} differs: ${expected.count} rows in the source, ${actual.count} in the target. If the source was used ` +
          "during the copy, empty the target and copy again",
      )
    counts[table.name] = expected.count
    done += expected.count
    report("comparing", done, total, "rows")
  }
  return counts
}
