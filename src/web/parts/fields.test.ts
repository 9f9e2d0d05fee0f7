import assert from "node:assert/strict"
import { test } from "node:test"
import { Type } from "../../kernel/schema/type.ts"
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
  assert.deepEqual(offered(fields.render({}).text), ["red", "green", "blue"])
  assert.deepEqual(offered(fields.render({ only: { colors: ["blue", "red"] } }).text), ["red", "blue"])
  assert.match(fields.render({}).text, /> <span>Like a &lt;rose&gt; <code>red<\/code><\/span>/)
})

test("a time is written and read in UTC, with or without seconds", () => {
  const { text } = fields.render({ values: { until: "2026-01-02T03:04:05.678Z" } })
  assert.match(text, /type="datetime-local" value="2026-01-02T03:04"/)
  const read = (until: string) => fields.read(new URLSearchParams({ until })).until
  assert.equal(read("2026-01-02T03:04"), "2026-01-02T03:04:00Z")
  assert.equal(read("2026-01-02T03:04:05"), "2026-01-02T03:04:05Z")
  assert.equal(read("tomorrow"), "tomorrow")
  assert.equal(read(""), undefined)
})
