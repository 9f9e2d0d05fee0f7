import { type CsvColumn, csvColumns, isListColumn } from "./csv-columns.ts"

/** How to read a file, besides what it says itself. */
export type ReadOptions = {
  /** Ignore the ids of pets, also those that the service would refuse. */
  newIds?: boolean
  /** The columns of titles in CSV, or of members in JSON, for titles of other names; undefined for one to ignore. */
  map?: ReadonlyMap<string, CsvColumn | undefined>
  /** Titles of CSV whose first line has none. */
  titles?: readonly string[] | undefined
}

/** Reads assignments such as `species=category`. Throws InvalidMapping. */
export function parseMap(assignments: readonly string[]): ReadonlyMap<string, CsvColumn | undefined> {
  const map = new Map<string, CsvColumn | undefined>()
  for (const assignment of assignments) {
    const at = assignment.lastIndexOf("=")
    const [title, name] = [assignment.slice(0, at).trim(), assignment.slice(at + 1).trim()]
    const column = csvColumns.find((each) => each.toLowerCase() === name.toLowerCase())
    if (at === -1 || title === "" || (column === undefined && name !== ignored))
      throw new InvalidMapping(
        `${JSON.stringify(assignment)} is not TITLE=COLUMN; the columns are ${csvColumns.join(", ")}, and ${ignored} for one to ignore`,
      )
    if (map.has(title)) throw new InvalidMapping(`${JSON.stringify(title)} is mapped more than once`)
    const taken = [...map].find(([, each]) => each === column && column !== undefined && !isListColumn(column))
    if (taken) throw new InvalidMapping(`${taken[0]} and ${title} are both mapped to ${column}`)
    map.set(title, column)
  }
  return map
}

/** The members of JSON objects that name a pet. */
export const nameMembers = ({ map }: ReadOptions): ReadonlySet<string> =>
  new Set(["name", ...[...(map ?? [])].flatMap(([title, column]) => (column === "name" ? title : []))])

/** An assignment is not a title and a column, or contradicts another one. */
export class InvalidMapping extends Error {}

/** The name of no column. */
const ignored = "nothing"
