import type { Occasion, Parts, Skipped } from "./published.ts"

export type Table = { columns: string[]; rows: string[][] }

/** The table, in which the heads of chapters lead to a document; `others` are heads without one, beside the first two. */
export function toMarkdown({ columns, rows }: Table, page: keyof Parts, others: readonly string[]): string {
  const heads = columns.map((name, n) => (n < 2 || others.includes(name) ? name : `[${name}](${linkTo(page, name)})`))
  return [heads, columns.map((_, n) => (n === 0 ? "---" : "---:")), ...rows]
    .map((row) => `| ${row.join(" | ")} |\n`)
    .join("")
}

/** The heading that GitHub makes of a chapter. */
export const linkTo = (page: keyof Parts, chapter: string): string =>
  `../${page}.md#${chapter.toLowerCase().replaceAll(" ", "-")}`

/** When and where it was measured, and what was not. */
export function footer(name: keyof Parts, occasions: readonly Occasion[], skipped: readonly Skipped[]): string {
  const measured = occasions.map(
    ({ date, commit, machine }) =>
      `Measured on ${date} at ${commit}: ${machine.cores} cores, ${machine.processor}, Linux ${machine.linux}.`,
  )
  const missing = skipped.map((one) => `Not measured: ${one.name} (${one.reason}).\n`)
  return `${[...new Set(measured)].join("\n")} [\`${name}.json\`](${name}.json)\n${missing.join("")}`
}
