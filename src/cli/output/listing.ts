import type { Endpoint } from "../../core/kernel/endpoint/endpoint.ts"
import type { JsonSchema } from "../../core/kernel/schema/type.ts"
import { csvLine } from "../../pet-files/csv-columns.ts"
import { joinList } from "../../pet-files/csv-lists.ts"
import { type CommandInput, type Flag, isOn, UsageError, type World } from "../command/command.ts"
import { createTable, toFields, toText } from "./table.ts"

/** The output format of a list: the columns of its rows, and whether they were chosen, so that none is left out. */
export type Listing = { columns: readonly string[]; isChosen: boolean; isCsv: boolean }

/** These columns are shown however narrow the terminal is. */
const columnsMin = 2

/**
 * The columns of an endpoint's list; empty when the response is not a list. Id and name come first, the others in the order of the
 * contract, then lists, and last the address of what has a name.
 */
export function columnsOf({ response }: Endpoint): readonly string[] {
  const properties = (response as JsonSchema).items?.properties ?? {}
  const rankOf = ([name, { type }]: [string, JsonSchema]): number => {
    const first = ["id", "name"].indexOf(name)
    if (first >= 0) return first
    return name === "url" && "name" in properties ? 4 : type === "array" ? 3 : 2
  }
  return Object.entries(properties)
    .sort((one, other) => rankOf(one) - rankOf(other))
    .map(([name]) => name)
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
  return { columns: columns ?? available, isChosen: columns !== undefined, isCsv }
}

/** Formats pages of items; the first call includes the column names. CSV contains lists in the format of the import. */
export function createRows(
  { columns, isChosen, isCsv }: Listing,
  { terminal }: Pick<World, "terminal">,
): (items: readonly unknown[]) => string {
  if (!isCsv)
    return createTable(columns, terminal, isChosen ? {} : { lessImportant: columns.slice(columnsMin).reverse() })
  let head = csvLine(columns)
  return (items) => {
    const rows = items.map((item) => csvLine(columns.map((column) => toText(toFields(item)[column], joinList))))
    const text = head + rows.join("")
    head = ""
    return text
  }
}
