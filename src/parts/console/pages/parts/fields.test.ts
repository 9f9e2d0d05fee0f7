import assert from "node:assert/strict"
import { test } from "node:test"
import { Problem, type Violation } from "../../../../core/kernel/problem.ts"
import { nullable } from "../../../../core/kernel/schema/schema.ts"
import { Type } from "../../../../core/kernel/schema/type.ts"
import { fieldsOf } from "./fields.ts"

const fields = fieldsOf(
  Type.Object({
    colors: Type.Array(Type.Enum(["red", "green", "blue"]), { minItems: 1 }),
    until: Type.Optional(Type.String({ format: "date-time" })),
  }),
  { colors: { label: "Colors", choices: { red: "Like a <rose>" } }, until: { label: "Until" } },
)

const offered = (html: string) => [...html.matchAll(/name="colors" value="(\w+)"/g)].map(([, color]) => color)

test("a form offers the user's choices, with labels if there are any", () => {
  assert.deepEqual(offered(fields.render({ form: "f" }).text), ["red", "green", "blue"])
  assert.deepEqual(offered(fields.render({ form: "f", only: { colors: ["blue", "red"] } }).text), ["red", "blue"])
  assert.match(fields.render({ form: "f" }).text, /> <span>Like a &lt;rose&gt; <code>red<\/code><\/span>/)
})

test("a time is written and read in UTC, with or without seconds", () => {
  const { text } = fields.render({ form: "f", values: { until: "2026-01-02T03:04:05.678Z" } })
  assert.match(text, /type="datetime-local" value="2026-01-02T03:04"/)
  const read = (until: string) => fields.read(new URLSearchParams({ until })).until
  assert.equal(read("2026-01-02T03:04"), "2026-01-02T03:04:00Z")
  assert.equal(read("2026-01-02T03:04:05"), "2026-01-02T03:04:05Z")
  assert.equal(read("tomorrow"), "tomorrow")
  assert.equal(read(""), undefined)
})

test("a form decides about every member of its schema: one without labels and without a reason does not compile", () => {
  const schema = Type.Object({ name: Type.String(), weight: Type.Optional(Type.Integer()) })
  // @ts-expect-error: weight is missing
  fieldsOf(schema, { name: { label: "Name" } })
  const { render } = fieldsOf(schema, { name: { label: "Name" }, weight: { hidden: "scales send it" } })
  assert.doesNotMatch(render({ form: "f", values: { name: "Rex", weight: 9 } }).text, /weight|scales/)
})

test("a form that saves a patch removes what was emptied and can be removed, and leaves out what it does not show", () => {
  const draft = Type.Object({
    name: Type.String(),
    note: Type.Optional(Type.String()),
    size: Type.Optional(Type.Integer()),
    weight: Type.Optional(Type.Integer()),
  })
  const patch = Type.Object({
    note: Type.Optional(nullable(Type.String())),
    size: Type.Optional(Type.Integer()),
    weight: Type.Optional(nullable(Type.Integer())),
  })
  const labels = {
    name: { label: "Name" },
    note: { label: "Note" },
    size: { label: "Size" },
    weight: { hidden: "scales send it" },
  }
  const read = (form: Record<string, string>) => fieldsOf(draft, labels).patching(patch).read(new URLSearchParams(form))
  assert.deepEqual(read({ name: "Rex", note: "", size: "" }), { name: "Rex", note: null })
  assert.deepEqual(read({ name: "Rex", note: "calm", size: "2" }), { name: "Rex", note: "calm", size: 2 })
  assert.deepEqual(fieldsOf(draft, labels).unshown({ name: "Rex", weight: 9 }), { weight: 9 })
})

test("a member that must be there is required, but of lists only those that may not be empty", () => {
  const list = (minItems?: number) => Type.Array(Type.String(), minItems === undefined ? {} : { minItems })
  const schema = Type.Object({ text: Type.String(), any: list(), none: list(0), one: list(1), more: list(2) })
  const label = { label: "Label" }
  const { render } = fieldsOf(schema, { text: label, any: label, none: label, one: label, more: label })
  const required = [...render({ form: "f" }).text.matchAll(/ name="(\w+)"[^>]* required/g)].map(([, name]) => name)
  assert.deepEqual(required, ["text", "one", "more"])
})

test("after a refusal a field has its errors, those of its parts included, and what was submitted", () => {
  const schema = Type.Object({ name: Type.String(), tags: Type.Array(Type.String()) })
  const { render } = fieldsOf(schema, { name: { label: "Name" }, tags: { label: "Tags" } })
  const violation = (at: object, detail: string) => ({ ...at, code: "x", detail }) as Violation
  const violations = [
    violation({ pointer: "/name" }, "is blank"),
    violation({ pointer: "/tags/0/name" }, "is long"),
    violation({ pointer: "/other/tags" }, "is no field"),
    violation({ parameter: "name" }, "is odd"),
    violation({ parameter: "limit" }, "is large"),
  ]
  const problem = new Problem("invalid-body", "No", { violations })
  const failure = { problem, form: new URLSearchParams({ name: "Max" }) }
  const { text } = render({ form: "f", values: { name: "Rex" }, failure })
  const errors = [...text.matchAll(/<p class="error" id="(.*?)">(.*?)<\/p>/g)].map(([, id, error]) => [id, error])
  assert.deepEqual(errors, [
    ["f-name-error", "Name is blank; is odd"],
    ["f-tags-error", "Tags is long"],
  ])
  assert.match(text, /name="name"[^>]* value="Max"/)
})
