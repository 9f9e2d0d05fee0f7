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
    for (const item of items) rows.push(columns.map((column) => clipped(cell(membersOf(item)[column]))))
    widths = columns.map((_, n) => Math.max(widths[n] ?? 0, ...rows.map((row) => width(row[n] as string))))
    return rows.map((row) => line(row, widths)).join("")
  }
}

/** One member a line, names in one column and values in the other. */
export function record(value: object): string {
  const rows = Object.entries(value).map(([name, member]) => [name, cell(member)])
  const widest = Math.max(0, ...rows.map(([name]) => width(name as string)))
  return rows.map((row) => line(row, [widest, 0])).join("")
}

const membersOf = (item: unknown): Record<string, unknown> =>
  typeof item === "object" && item !== null ? (item as Record<string, unknown>) : { value: item }

const line = (cells: readonly string[], widths: readonly number[]): string =>
  `${cells
    .map((text, n) => text + " ".repeat(Math.max(0, (widths[n] as number) - width(text))))
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

const segmenter = new Intl.Segmenter("en")
const graphemes = (text: string): string[] => [...segmenter.segment(text)].map(({ segment }) => segment)

/** Characters that take two columns (Unicode Standard Annex 11). */
const wide =
  /\p{Emoji_Presentation}|\uFE0F|[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\u{20000}-\u{3fffd}]/u

const isPlain = (text: string): boolean => /^[\x20-\x7e]*$/.test(text)

const width = (text: string): number =>
  isPlain(text) ? text.length : graphemes(text).reduce((sum, grapheme) => sum + (wide.test(grapheme) ? 2 : 1), 0)

function clipped(text: string): string {
  if (width(text) <= cellWidthMax) return text
  let kept = ""
  for (const grapheme of graphemes(text)) {
    if (width(kept + grapheme) >= cellWidthMax) break
    kept += grapheme
  }
  return `${kept}…`
}
