import assert from "node:assert/strict"
import { test } from "node:test"
import { readScalar } from "./scalar.ts"

test("a text is read as its schema describes it, an empty one is null, and what does not fit stays text", () => {
  const time = { type: "string", format: "date-time" }
  for (const [text, schema, value] of [
    ["12", { type: "integer" }, 12],
    [" -012\n", { type: "integer" }, -12],
    ["1.0", { type: "integer" }, 1],
    ["-7.00", { type: "integer" }, -7],
    ["1.5", { type: "integer" }, "1.5"],
    ["1.", { type: "integer" }, "1."],
    ["", { type: "integer" }, null],
    [" ", { type: "number" }, null],
    ["", { type: "boolean" }, null],
    ["", { enum: ["sold"] }, null],
    [" sold ", { enum: ["sold"] }, "sold"],
    ["", time, null],
    [" 2026 ", time, "2026"],
    ["12", { type: "string" }, "12"],
    ["", { type: "string" }, ""],
    [" a ", { type: "string" }, " a "],
    ["true", { type: "string" }, "true"],
    ["1", {}, "1"],
  ] as const)
    assert.equal(readScalar(text, schema), value, text)
})

test("a boolean is read as JSON, XML Schema, HTML and Python write it", () => {
  const type = "boolean"
  for (const text of ["true", "True", "TRUE", "1", "on", " true "]) assert.equal(readScalar(text, { type }), true, text)
  for (const text of ["false", "False", "0", "off"]) assert.equal(readScalar(text, { type }), false, text)
  for (const text of ["yes", "2", "01", "truetrue", "on off"]) assert.equal(readScalar(text, { type }), text)
})
