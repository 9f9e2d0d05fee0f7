import assert from "node:assert/strict"
import { test } from "node:test"
import type { JsonSchema } from "../../../../core/kernel/schema/type.ts"
import { controlKindOf, readFormTexts, textsOf, unwrap } from "./form-values.ts"

const text: JsonSchema = { type: "string" }
const color: JsonSchema = { type: "string", enum: ["red", "green"] }
const lines: JsonSchema = { type: "array", items: text }
const choices: JsonSchema = { type: "array", items: color }
const time: JsonSchema = { type: "string", format: "date-time" }
const named: JsonSchema = { type: "object", properties: { name: text } }
const several: JsonSchema = { type: "object", properties: { name: text, size: { type: "integer" } } }

test("the shape of a member decides its control", () => {
  const kinds: [JsonSchema, string][] = [
    [text, "text"],
    [{ type: ["string", "null"] }, "text"],
    [color, "choice"],
    [lines, "lines"],
    [choices, "choices"],
    [{ type: "boolean" }, "yes-no"],
    [time, "time"],
    [{ type: "integer" }, "number"],
    [{ type: "number" }, "number"],
    [named, "text"],
    [{ type: "array", items: named }, "lines"],
  ]
  for (const [shape, kind] of kinds) assert.equal(controlKindOf(shape), kind, JSON.stringify(shape))
  assert.deepEqual(unwrap(named), { shape: text, property: "name" })
  assert.deepEqual(unwrap(several), { shape: several, property: undefined })
  assert.deepEqual(unwrap(text), { shape: text, property: undefined })
})

test("a value is written as the texts of its control", () => {
  const written: [JsonSchema, unknown, string[]][] = [
    [text, undefined, []],
    [text, null, []],
    [text, "Rex", ["Rex"]],
    [named, { name: "Dogs" }, ["Dogs"]],
    [{ type: "integer" }, 0, ["0"]],
    [time, "2026-01-02T03:04:05Z", ["2026-01-02T03:04"]],
    [time, "soon", ["soon"]],
    [text, "2026-01-02T03:04:05Z", ["2026-01-02T03:04:05Z"]],
    [lines, ["a", "b"], ["a\nb"]],
    [{ type: "array", items: named }, [{ name: "a" }, { name: "b" }], ["a\nb"]],
    [choices, ["red", "green"], ["red", "green"]],
  ]
  for (const [shape, value, texts] of written) assert.deepEqual(textsOf(shape, value), texts, JSON.stringify(value))
})

test("the texts of a control are read as a value; an invalid text stays one", () => {
  const read: [JsonSchema, string[], unknown, unknown][] = [
    [text, ["Rex"], "Rex", "Rex"],
    [text, [""], undefined, ""],
    [text, [], undefined, ""],
    [named, ["Dogs"], { name: "Dogs" }, { name: "Dogs" }],
    [named, [""], undefined, { name: "" }],
    [choices, ["red", "green"], ["red", "green"], ["red", "green"]],
    [choices, [], [], []],
    [lines, [" a \r\n\nb\n "], ["a", "b"], ["a", "b"]],
    [lines, [], [], []],
    [{ type: "array", items: named }, ["a"], [{ name: "a" }], [{ name: "a" }]],
    [{ type: "boolean" }, [], false, false],
    [{ type: "boolean" }, ["yes"], true, true],
    [{ type: "integer" }, [" 12 "], 12, 12],
    [{ type: "integer" }, ["-7"], -7, -7],
    [{ type: "integer" }, ["1.5"], "1.5", "1.5"],
    [{ type: "integer" }, ["1e3"], "1e3", "1e3"],
    [{ type: "integer" }, [" "], undefined, undefined],
    [time, [""], undefined, undefined],
    [time, ["2026-01-02T03:04"], "2026-01-02T03:04:00Z", "2026-01-02T03:04:00Z"],
    [time, ["2026-01-02T03:04:05"], "2026-01-02T03:04:05Z", "2026-01-02T03:04:05Z"],
    [time, ["2026-01-02T03:04Z"], "2026-01-02T03:04Z", "2026-01-02T03:04Z"],
  ]
  for (const [shape, texts, optional, required] of read) {
    assert.deepEqual(readFormTexts(shape, texts, false), optional, JSON.stringify(texts))
    assert.deepEqual(readFormTexts(shape, texts, true), required, JSON.stringify(texts))
  }
})
