/** Separators of tags in a field. One that comes earlier is the separator when a field or a column has several. */
const tagSeparators = ["|", ";", ",", "\t"] as const
export type TagSeparator = (typeof tagSeparators)[number]

/** Reads the items of a field; the text itself when it looks like a list of another notation. */
type ReadList = (text: string) => string[] | string

/** Reads tags: a JSON array, one on each line, or with the separator of the column or an earlier one; with any when it is unknown. */
export function readTags(text: string, ofColumn?: TagSeparator): string[] | string {
  return readNotation(text) ?? trimItems(text.split(separatorIn([text], ofColumn) ?? tagSeparators[0]))
}

/** The separator that texts have in common: the earliest one in any of them. Undefined when there is none. */
export function separatorIn(texts: readonly string[], last?: TagSeparator): TagSeparator | undefined {
  const known = last === undefined ? tagSeparators : tagSeparators.slice(0, tagSeparators.indexOf(last) + 1)
  return known.find((separator) => texts.some((text) => readNotation(text) === undefined && text.includes(separator)))
}

/** Reads photo URLs: a JSON array, one on each line, or separated by `|`, or by commas and semicolons that are not part of a URL. */
export function readUrls(text: string): string[] | string {
  return readNotation(text) ?? trimItems(text.split(text.includes("|") ? "|" : betweenUrls(text)))
}

/** A comma or semicolon that is followed by a space or an absolute URL; between relative ones, by the name of an image. */
const betweenUrls = (text: string): RegExp =>
  text.includes("://")
    ? /[,;](?:\s+|(?=[a-z]+:\/\/))/i
    : /[,;]\s+|(?<=\.(?:jpe?g|png|gif|webp|avif))[,;](?=[^,;]*\.(?:jpe?g|png|gif|webp|avif)\b)/i

/** The items of a list on lines, or of a JSON array; the text when it is in other brackets; undefined for any other text. */
function readNotation(text: string): string[] | string | undefined {
  if (text.endsWith("\n")) return trimItems(text.split("\n"))
  const trimmed = text.trim()
  if (/^\[.*\]$|^\{.*\}$/s.test(trimmed)) return readJsonList(trimmed) ?? text
  return text.includes("\n") ? trimItems(text.split("\n")) : undefined
}

function readJsonList(text: string): string[] | undefined {
  let items: unknown
  try {
    items = JSON.parse(text)
  } catch {
    return undefined
  }
  const names = Array.isArray(items) ? items.map((item) => (isNamed(item) ? item.name : item)) : undefined
  return names?.every((name) => typeof name === "string" || typeof name === "number")
    ? trimItems(names.map(String))
    : undefined
}

const isNamed = (item: unknown): item is { name: unknown } =>
  typeof item === "object" && item !== null && "name" in item

const trimItems = (items: readonly string[]): string[] => items.map((item) => item.trim()).filter((item) => item !== "")

/** Joins items with bars; on lines when they would not be read as the same items. */
export function joinList(items: readonly string[], read: ReadList = readTags): string {
  const joined = items.join("|")
  const found = read(joined)
  const isSame =
    typeof found !== "string" && found.length === items.length && found.every((item, n) => item === items[n])
  return isSame ? joined : items.map((item) => `${item}\n`).join("")
}
