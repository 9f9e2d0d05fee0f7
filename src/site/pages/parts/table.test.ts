import assert from "node:assert/strict"
import { test } from "node:test"
import { html } from "../html.ts"
import { type Column, table } from "./table.ts"

const columns: Column<{ id: number; name: string }>[] = [
  { title: "Select", kind: "tick", head: html`<input>`, cell: ({ id }) => html`<input value="${id}">` },
  { title: "Picture", kind: "picture", cell: () => html`<img>` },
  { title: "Name", kind: "name", isHead: true, cell: ({ name }) => name },
  { title: "Nick", kind: "name", cell: ({ name }) => name },
  { title: "Id", kind: "id", cell: ({ id }) => id },
]
const linesOf = (more: object = {}) =>
  table({
    caption: "Pets & co",
    columns,
    rows: [
      { id: 7, name: "" },
      { id: 8, name: "Rex" },
    ],
    ...more,
  }).text.split("\n")

test("a table has a head, and a row of labelled cells for each row, names in two lines", () => {
  const row = (id: number, name: string) =>
    `<tr role="row"><td role="cell" class="kind-tick"><input value="${id}"></td><td role="cell" class="kind-picture"><img></td><td role="cell" class="kind-name head">${name}</td><td role="cell" class="kind-name" data-label="Nick">${name}</td><td role="cell" class="kind-id" data-label="Id">${id}</td></tr>`
  assert.deepEqual(linesOf(), [
    '<div class="scroll" role="region" aria-label="Pets &amp; co" tabindex="0">',
    '<table role="table">',
    '<caption class="unseen">Pets &amp; co</caption>',
    '<thead role="rowgroup"><tr role="row"><th scope="col" role="columnheader" class="kind-tick"><input></th><th scope="col" role="columnheader" class="kind-picture">Picture</th><th scope="col" role="columnheader" class="kind-name head">Name</th><th scope="col" role="columnheader" class="kind-name">Nick</th><th scope="col" role="columnheader" class="kind-id">Id</th></tr></thead>',
    `<tbody role="rowgroup">${row(7, "")}${row(8, '<span class="clamp">Rex</span>')}</tbody>`,
    "</table>",
    "</div>",
  ])
})

test("a compact table and keys of rows are for styles and scripts; a table without rows is a sentence", () => {
  assert.equal(linesOf({ isCompact: true })[1], '<table role="table" class="compact">')
  assert.match(
    linesOf({ keyOf: ({ id }: { id: number }) => `k${id}` })[4] ?? "",
    /<tr role="row" data-key="k7">.*<tr role="row" data-key="k8">/,
  )
  assert.deepEqual(linesOf({ rows: [], empty: "None." }), ['<p class="empty">None.</p>'])
})
