import type { Pet } from "../domain/pets/contract.ts"
import { joinList, readTags, readUrls, type TagSeparator } from "./csv-lists.ts"
import { quoteField } from "./csv-records.ts"

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

/** A column of a file: its title, the column it is mapped to, or undefined when it is ignored, and the separator of its tags, when the file shows it. */
export type MappedColumn = { title: string; column: CsvColumn | undefined; separator?: TagSeparator | undefined }

/** Titles of other programs, in the spelling of `spellingOf`. */
const otherTitles: Record<string, CsvColumn> = {
  ...mapEach("id", ["petid"]),
  ...mapEach("name", ["petname", "animalname"]),
  ...mapEach("category", ["categoryname", "species", "speciesname", "type", "kind", "animaltype", "pettype"]),
  ...mapEach("status", ["petstatus"]),
  ...mapEach("tags", ["tag"]),
  ...mapEach("photoUrls", ["photourl", "photos", "photo", "image", "images", "imageurl", "img", "picture", "pictures"]),
}

function mapEach(column: CsvColumn, titles: readonly string[]): Record<string, CsvColumn> {
  return Object.fromEntries(titles.map((title) => [title, column]))
}

/** The ways to find the column of a title, the most exact one first. */
const ways: ((title: string) => CsvColumn | undefined)[] = [
  (title) => csvColumns.find((column) => column === title),
  (title) => csvColumns.find((column) => column.toLowerCase() === spellingOf(title)),
  (title) => (Object.hasOwn(otherTitles, spellingOf(title)) ? otherTitles[spellingOf(title)] : undefined),
]

/** A title without case, spaces and punctuation: `Photo URLs` and `photo_urls` are the same. Digits and letters distinguish titles. */
const spellingOf = (title: string): string => title.toLowerCase().replace(/[\s\p{P}\p{C}]/gu, "")

/** Maps titles to columns: each column once, to the title that is nearest to its name. */
export function mapColumns(titles: readonly string[]): MappedColumn[] {
  const mapped = titles.map((title): MappedColumn => ({ title, column: undefined }))
  const taken = new Set<CsvColumn>()
  for (const way of ways)
    for (const each of mapped) {
      const column = each.column ?? way(each.title)
      if (column === undefined || taken.has(column)) continue
      taken.add(column)
      each.column = column
    }
  return mapped
}

/** Converts the fields of a record to a body of `POST /pet`. */
export function fieldsToValue(columns: readonly MappedColumn[], fields: readonly string[]): object {
  const value: Record<string, unknown> = { photoUrls: [] }
  for (const [n, { column, separator }] of columns.entries()) {
    const text = unescapeFormula(fields[n] ?? "")
    if (column === "photoUrls") value.photoUrls = readUrls(text)
    else if (column === "tags") value.tags = toTags(readTags(text, separator))
    else if (column !== undefined && text.trim() !== "") value[column] = readers[column](text)
  }
  return value
}

const toTags = (tags: readonly string[] | string) => (typeof tags === "string" ? tags : tags.map((name) => ({ name })))

const readers = {
  id: (text: string) => (/^\s*\d+\s*$/.test(text) ? Number(text) : text),
  name: (text: string) => text,
  category: (name: string) => ({ name }),
  status: (text: string) => text.trim().toLowerCase(),
}

/** Formats a pet as a CSV line. */
export const petToCsv = ({ id, name, category, status, tags, photoUrls }: Pet): string =>
  csvLine([
    String(id),
    name,
    category?.name ?? "",
    status,
    joinList(tags.map((tag) => tag.name)),
    joinList(photoUrls, readUrls),
  ])

/** Formats fields as a CSV line, with formulas escaped for spreadsheets. */
export const csvLine = (fields: readonly string[]): string =>
  `${fields.map((field) => quoteField(escapeFormula(field))).join(",")}\r\n`

/**
 * Text that spreadsheets would evaluate as a formula gets an apostrophe (OWASP, CSV injection), which reading removes again. Some
 * spreadsheets also evaluate the full-width forms of `=`, `+`, `-` and `@`.
 */
const formula = /^'*[=+\-@\t\r\n＝＋－＠]/
const escapeFormula = (text: string): string => (formula.test(text) ? `'${text}` : text)
const unescapeFormula = (text: string): string => (text.startsWith("'") && formula.test(text) ? text.slice(1) : text)
