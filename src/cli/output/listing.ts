import type { Endpoint } from "../../core/kernel/endpoint/endpoint.ts"
import type { JsonSchema } from "../../core/kernel/schema/type.ts"
import { csvLine } from "../../pet-files/csv-columns.ts"
import { joinList } from "../../pet-files/csv-lists.ts"
import { type CommandInput, type Flag, isOn, UsageError, type World } from "../command/command.ts"
import { createTable, toFields, toText } from "./table.ts"

/** The output format of a list: the columns of its rows. */
export type Listing = { columns: readonly string[]; isCsv: boolean }

/** The columns of an endpoint's list, in the order of its contract; empty when the response is not a list. */
export function columnsOf({ response }: Endpoint): readonly string[] {
  return Object.keys((response as JsonSchema).items?.properties ?? {})
}

export const listingFlags = (columns: readonly string[]): Flag[] => [
  {
    name: "columns",
    value: "NAME,…",
    choices: columns,
    many: true,
    meaning: `Only these columns: ${columns.join(", ")}`,
  },
  { name: "csv", meaning: "Print CSV (RFC 4180) with column names in the first line" },
]

/** Reads the flags of a list; throws UsageError for unknown columns and conflicting flags. */
export function readListing(input: CommandInput, available: readonly string[], { json }: Pick<World, "json">): Listing {
  const columns = input.flags.columns?.flatMap((text) => String(text).split(","))
  const isCsv = isOn(input, "csv")
  if (json && (columns || isCsv)) throw new UsageError("--json cannot be combined with --columns or --csv")
  const unknown = columns?.find((column) => !available.includes(column))
  if (unknown !== undefined)
    throw new UsageError(`unknown column ${JSON.stringify(unknown)}; columns are ${available.join(", ")}`)
  return { columns: columns ?? available, isCsv }
}

/** Formats pages of items; the first call includes the column names. CSV contains lists in the format of the import. */
export function createRows(
  { columns, isCsv }: Listing,
  { terminal }: Pick<World, "terminal">,
): (items: readonly unknown[]) => string {
  if (!isCsv) return createTable(columns, terminal)
  let head = csvLine(columns)
  return (items) => {
    const rows = items.map((item) => csvLine(columns.map((column) => toText(toFields(item)[column], joinList))))
    const text = head + rows.join("")
    head = ""
    return text
  }
}
