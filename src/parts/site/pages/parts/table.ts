import { html, type Markup } from "../html.ts"

/**
 * What a column shows; its style follows from it. A name takes at most two lines, a text as many as it needs, the others one.
 * A `tick` is a checkbox of the row.
 */
type ColumnKind = "tick" | "picture" | "name" | "text" | "id" | "number" | "time" | "badge" | "code"

export type Column<Row> = {
  title: string
  kind: ColumnKind
  cell(row: Row): Markup | string | number
  /** Stands in the head instead of the title. */
  head?: Markup
  /** Heads the card that a row becomes on a narrow screen, without the title of the column. */
  isHead?: true
}

type Table<Row> = {
  caption: string
  columns: readonly Column<Row>[]
  rows: readonly Row[]
  empty?: Markup | string
  /** On a phone a row has two lines, without texts. */
  isCompact?: boolean | undefined
  /** Identifies a row for the page's script. */
  keyOf?(row: Row): string
}

/**
 * `empty` replaces a table without rows. The roles are explicit because some browsers omit those of tables that are displayed as
 * cards.
 */
export const table = <Row>({ caption, columns, rows, empty, isCompact, keyOf }: Table<Row>): Markup =>
  rows.length === 0
    ? html`<p class="empty">${empty}</p>`
    : html`<div class="scroll" role="region" aria-label="${caption}" tabindex="0">
<table role="table"${isCompact && html` class="compact"`}>
<caption class="unseen">${caption}</caption>
<thead role="rowgroup"><tr role="row">${columns.map(header)}</tr></thead>
<tbody role="rowgroup">${rows.map((row) => html`<tr role="row"${keyOf && html` data-key="${keyOf(row)}"`}>${columns.map((column) => cell(column, row))}</tr>`)}</tbody>
</table>
</div>`

const header = <Row>({ title, kind, isHead, head = html`${title}` }: Column<Row>): Markup =>
  html`<th scope="col" role="columnheader" class="kind-${kind}${isHead && " head"}">${head}</th>`

function cell<Row>({ title, kind, isHead, cell: contentOf }: Column<Row>, row: Row): Markup {
  const content = contentOf(row)
  const isLabelled = !isHead && kind !== "tick" && kind !== "picture"
  return html`<td role="cell" class="kind-${kind}${isHead && " head"}"${isLabelled && html` data-label="${title}"`}>${
    kind === "name" && content !== "" ? html`<span class="clamp">${content}</span>` : content
  }</td>`
}
