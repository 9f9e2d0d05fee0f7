import { hash } from "node:crypto"
import { keyOf, type RawDatabase, readRows, type Table, type Value } from "../../../core/sql/tables.ts"

const pageSize = 1000
const modulus = 2n ** 256n

/**
 * A checksum of a table's rows: the sum of their SHA-256, which is independent of their order, because databases sort text
 * differently.
 */
export async function sumOfRows(database: RawDatabase, table: Table): Promise<{ count: number; sum: bigint }> {
  let [count, sum] = [0, 0n]
  for (let last: Value[] | undefined; ; ) {
    const rows = await readRows(database, table, last, pageSize)
    for (const row of rows) sum = (sum + BigInt(`0x${hash("sha256", formatRow(row))}`)) % modulus
    count += rows.length
    if (rows.length < pageSize) return { count, sum }
    last = keyOf(table, rows.at(-1) ?? [])
  }
}

/** Distinguishes 1 from "1". */
const formatRow = (row: readonly Value[]): string =>
  JSON.stringify(row.map((value) => (typeof value === "bigint" ? [String(value)] : value)))
