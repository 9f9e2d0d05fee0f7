import stringWidth from "fast-string-width"
import { mapValues } from "../../core/kernel/json/map-values.ts"
import { visible } from "../../core/kernel/visible.ts"
import type { Paint, Terminal } from "../command/command.ts"
import { describeClock, isClock } from "./describe-clock.ts"
import { describeLimit, isLimit } from "./describe-limit.ts"

const cellWidthMax = 48
/** The width to which a cell is shortened at most to fit a terminal. */
const cellWidthMin = 8
/** The width that a column keeps while others can be left out. */
const cellWidthKept = 24
const gap = "  "

type Output = Pick<Terminal, "width" | "paint">

type Look = {
  /** Whether a text that is wider than its column is cut, which is the default. */
  isCut?: boolean
  /** The format of the texts of a column. */
  paint?: Record<string, (text: string) => Parameters<Paint>[0]>
  /** Columns to leave out, in this order, as long as a row would not fit; none when absent. */
  lessImportant?: readonly string[]
}

/**
 * Formats items as aligned columns that fit the terminal, if there is one. The first call adds the header and decides which columns are
 * left out; later calls keep the column widths.
 */
export function createTable(
  all: readonly string[],
  { width, paint }: Output,
  { isCut = true, paint: formats = {}, lessImportant = [] }: Look = {},
): (items: readonly unknown[]) => string {
  let columns = all
  let widths: number[] = []
  let isFirst = true
  return (items) => {
    const cells = items.map((item) => mapValues(toFields(item), formatCell))
    if (isFirst) {
      columns = withoutLessImportant(all, lessImportant, cells, width)
      widths = columns.map((column) => stringWidth(column))
    }
    const rows = cells.map((cell) => columns.map((column) => cell[column] ?? ""))
    widths = fit(
      widths.map((least, n) =>
        Math.max(least, ...rows.map((row) => Math.min(cellWidthMax, stringWidth(row[n] as string)))),
      ),
      width,
    )
    const lines = rows.map((row) =>
      formatRow(
        row.map((text, n) => (isCut ? clip(text, widths[n] as number) : text)),
        widths,
        (cell, n) => {
          const format = formats[columns[n] as string]
          return format ? paint.out(format(cell), cell) : cell
        },
      ),
    )
    const head = isFirst ? `${paint.out("bold", formatRow(columns, widths).trimEnd())}\n` : ""
    isFirst = false
    return head + lines.join("")
  }
}

/** Leaves columns out until the others fit, each with its width or at least a readable one. */
function withoutLessImportant(
  columns: readonly string[],
  lessImportant: readonly string[],
  cells: readonly Record<string, string>[],
  total = Number.POSITIVE_INFINITY,
): readonly string[] {
  const widthOf = (column: string) =>
    Math.min(
      cellWidthKept,
      Math.max(...[column, ...cells.map((cell) => cell[column] ?? "")].map((text) => stringWidth(text))),
    )
  let kept = columns
  for (const column of lessImportant) {
    if (sum(kept.map(widthOf)) + gap.length * (kept.length - 1) <= total) break
    kept = kept.filter((one) => one !== column)
  }
  return kept
}

/** Makes the widest columns narrower until a row fits. */
function fit(widths: readonly number[], total = Number.POSITIVE_INFINITY): number[] {
  const fitted = [...widths]
  for (let over = sum(fitted) + gap.length * (fitted.length - 1) - total; over > 0; over -= 1) {
    const widest = Math.max(...fitted)
    if (widest <= cellWidthMin) break
    fitted[fitted.indexOf(widest)] = widest - 1
  }
  return fitted
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0)

/** One field per line, names in one column and values in the other. */
export function formatRecord(value: object, { paint }: Output): string {
  const rows = Object.entries(value).map(
    ([name, field]) => [name, isEmptyList(field) ? "none" : formatCell(field)] as const,
  )
  const widest = Math.max(0, ...rows.map(([name]) => stringWidth(name)))
  return rows.map(([name, text]) => `${paint.out("bold", pad(name, widest))}${text && gap + text}\n`).join("")
}

const isEmptyList = (value: unknown): boolean => Array.isArray(value) && value.length === 0

export const toFields = (item: unknown): Record<string, unknown> =>
  typeof item === "object" && item !== null ? (item as Record<string, unknown>) : { value: item }

/** A line with its end; `format` formats the text of a cell, but not the spaces after it. */
const formatRow = (
  cells: readonly string[],
  widths: readonly number[],
  format: (text: string, n: number) => string = (text) => text,
): string => {
  const padded = cells.map((text, n) => pad(text, widths[n] as number, format(text, n)))
  return `${padded.join(gap).trimEnd()}\n`
}

const pad = (text: string, width: number, formatted = text): string =>
  formatted + " ".repeat(Math.max(0, width - stringWidth(text)))

const formatCell = (value: unknown): string => visible(toText(value, (items) => items.join(", ")))

/** Formats a value as text: an object by its name, a list with `join`. */
export function toText(value: unknown, join: (items: string[]) => string): string {
  if (value === undefined || value === null) return ""
  if (Array.isArray(value)) return join(value.map((item) => toText(item, join)))
  if (typeof value !== "object") return String(value)
  if (isLimit(value)) return describeLimit(value)
  if (isClock(value)) return describeClock(value)
  return "name" in value ? toText(value.name, join) : JSON.stringify(value)
}

const graphemes = new Intl.Segmenter("en")

/** Shortens a text to the maximum width, including the ellipsis. */
function clip(text: string, widthMax: number): string {
  if (stringWidth(text) <= widthMax) return text
  let clipped = ""
  let width = 0
  for (const { segment } of graphemes.segment(text)) {
    width += stringWidth(segment)
    if (width >= widthMax) break
    clipped += segment
  }
  return `${clipped}…`
}
