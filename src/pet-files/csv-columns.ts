import type { Pet } from "../domain/pets/contract.ts"

/** The columns of CSV files, in the order of an export. */
export const csvColumns = demandEvery(["id", "name", "category", "status", "tags", "photoUrls"], {})
type CsvColumn = (typeof csvColumns)[number]

/** The columns. Each other member of a pet does not compile without the reason why files do not have it. */
function demandEvery<const Columns extends readonly (keyof Pet)[]>(
  columns: Columns,
  _others: Record<Exclude<keyof Pet, Columns[number]>, { hidden: string }>,
): Columns {
  return columns
}

/** A column of a file: its title, and the column it is mapped to; undefined when it is ignored. */
export type MappedColumn = { title: string; column: CsvColumn | undefined }

const names: Record<string, CsvColumn> = {
  ...Object.fromEntries(csvColumns.map((column) => [column.toLowerCase(), column])),
  ...{ petid: "id", petname: "name", categoryname: "category", tag: "tags" },
  ...{ photourl: "photoUrls", photos: "photoUrls", photo: "photoUrls" },
}

/** Maps titles to columns in any spelling: `Photo URLs`, `photo_urls`. A column is mapped once. */
export function mapColumns(titles: readonly string[]): MappedColumn[] {
  const mapped = new Set<CsvColumn>()
  return titles.map((title) => {
    const column = names[title.toLowerCase().replace(/[^a-z]/g, "")]
    if (column === undefined || mapped.has(column)) return { title, column: undefined }
    mapped.add(column)
    return { title, column }
  })
}

/** Converts the fields of a record to a body of `POST /pet`. */
export function fieldsToValue(columns: readonly MappedColumn[], fields: readonly string[]): object {
  const value: Record<string, unknown> = { photoUrls: [] }
  for (const [n, { column }] of columns.entries()) {
    const text = unescapeFormula(fields[n] ?? "")
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

/** Formats a pet as a CSV line. */
export const petToCsv = ({ id, name, category, status, tags, photoUrls }: Pet): string =>
  csvLine([String(id), name, category?.name ?? "", status, joinList(tags.map((tag) => tag.name)), joinList(photoUrls)])

/** Formats fields as a CSV line, with formulas escaped for spreadsheets. */
export const csvLine = (fields: readonly string[]): string =>
  `${fields.map((field) => quoteField(escapeFormula(field))).join(",")}\r\n`

const quoteField = (text: string): string => (/[",;\r\n\t]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text)

/**
 * Text that spreadsheets would evaluate as a formula gets an apostrophe (OWASP, CSV injection), which reading removes again. Some
 * spreadsheets also evaluate the full-width forms of `=`, `+`, `-` and `@`.
 */
const formula = /^'*[=+\-@\t\r\n＝＋－＠]/
const escapeFormula = (text: string): string => (formula.test(text) ? `'${text}` : text)
const unescapeFormula = (text: string): string => (text.startsWith("'") && formula.test(text) ? text.slice(1) : text)

/** Joins items with bars; with line feeds if an item contains a bar. */
export const joinList = (items: readonly string[]): string =>
  items.some((item) => item.includes("|")) ? items.map((item) => `${item}\n`).join("") : items.join("|")
const splitList = (text: string): string[] =>
  text
    .split(text.includes("\n") ? "\n" : "|")
    .map((item) => item.trim())
    .filter((item) => item !== "")
