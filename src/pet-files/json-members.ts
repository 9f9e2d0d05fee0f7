import { type CsvColumn, setColumn } from "./csv-columns.ts"

/** Maps members of an object to those of a pet. Text is read like a field of CSV; other values are kept. */
export function mapMembers(value: object, map: ReadonlyMap<string, CsvColumn | undefined>): object {
  const others = Object.entries(value).filter(([key]) => !map.has(key))
  const isTaken = new Set<string | undefined>(map.values())
  const mapped: Record<string, unknown> = Object.fromEntries(others.filter(([key]) => !isTaken.has(key)))
  for (const [key, column] of map) {
    if (column === undefined || !Object.hasOwn(value, key)) continue
    const member: unknown = value[key as keyof typeof value]
    if (typeof member === "string") setColumn(mapped, column, member)
    else if (isTexts(member)) setColumn(mapped, column, JSON.stringify(member))
    else mapped[column] = member
  }
  return mapped
}

const isTexts = (member: unknown): member is string[] =>
  Array.isArray(member) && member.every((each) => typeof each === "string")
