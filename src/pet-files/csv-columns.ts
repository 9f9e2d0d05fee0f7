import type { Pet } from "../domain/pets/contract.ts"

/** What a column of a CSV file stands for, in the order an export has them. */
export const csvColumns = ["id", "name", "category", "status", "tags", "photoUrls"] as const
type CsvColumn = (typeof csvColumns)[number]

/** A column of a file: how it is called there, and what it is taken for; undefined when for nothing. */
export type MappedColumn = { title: string; column: CsvColumn | undefined }

const names: Record<string, CsvColumn> = {
  ...Object.fromEntries(csvColumns.map((column) => [column.toLowerCase(), column])),
  ...{ petid: "id", petname: "name", categoryname: "category", tag: "tags" },
  ...{ photourl: "photoUrls", photos: "photoUrls", photo: "photoUrls" },
}

/** Takes each title for the column it names, however that is written: `Photo URLs`, `photo_urls`. Each is taken once. */
export function mapColumns(titles: readonly string[]): MappedColumn[] {
  const taken = new Set<CsvColumn>()
  return titles.map((title) => {
    const column = names[title.toLowerCase().replace(/[^a-z]/g, "")]
    if (column === undefined || taken.has(column)) return { title, column: undefined }
    taken.add(column)
    return { title, column }
  })
}

/** The value of a new pet that the fields of a record stand for, as the body of `POST /pet` would have it. */
export function fieldsToValue(columns: readonly MappedColumn[], fields: readonly string[]): object {
  const value: Record<string, unknown> = { photoUrls: [] }
  for (const [n, { column }] of columns.entries()) {
    const text = plainText(fields[n] ?? "")
    if (column === "photoUrls") value.photoUrls = splitList(text)
    else if (column === "tags") value.tags = splitList(text).map((name) => ({ name }))
    else if (column !== undefined && text.trim() !== "") value[column] = readers[column](text)
  }
  return value
}

const readers = {
  id: (text: string) => (/^\s*\d+\s*$/.test(text) ? Number(text) : text),
  name: (text: string) => text,
  category: (name: string) => ({ name }),
  status: (text: string) => text.trim().toLowerCase(),
}

/** A pet as the line of an export. */
export const petToCsv = ({ id, name, category, status, tags, photoUrls }: Pet): string =>
  csvLine([String(id), name, category?.name ?? "", status, joinList(tags.map((tag) => tag.name)), joinList(photoUrls)])

/** Fields as a line of CSV that spreadsheets show and do not calculate. */
export const csvLine = (fields: readonly string[]): string =>
  `${fields.map((field) => quoteField(spared(field))).join(",")}\r\n`

const quoteField = (text: string): string => (/[",;\r\n\t]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text)

/**
 * What spreadsheets would take for a formula gets an apostrophe (OWASP, CSV injection), which reading takes away again. Some of
 * them read the full-width forms as `=`, `+`, `-` and `@`.
 */
const formula = /^'*[=+\-@\t\r\n＝＋－＠]/
const spared = (text: string): string => (formula.test(text) ? `'${text}` : text)
const plainText = (text: string): string => (text.startsWith("'") && formula.test(text) ? text.slice(1) : text)

/** Items stand one a line when there is more than one line, else between bars. */
export const joinList = (items: readonly string[]): string =>
  items.some((item) => item.includes("|")) ? items.map((item) => `${item}\n`).join("") : items.join("|")
const splitList = (text: string): string[] =>
  text
    .split(text.includes("\n") ? "\n" : "|")
    .map((item) => item.trim())
    .filter((item) => item !== "")
