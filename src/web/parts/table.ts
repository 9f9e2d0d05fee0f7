import { html, type Markup } from "../html.ts"

export type Column<Row> = {
  title: string
  cell(row: Row): Markup | string | number
  /** Hidden on narrow screens. */
  isMinor?: true
  isNumber?: true
}

type Table<Row> = {
  caption: string
  columns: readonly Column<Row>[]
  rows: readonly Row[]
  empty?: Markup | string
  /** Identifies a row for the page's script. */
  keyOf?(row: Row): string
}

/** `empty` replaces a table without rows. */
export const table = <Row>({ caption, columns, rows, empty, keyOf }: Table<Row>): Markup =>
  rows.length === 0
    ? html`<p class="empty">${empty}</p>`
    : html`<div class="scroll" role="region" aria-label="${caption}" tabindex="0">
<table>
<caption class="unseen">${caption}</caption>
<thead><tr>${columns.map((column) => html`<th scope="col"${classOf(column)}>${column.title}</th>`)}</tr></thead>
<tbody>${rows.map((row) => html`<tr${keyOf && html` data-key="${keyOf(row)}"`}>${columns.map((column) => html`<td${classOf(column)}>${column.cell(row)}</td>`)}</tr>`)}</tbody>
</table>
</div>`

function classOf<Row>({ isMinor, isNumber }: Column<Row>): Markup | undefined {
  const names = [isMinor && "minor", isNumber && "number"].filter(Boolean)
  return names.length > 0 ? html` class="${names.join(" ")}"` : undefined
}
