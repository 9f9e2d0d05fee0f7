import type { PetDraft } from "../../../domain/pets/contract.ts"
import { csvLine, type MappedColumn } from "../../../pet-files/csv-columns.ts"
import { html, type Markup } from "../../html.ts"
import { badge } from "../../parts/badge.ts"
import { table } from "../../parts/table.ts"
import type { Progress, RefusedLine } from "./import-run.ts"

const refusedShown = 20

/** How far it is; of several the page shows the last. */
export const importStep = (percent: number, { added, before, refused }: Progress): Markup =>
  html`<p class="step"><progress max="100" value="${percent}" aria-label="How much of the file has been read"></progress>
<span data-percent="${percent}">${percent} %: ${added + before + refused} lines</span></p>`

export const importOutcome = (
  isPreview: boolean,
  columns: readonly MappedColumn[] | undefined,
  { added, before, refused, report, samples }: Progress,
): Markup => html`<section class="outcome">
<h2>${isPreview ? "Preview: nothing was added" : "Imported"}</h2>
<dl class="record">
<dt>${isPreview ? "Pets that fit" : "Pets added"}</dt><dd>${added}</dd>
${before > 0 && html`<dt>Added before, and not again</dt><dd>${before}</dd>`}
<dt>Lines refused</dt><dd>${refused}</dd>
</dl>
${isPreview && columns && mapping(columns)}
${isPreview && samples.length > 0 && sampleTable(samples)}
${
  refused > 0 &&
  refusedTable(
    refused,
    report.toSorted((a, b) => a.line - b.line),
  )
}
</section>`

const mapping = (columns: readonly MappedColumn[]): Markup => html`<h2>What the columns are taken for</h2>
${table({
  caption: "What the columns are taken for",
  columns: [
    { title: "Column", cell: ({ title }) => title },
    {
      title: "Taken for",
      cell: ({ column }) => (column === undefined ? badge("not taken") : html`<code>${column}</code>`),
    },
  ],
  rows: columns,
})}
<p class="hint">Rename a column in the file to change it: id, name, category, status, tags, photoUrls.</p>`

const sampleTable = (samples: readonly PetDraft[]): Markup => html`<h2>The first pets</h2>
${table({
  caption: "The first pets",
  columns: [
    { title: "Name", cell: ({ name }) => name },
    { title: "Status", cell: ({ status }) => badge(status ?? "available") },
    { title: "Category", cell: ({ category }) => category?.name ?? "" },
    { title: "Tags", cell: ({ tags = [] }) => tags.map(({ name }) => name).join(", "), isMinor: true },
    { title: "Photos", cell: ({ photoUrls }) => photoUrls.length, isNumber: true, isMinor: true },
    { title: "Id", cell: ({ id }) => id || "new", isNumber: true },
  ],
  rows: samples,
})}`

const refusedTable = (count: number, report: readonly RefusedLine[]): Markup => html`<h2>RefusedLine lines</h2>
<p>${report.length < count && `The first ${report.length} of ${count}. `}Correct them and import the file again: what went in is not added twice.
<a href="data:text/csv;base64,${Buffer.from(`\ufeff${reportCsv(report)}`).toString("base64")}" download="refused-lines.csv">Download the report</a></p>
${table({
  caption: "RefusedLine lines",
  columns: [
    { title: "Line", cell: ({ line }) => line, isNumber: true },
    { title: "Why", cell: ({ detail }) => detail },
    { title: "It begins with", cell: ({ text }) => html`<code>${text.slice(0, 60)}</code>`, isMinor: true },
  ],
  rows: report.slice(0, refusedShown),
})}
${report.length > refusedShown && html`<p class="hint">The first ${refusedShown}; the report has ${report.length}.</p>`}`

const reportCsv = (report: readonly RefusedLine[]): string =>
  [
    ["line", "code", "detail", "text"],
    ...report.map(({ line, code, detail, text }) => [String(line), code, detail, text]),
  ]
    .map(csvLine)
    .join("")
