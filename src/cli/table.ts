import stringWidth from "string-width"

const cellWidthMax = 48
const gap = "  "

/** Aligned columns of items; the header comes with the first call, whose widths later calls keep. */
export function tabulator(): (items: readonly unknown[]) => string {
  let columns: string[] | undefined
  let widths: number[] = []
  return (items) => {
    const rows: string[][] = []
    if (!columns) {
      columns = [...new Set(items.flatMap((item) => Object.keys(membersOf(item))))]
      rows.push(columns)
    }
    for (const item of items) rows.push(columns.map((column) => clip(cell(membersOf(item)[column]))))
    widths = columns.map((_, n) => Math.max(widths[n] ?? 0, ...rows.map((row) => stringWidth(row[n] as string))))
    return rows.map((row) => line(row, widths)).join("")
  }
}

/** One member a line, names in one column and values in the other. */
export function record(value: object): string {
  const rows = Object.entries(value).map(([name, member]) => [name, cell(member)])
  const widest = Math.max(0, ...rows.map(([name]) => stringWidth(name as string)))
  return rows.map((row) => line(row, [widest, 0])).join("")
}

const membersOf = (item: unknown): Record<string, unknown> =>
  typeof item === "object" && item !== null ? (item as Record<string, unknown>) : { value: item }

const line = (cells: readonly string[], widths: readonly number[]): string =>
  `${cells
    .map((text, n) => text + " ".repeat(Math.max(0, (widths[n] as number) - stringWidth(text))))
    .join(gap)
    .trimEnd()}\n`

/** A value as people read it: things by their names, lists with commas. */
function cell(value: unknown): string {
  if (value === undefined || value === null) return ""
  if (Array.isArray(value)) return value.map(cell).join(", ")
  if (typeof value !== "object") return visible(String(value))
  return "name" in value ? cell(value.name) : visible(JSON.stringify(value))
}

/** Text that cannot move the cursor, change colours or turn the direction of what is around it. */
export const visible = (text: string): string =>
  text.replace(
    /[\p{Cc}\u2028-\u202e\u2066-\u2069]/gu,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  )

const graphemes = new Intl.Segmenter("en")

/** The text, or as much of it as leaves a column for the ellipsis. */
function clip(text: string): string {
  if (stringWidth(text) <= cellWidthMax) return text
  let kept = ""
  let width = 0
  for (const { segment } of graphemes.segment(text)) {
    width += stringWidth(segment)
    if (width >= cellWidthMax) break
    kept += segment
  }
  return `${kept}…`
}
