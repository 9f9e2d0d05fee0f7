import { readFileSync } from "node:fs"
import { programFile } from "../../../program.ts"
import { renderPage, type Surrounded } from "../../site/pages/frame.ts"
import { html } from "../../site/pages/html.ts"

/** A table of what was measured; the first column names what it was measured of. */
export type MeasuredTable = { title: string; measured: string; columns: string[]; rows: string[][] }

const readTables = (): MeasuredTable[] => JSON.parse(readFileSync(programFile("../docs/results/tables.json"), "utf8"))

/** What the exam, the kit for pet stores and the defects say of common clients, services and tools. */
export const resultsPage = (surrounded: Surrounded) =>
  renderPage({
    ...surrounded,
    title: "Results · Petstore",
    current: "/docs",
    main: html`
<h1>Results</h1>
<p class="lead">This service knows what is right, fails when it is asked to, and records what it receives. So it can say what others do.</p>
${readTables().map(tableOf)}
<p>A cell has what was passed of what is claimed; – is not claimed. Yours: <code>petstore exam -- my-adapter</code>, <code>petstore conform
https://my-petstore.example/api/v3</code>, <code>petstore defects run -- my-tool</code>. What each task expects, and how these were measured,
is in <code>docs/results</code>.</p>`,
  })

const tableOf = ({ title, measured, columns, rows }: MeasuredTable) => html`
<h2>${title}</h2>
<p class="soft">${measured}</p>
<div class="scroll scores" tabindex="0"><table><thead><tr>${columns.map((name) => html`<th scope="col">${name}</th>`)}</tr></thead>
<tbody>${rows.map(([name, ...cells]) => html`<tr><th scope="row">${name}</th>${cells.map((cell) => html`<td>${cell}</td>`)}</tr>`)}</tbody></table></div>`
