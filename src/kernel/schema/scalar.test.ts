import assert from "node:assert/strict"
import { test } from "node:test"
import { readScalar } from "./scalar.ts"

test("the text of an integer or a boolean is read where the type has them, any other text stays", () => {
  for (const [text, type, value] of [
    ["12", "integer", 12],
    ["-012", "integer", -12],
    ["1.5", "integer", "1.5"],
    ["", "integer", ""],
    ["12", "string", "12"],
    ["true", "boolean", true],
    ["false", "boolean", false],
    ["True", "boolean", "True"],
    ["true", "string", "true"],
    ["1", undefined, "1"],
  ] as const)
    assert.equal(readScalar(text, type), value)
})
