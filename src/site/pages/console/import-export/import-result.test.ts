import assert from "node:assert/strict"
import { test } from "node:test"
import { importOutcome, importStep } from "./import-result.ts"
import type { Progress } from "./import-run.ts"

const progress = (changed: Partial<Progress> = {}): Progress => ({
  added: 3,
  before: 0,
  refused: 0,
  report: [],
  samples: [],
  ...changed,
})
const refusedLines = (count: number) =>
  Array.from({ length: count }, (_, n) => ({
    line: count - n,
    code: "invalid-body",
    detail: "No",
    text: "x".repeat(61),
  }))
const shown = (...[isPreview, columns, counts]: Parameters<typeof importOutcome>) =>
  importOutcome(isPreview, columns, counts)
    .text.split("\n")
    .filter((line) => line !== "")

test("a step has the share of the file and the number of its lines", () => {
  assert.equal(
    importStep(40, progress({ before: 2, refused: 1 })).text,
    '<p class="step"><progress max="100" value="40" aria-label="Import progress"></progress>\n<span data-percent="40">40 %: 6 lines</span></p>',
  )
})

test("a result counts the pets that were added, and those of an earlier import if there are any", () => {
  assert.deepEqual(
    shown(false, [{ title: "a", column: "name" }], progress({ samples: [{ name: "Rex", photoUrls: [] }] })),
    [
      '<section class="outcome">',
      "<h2>Import result</h2>",
      '<dl class="record">',
      "<dt>Pets added</dt><dd>3</dd>",
      "<dt>Lines refused</dt><dd>0</dd>",
      "</dl>",
      "</section>",
    ],
  )
  assert.equal(shown(false, undefined, progress({ before: 1 }))[4], "<dt>Already imported</dt><dd>1</dd>")
})

test("a preview shows how columns are read, and the first pets", () => {
  const columns = [
    { title: "Name", column: "name" as const },
    { title: "Tags", column: "tags" as const, separator: "|" as const },
    { title: "Colour", column: undefined },
  ]
  const rex = {
    name: "Rex",
    photoUrls: ["a", "b"],
    category: { name: "Dogs" },
    tags: [{ name: "x" }, { name: "y" }],
    id: 7,
  }
  const page = shown(true, columns, progress({ samples: [rex, { name: "Ada", photoUrls: [], status: "sold" }] }))
  assert.deepEqual(page.slice(0, 4), [
    '<section class="outcome">',
    "<h2>Preview: no pets were added</h2>",
    '<dl class="record">',
    "<dt>Valid pets</dt><dd>3</dd>",
  ])
  const bodies = page
    .filter((line) => line.startsWith("<tbody"))
    .map((line) => line.replace(/<[^>]*>/g, "|").replace(/\|+/g, "|"))
  assert.deepEqual(bodies, [
    "|Name|name|Tags|tags|, separated by |&quot;|&quot;|Colour|ignored|",
    "|Rex|available|Dogs|x, y|2|7|Ada|sold|0|new|",
  ])
  assert.deepEqual(
    page.filter((line) => line.startsWith("<h2>")),
    ["<h2>Preview: no pets were added</h2>", "<h2>Column mapping</h2>", "<h2>The first pets</h2>"],
  )
  assert.equal(shown(true, undefined, progress()).length, 7)
  const alone = shown(true, undefined, progress({ samples: [{ name: "Rex", photoUrls: [] }] }))
  assert.ok(alone.includes("<h2>The first pets</h2>"))
})

test("refused lines are a report in their order, of which twenty are shown", () => {
  const page = (count: number, refused = count) =>
    shown(false, undefined, progress({ refused, report: refusedLines(count) })).slice(6, -1)
  const [heading, sentence = "", link = ""] = page(2)
  assert.equal(heading, "<h2>Refused lines</h2>")
  assert.equal(sentence, "<p>Correct them and import the file again: pets that were added are not duplicated.")
  const [, base64 = ""] =
    /^<a href="data:text\/csv;base64,([^"]+)" download="refused-lines.csv">Download the report<\/a><\/p>$/.exec(link) ??
    []
  const long = "x".repeat(61)
  assert.equal(
    Buffer.from(base64, "base64").toString(),
    `\ufeffline,code,detail,text\r\n1,invalid-body,No,${long}\r\n2,invalid-body,No,${long}\r\n`,
  )
  assert.ok(page(1).some((line) => line.includes(`<code>${"x".repeat(60)}</code>`)))
  assert.equal(
    page(2, 5)[1],
    "<p>The first 2 of 5. Correct them and import the file again: pets that were added are not duplicated.",
  )
  const rows = (count: number) =>
    page(count)
      .find((line) => line.startsWith("<tbody"))
      ?.split("<tr").length
  assert.deepEqual([rows(20), page(20).at(-1)], [21, "</div>"])
  assert.deepEqual([rows(21), page(21).at(-1)], [21, '<p class="hint">The first 20; the report has 21.</p>'])
})
