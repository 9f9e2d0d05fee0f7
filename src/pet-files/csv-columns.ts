import type { Pet } from "../core/domain/pets/contract.ts"
import type { PetRecord } from "../core/domain/pets/records/contract.ts"
import { joinList, readTags, readUrls, type TagSeparator } from "./csv-lists.ts"
import { quoteField } from "./csv-records.ts"

/** The columns of CSV files that an import reads, in the order of an export. */
export const csvColumns = demandEvery(["id", "name", "category", "status", "tags", "photoUrls"], {})
export type CsvColumn = (typeof csvColumns)[number]

/** The columns of an export. An import ignores the times: a pet is added when it is imported. */
export const exportColumns = [...csvColumns, "createdAt", "updatedAt"] as const

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

/** Whether several columns of a file may be mapped to the column. */
export const isListColumn = (column: CsvColumn): boolean => column === "tags" || column === "photoUrls"

/** Maps titles to columns: those in `columns`, and each other column once, to the title that is nearest to its name. */
export function mapColumns(
  titles: readonly string[],
  columns: ReadonlyMap<string, CsvColumn | undefined> = new Map(),
): MappedColumn[] {
  const taken = new Set<CsvColumn | undefined>()
  const mapped = titles.map((title): MappedColumn => {
    const column = columns.get(title.trim())
    if (column !== undefined && taken.has(column) && !isListColumn(column)) return { title, column: undefined }
    taken.add(column)
    return { title, column }
  })
  for (const way of ways)
    for (const each of mapped) {
      const column = columns.has(each.title.trim()) ? undefined : way(each.title)
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
    if (column !== undefined) setColumn(value, column, text, separator)
  }
  return value
}

/** Sets a member of a pet from text. Several texts are one list. */
export function setColumn(
  value: Record<string, unknown>,
  column: CsvColumn,
  text: string,
  separator?: TagSeparator,
): void {
  if (column === "photoUrls") value.photoUrls = append(value.photoUrls, readUrls(text))
  else if (column === "tags") value.tags = append(value.tags, toTags(readTags(text, separator)))
  else if (text.trim() !== "") value[column] = readers[column](text)
}

/** Adds items to a list; text that is no list is kept, so that validation refuses it. */
function append(list: unknown, items: readonly unknown[] | string): unknown {
  if (list === undefined || typeof items === "string") return items
  return Array.isArray(list) ? [...list, ...items] : list
}

const toTags = (tags: readonly string[] | string) => (typeof tags === "string" ? tags : tags.map((name) => ({ name })))

const readers = {
  // Data frames write integers of a column with missing values as `1.0`.
  id: (text: string) => (/^\s*\d+(\.0+)?\s*$/.test(text) ? Number(text) : text),
  name: (text: string) => text,
  category: (name: string) => ({ name }),
  status: (text: string) => text.trim().toLowerCase(),
}

const writers: Record<(typeof exportColumns)[number], (pet: PetRecord) => string> = {
  id: ({ id }) => String(id),
  name: ({ name }) => name,
  category: ({ category }) => category?.name ?? "",
  status: ({ status }) => status,
  tags: ({ tags }) => joinList(tags.map(({ name }) => name)),
  photoUrls: ({ photoUrls }) => joinList(photoUrls, readUrls),
  createdAt: ({ createdAt = "" }) => createdAt,
  updatedAt: ({ updatedAt = "" }) => updatedAt,
}

export const petToCsv = (pet: PetRecord): string => csvLine(exportColumns.map((column) => writers[column](pet)))

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
