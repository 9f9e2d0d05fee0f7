import assert from "node:assert/strict"
import { test } from "node:test"
import { Problem } from "../../../kernel/problem.ts"
import { html } from "../html.ts"
import { bulkAction, bulkForm, bulkQuestion, tickColumn } from "./bulk.ts"
import type { Visit } from "./page.ts"

function visit(more: Partial<Visit> = {}): Visit {
  const query = new URLSearchParams("a=b")
  const given: Partial<Visit> = { root: "/console", path: "/pets", query, token: "T", mayGo: () => true, ...more }
  return given as Visit
}
const formOf = (picked: readonly number[], shown: readonly string[], all = false) =>
  new URLSearchParams([
    ...picked.map((id) => ["pick", `${id}`]),
    ...shown.map((each) => ["shown", each]),
    ...(all ? [["all", "yes"]] : []),
  ])
const numbers = (count: number) => Array.from({ length: count }, (_, n) => n + 1)

/** Changes the ticked rows; those of `refused` are refused. Returns what was changed and counted, and the result. */
async function change(form: URLSearchParams, refused: Record<number, Problem> = {}) {
  const changed: string[] = []
  let counted = 0
  const action = bulkAction({
    noun: "pet",
    done: () => "sold",
    change: async (_, { id, etag }) => {
      if (refused[id]) throw refused[id]
      changed.push(`${id} ${etag}`)
    },
    describe: async (_, id) => ({ name: `Pet <${id}>`, ...(id > 1 && { path: `/pets/${id}` }) }),
  })
  const done = await action(visit({ countRequest: async () => void counted++ }), form)
  const shown = "show" in done ? done.show.text.replaceAll("\n", "") : done
  return { changed, counted, shown }
}

test("the ticked rows are changed as they were shown, each as a request of the plan", async () => {
  const some = await change(formOf([1, 3, 9], ['1 "a"', '2 "b"', "3 "]))
  assert.deepEqual(some, {
    changed: ['1 "a"', "3 undefined"],
    counted: 1,
    shown: { to: "/pets?a=b", notice: "2 pets were sold" },
  })
  const all = await change(formOf([], ['1 "a"', '2 "b"'], true))
  assert.deepEqual(all.changed, ['1 "a"', '2 "b"'])
  assert.deepEqual((await change(formOf([1], ['1 "a"']))).shown, { to: "/pets?a=b", notice: "1 pet was sold" })
})

test("at least one row must be ticked, and at most a hundred", async () => {
  const rows = (count: number) =>
    formOf(
      [],
      numbers(count).map((id) => `${id} `),
      true,
    )
  assert.equal((await change(rows(100))).changed.length, 100)
  await assert.rejects(change(rows(101)), { code: "invalid-parameter", detail: "Select at most 100 rows" })
  for (const form of [formOf([], ["1 "]), formOf([1], []), formOf([], [], true)])
    await assert.rejects(change(form), { code: "invalid-parameter", detail: "Select at least one row" })
})

test("rows that were refused are listed with the reasons; another error ends the change", async () => {
  const shown = numbers(3).map((id) => `${id} `)
  const refused = { 1: new Problem("precondition-failed", "No"), 2: new Problem("pet-has-order", "It has an <order>") }
  const row = (name: string, reason: string) =>
    `<tr role="row"><td role="cell" class="kind-name head"><span class="clamp">${name}</span></td><td role="cell" class="kind-text" data-label="Reason">${reason}</td></tr>`
  const { shown: page } = await change(formOf([], shown, true), refused)
  const text = String(page)
  assert.ok(
    text.startsWith(
      '<p class="back"><a href="/console/pets?a=b">Back to the list</a></p><h1>2 pets were not changed</h1><p>1 pet was sold. These were refused:</p>',
    ),
  )
  assert.ok(
    text.includes(
      `<tbody role="rowgroup">${row("Pet &lt;1&gt;", "It was changed after the list was shown")}${row('<a href="/console/pets/2">Pet &lt;2&gt;</a>', "It has an &lt;order&gt;")}</tbody>`,
    ),
  )
  const alone = String((await change(formOf([1], ["1 "]), refused)).shown)
  assert.match(alone, /<h1>1 pet was not changed<\/h1><p>No pets were sold\. This one was refused:<\/p>/)
  const action = bulkAction({
    noun: "pet",
    done: () => "sold",
    change: () => Promise.reject(new Error("a bug")),
    describe: async () => ({ name: "" }),
  })
  await assert.rejects(action(visit(), formOf([1], ["1 "])), /a bug/)
})

test("a question names the first two rows, and how many more there are", async () => {
  const { question, password, always } = bulkQuestion({
    verb: "Delete",
    noun: "pet",
    describe: async (_, id) => ({ name: `Pet ${id}` }),
  })
  assert.deepEqual([password, always], [true, true])
  const asked = (count: number) =>
    question(
      visit(),
      formOf(
        [],
        numbers(count).map((id) => `${id} `),
        true,
      ),
    )
  assert.deepEqual(await asked(1), {
    title: "Delete 1 pet?",
    detail: "Pet 1. This cannot be undone.",
    button: "Delete 1 pet",
  })
  assert.deepEqual(await asked(2), {
    title: "Delete 2 pets?",
    detail: "Pet 1 and Pet 2. This cannot be undone.",
    button: "Delete 2 pets",
  })
  assert.equal((await asked(3)).detail, "Pet 1, Pet 2 and 1 more. This cannot be undone.")
  assert.deepEqual(await asked(4), {
    title: "Delete 4 pets?",
    detail: "Pet 1, Pet 2 and 2 more. This cannot be undone.",
    button: "Delete 4 pets",
  })
})

test("a list has the form of its boxes, and a box for each row, ticked as it was before a refusal", () => {
  const bulk = {
    itemOf: (id: number) => ({ id, etag: `"${id}"` }),
    nameOf: (id: number) => `Pet <${id}>`,
    controls: html`<button>Do</button>`,
  }
  assert.equal(
    bulkForm(visit(), bulk, [1, 2]).text.replaceAll("\n", ""),
    '<form method="post" action="/console/pets?a=b" id="bulk" class="bulk"><input type="hidden" name="form" value="T"><input type="hidden" name="shown" value="1 &quot;1&quot;"><input type="hidden" name="shown" value="2 &quot;2&quot;"><div class="ticked"><span class="soft" role="status"></span><button>Do</button></div></form>',
  )
  const problem = new Problem("invalid-parameter", "No")
  const failed = tickColumn(visit({ failure: { problem, form: formOf([2], []) } }), bulk)
  const box = (id: number, more = "") =>
    `<input type="checkbox" form="bulk" name="pick" value="${id}" aria-label="Select Pet &lt;${id}&gt;"${more}>`
  const texts = [1, 2].map((id) => (failed.cell(id) as { text: string }).text)
  assert.deepEqual(texts, [box(1), box(2, " checked")])
  assert.equal(
    failed.head?.text,
    '<input type="checkbox" form="bulk" name="all" value="yes" aria-label="Select all on this page">',
  )
  assert.equal((tickColumn(visit(), bulk).cell(2) as { text: string }).text, box(2))
})
