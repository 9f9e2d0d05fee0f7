import assert from "node:assert/strict"
import { test } from "node:test"
import { field } from "./field.ts"

type Field = Parameters<typeof field>[0]
const shown = (shape: Field["shape"], more: Partial<Field> = {}) =>
  field({ id: "f-a", name: "a", shape, labels: { label: "A" }, isRequired: false, texts: [], errors: [], ...more })
    .text.split("\n")
    .filter((line) => line !== "")

const label = '<div class="field"><label for="f-a">A</label>'
const required = '<div class="field"><label for="f-a">A <span class="soft">required</span></label>'

test("a text has an input with the bounds of its schema, and from a length of 300 on a text area", () => {
  const text = { type: "string", minLength: 1, maxLength: 299 }
  assert.deepEqual(shown(text, { texts: ["<b>"] }), [
    label,
    '<input id="f-a" name="a" type="text" value="&lt;b&gt;" minlength="1" maxlength="299">',
    "</div>",
  ])
  assert.deepEqual(shown({ ...text, maxLength: 300 }, { texts: ["<b>"], isRequired: true }), [
    required,
    '<textarea id="f-a" name="a" rows="3" minlength="1" maxlength="300" required>',
    "&lt;b&gt;</textarea>",
    "</div>",
  ])
  assert.match(shown({ ...text, maxLength: 300, format: "uri" })[1] ?? "", /^<input .* type="url"/)
})

test("the format of a member decides the type of its input; a password is never written", () => {
  const types: [Field["shape"], string][] = [
    [{ type: "integer", minimum: 1, maximum: 9 }, 'type="number" value="x" min="1" max="9"'],
    [{ type: "string", format: "date-time" }, 'type="datetime-local" value="x"'],
    [{ type: "string", format: "password" }, 'type="password" value=""'],
    [{ type: "string", format: "email" }, 'type="email" value="x"'],
    [{ type: "string", format: "uri" }, 'type="url" value="x"'],
    [{ type: "string", format: "uuid" }, 'type="text" value="x"'],
  ]
  for (const [shape, attributes] of types)
    assert.deepEqual(shown(shape, { texts: ["x"] }), [label, `<input id="f-a" name="a" ${attributes}>`, "</div>"])
})

test("hints and errors follow the input, which refers to them", () => {
  const labels = { label: "A", hint: "As usual.", autocomplete: "off" }
  const text = { type: "string" }
  assert.deepEqual(shown(text, { labels }), [
    label,
    '<input id="f-a" name="a" type="text" value="" autocomplete="off" aria-describedby="f-a-hint"><p class="hint" id="f-a-hint">As usual.</p>',
    "</div>",
  ])
  assert.deepEqual(shown(text, { labels, errors: ["is long", "is odd"] }), [
    label,
    '<input id="f-a" name="a" type="text" value="" autocomplete="off" aria-invalid="true" aria-describedby="f-a-hint f-a-error"><p class="hint" id="f-a-hint">As usual.</p>',
    '<p class="error" id="f-a-error">A is long; is odd</p></div>',
  ])
  assert.match(shown(text, { errors: ["is odd"] })[1] ?? "", / aria-invalid="true" aria-describedby="f-a-error">$/)
})

test("a choice has the labels of its values, and an empty one unless it is required", () => {
  const shape = { type: "string", enum: ["red", "green"] }
  const labels = { label: "A", choices: { red: "Like a rose" } }
  const options = '<option value="red">Like a rose</option><option value="green" selected>green</option></select>'
  assert.deepEqual(shown(shape, { labels, texts: ["green"] }), [
    label,
    `<select id="f-a" name="a"><option value=""></option>${options}`,
    "</div>",
  ])
  assert.deepEqual(shown(shape, { labels, texts: ["green"], isRequired: true }), [
    required,
    `<select id="f-a" name="a" required>${options}`,
    "</div>",
  ])
})

test("several choices are boxes, of which the chosen ones are ticked", () => {
  const shape = { type: "array", items: { type: "string", enum: ["red", "green"] } }
  const labels = { label: "A", hint: "Some.", choices: { red: "Like a rose" } }
  assert.deepEqual(shown(shape, { labels, texts: ["green"], errors: ["is odd"] }), [
    '<fieldset class="field" aria-describedby="f-a-hint f-a-error">',
    '<legend>A</legend><label class="check"><input type="checkbox" name="a" value="red"> <span>Like a rose <code>red</code></span></label><label class="check"><input type="checkbox" name="a" value="green" checked> <span>green</span></label><p class="hint" id="f-a-hint">Some.</p>',
    '<p class="error" id="f-a-error">A is odd</p></fieldset>',
  ])
  assert.equal(shown(shape)[0], '<fieldset class="field">')
  const hinted = shown(shape, { labels: { label: "A", hint: "Some." } })
  assert.equal(hinted[0], '<fieldset class="field" aria-describedby="f-a-hint">')
})

test("yes or no is a box, never required, and ticked unless the value is absent or false", () => {
  const boxes: [string[], string][] = [
    [[], ""],
    [["false"], ""],
    [["true"], " checked"],
    [["yes"], " checked"],
  ]
  for (const [texts, checked] of boxes)
    assert.deepEqual(shown({ type: "boolean" }, { texts, isRequired: true }), [
      `<div class="field"><label class="check"><input type="checkbox" name="a" value="yes"${checked}> A</label>`,
      "</div>",
    ])
})

test("a list of texts has one a line", () => {
  assert.deepEqual(shown({ type: "array", items: { type: "string" } }, { texts: ["a\nb"] }), [
    label,
    '<textarea id="f-a" name="a" rows="3">',
    "a",
    "b</textarea>",
    "</div>",
  ])
})
