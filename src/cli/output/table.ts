import stringWidth from "fast-string-width"
import { visible } from "../../kernel/visible.ts"

const cellWidthMax = 48
const gap = "  "

/** Formats items as aligned columns. The first call adds the header; later calls keep the column widths. */
export function createTable(columns: readonly string[]): (items: readonly unknown[]) => string {
  let head = [[...columns]]
  let widths: number[] = []
  return (items) => {
    const rows = head
    head = []
    for (const item of items) rows.push(columns.map((column) => clip(formatCell(toFields(item)[column]))))
    widths = columns.map((_, n) => Math.max(widths[n] ?? 0, ...rows.map((row) => stringWidth(row[n] as string))))
    return rows.map((row) => formatRow(row, widths)).join("")
  }
}

/** One field per line, names in one column and values in the other. */
export function formatRecord(value: object): string {
  const rows = Object.entries(value).map(([name, field]) => [name, formatCell(field)])
  const widest = Math.max(0, ...rows.map(([name]) => stringWidth(name as string)))
  return rows.map((row) => formatRow(row, [widest, 0])).join("")
}

export const toFields = (item: unknown): Record<string, unknown> =>
  typeof item === "object" && item !== null ? (item as Record<string, unknown>) : { value: item }

const formatRow = (cells: readonly string[], widths: readonly number[]): string =>
  `${cells
    .map((text, n) => text + " ".repeat(Math.max(0, (widths[n] as number) - stringWidth(text))))
    .join(gap)
    .trimEnd()}\n`

const formatCell = (value: unknown): string => visible(toText(value, (items) => items.join(", ")))

/** Formats a value as text: an object by its name, a list with `join`. */
export function toText(value: unknown, join: (items: string[]) => string): string {
  if (value === undefined || value === null) return ""
  if (Array.isArray(value)) return join(value.map((item) => toText(item, join)))
  if (typeof value !== "object") return String(value)
  return "name" in value ? toText(value.name, join) : JSON.stringify(value)
}

const graphemes = new Intl.Segmenter("en")

/** Shortens a text to the maximum width, including the ellipsis. */
function clip(text: string): string {
  if (stringWidth(text) <= cellWidthMax) return text
  let clipped = ""
  let width = 0
  for (const { segment } of graphemes.segment(text)) {
    width += stringWidth(segment)
    if (width >= cellWidthMax) break
    clipped += segment
  }
  return `${clipped}…`
}
