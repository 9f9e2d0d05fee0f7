import type { PetDraft } from "../../../../core/domain/pets/contract.ts"
import { csvLine, type MappedColumn } from "../../../../pet-files/csv-columns.ts"
import { html, type Markup } from "../../../site/pages/html.ts"
import { badge } from "../../../site/pages/parts/badge.ts"
import { table } from "../../../site/pages/parts/table.ts"
import type { Progress, RefusedLine } from "./import-run.ts"

const refusedShown = 20

/** A progress step; the page shows only the latest. */
export const importStep = (percent: number, { added, before, refused }: Progress): Markup =>
  html`<p class="step"><progress max="100" value="${percent}" aria-label="Import progress"></progress>
<span data-percent="${percent}">${percent} %: ${added + before + refused} lines</span></p>`

export const importOutcome = (
  isPreview: boolean,
  columns: readonly MappedColumn[] | undefined,
  { added, before, refused, report, samples }: Progress,
): Markup => html`<section class="outcome">
<h2>${isPreview ? "Preview: no pets were added" : "Import result"}</h2>
<dl class="record">
<dt>${isPreview ? "Valid pets" : "Pets added"}</dt><dd>${added}</dd>
${before > 0 && html`<dt>Already imported</dt><dd>${before}</dd>`}
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

const mapping = (columns: readonly MappedColumn[]): Markup => html`<h2>Column mapping</h2>
${table({
  caption: "Column mapping",
  columns: [
    { title: "Column", kind: "text", cell: ({ title }) => title },
    {
      title: "Field",
      kind: "code",
      cell: ({ column, separator }) =>
        column === undefined
          ? badge("ignored")
          : html`<code>${column}</code>${separator !== undefined && html`, separated by <code>${JSON.stringify(separator)}</code>`}`,
    },
  ],
  rows: columns,
})}
<p class="hint">To change the mapping, write title=field below at Map columns, such as species=category.</p>`

const sampleTable = (samples: readonly PetDraft[]): Markup => html`<h2>The first pets</h2>
${table({
  caption: "The first pets",
  columns: [
    { title: "Name", kind: "name", isHead: true, cell: ({ name }) => name },
    { title: "Status", kind: "badge", cell: ({ status }) => badge(status ?? "available") },
    { title: "Category", kind: "text", cell: ({ category }) => category?.name ?? "" },
    { title: "Tags", kind: "text", cell: ({ tags = [] }) => tags.map(({ name }) => name).join(", ") },
    { title: "Photos", kind: "number", cell: ({ photoUrls }) => photoUrls.length },
    { title: "Id", kind: "id", cell: ({ id }) => id || "new" },
  ],
  rows: samples,
})}`

const refusedTable = (count: number, report: readonly RefusedLine[]): Markup => html`<h2>Refused lines</h2>
<p>${report.length < count && `The first ${report.length} of ${count}. `}Correct them and import the file again: pets that were added are not duplicated.
<a href="data:text/csv;base64,${Buffer.from(`\ufeff${reportCsv(report)}`).toString("base64")}" download="refused-lines.csv">Download the report</a></p>
${table({
  caption: "Refused lines",
  columns: [
    { title: "Line", kind: "number", cell: ({ line }) => line },
    { title: "Reason", kind: "text", cell: ({ detail }) => detail },
    { title: "Start of line", kind: "text", cell: ({ text }) => html`<code>${text.slice(0, 60)}</code>` },
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
