import type { MappedColumn } from "./csv-columns.ts"
import type { Drafted } from "./draft.ts"
import type { Line } from "./lines.ts"

export type LineContent = Drafted | { blank: true }

/** A file of pets: its lines, records or elements, and the function that reads them. */
export type PetFile = {
  /** The column mapping of a CSV file. */
  columns: readonly MappedColumn[] | undefined
  lines: AsyncIterable<Line>
  read(line: Line): LineContent
}
