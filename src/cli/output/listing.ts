import type { Endpoint } from "../../kernel/endpoint.ts"
import type { JsonSchema } from "../../kernel/schema/type.ts"
import { csvLine, joinList } from "../../pet-files/csv-columns.ts"
import { type CommandInput, type Flag, isOn, UsageError, type World } from "../command.ts"
import { createTable, toFields, toText } from "./table.ts"

/** How the items of a list are written: as rows with these columns. */
export type Listing = { columns: readonly string[]; isCsv: boolean }

/** The columns of what an endpoint lists, in the order of its contract; none when it does not respond with a list. */
export function columnsOf({ answer }: Endpoint): readonly string[] {
  return Object.keys((answer as JsonSchema).items?.properties ?? {})
}

export const listingFlags = (columns: readonly string[]): Flag[] => [
  {
    name: "columns",
    value: "NAME,…",
    choices: columns,
    many: true,
    meaning: `Only these columns: ${columns.join(", ")}`,
  },
  { name: "csv", meaning: "Print CSV (RFC 4180) with the names of the columns on the first line" },
]

/** Reads the flags of a list; throws UsageError when they do not go together or name no column. */
export function readListing(given: CommandInput, known: readonly string[], { json }: World): Listing {
  const columns = given.flags.columns?.flatMap((text) => String(text).split(","))
  const isCsv = isOn(given, "csv")
  if (json && (columns || isCsv)) throw new UsageError("--json prints everything as it is, without --columns or --csv")
  const unknown = columns?.find((column) => !known.includes(column))
  if (unknown !== undefined)
    throw new UsageError(`there is no column ${JSON.stringify(unknown)} here; these are: ${known.join(", ")}`)
  return { columns: columns ?? known, isCsv }
}

/** Formats the items of one page after the other; the first call begins with the names of the columns. CSV has lists as an import takes them. */
export function createRows({ columns, isCsv }: Listing): (items: readonly unknown[]) => string {
  if (!isCsv) return createTable(columns)
  let head = csvLine(columns)
  return (items) => {
    const rows = items.map((item) => csvLine(columns.map((column) => toText(toFields(item)[column], joinList))))
    const text = head + rows.join("")
    head = ""
    return text
  }
}
