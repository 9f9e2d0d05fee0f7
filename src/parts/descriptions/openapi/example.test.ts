import assert from "node:assert/strict"
import { test } from "node:test"
import { Type } from "../../../core/kernel/schema/type.ts"
import { exampleOf } from "./example.ts"

test("a schema has its own example, or one that is made of its parts", () => {
  const own = { default: 2, const: 3, enum: [4] }
  for (const [schema, example] of [
    [{ ...own, examples: [1] }, 1],
    [own, 2],
    [{ const: 3, enum: [4] }, 3],
    [{ enum: [4, 5] }, 4],
    [{ anyOf: [{ const: 1 }, { const: 2 }], oneOf: [{ const: 3 }] }, 1],
    [{ anyOf: [{ const: 1 }] }, 1],
    [{ oneOf: [{ const: 3 }, { const: 4 }] }, 3],
    [{ anyOf: [] }, "text"],
    [
      { type: "object", properties: { a: { type: "boolean" }, b: { type: "null" } } },
      { a: true, b: null },
    ],
    [{ type: "object" }, {}],
    [{ type: "array", items: { type: "integer" } }, [1]],
    [{ type: "array" }, []],
    [{ type: ["integer", "null"] }, 1],
    [{ type: "number", minimum: 5 }, 5],
    [{ type: "integer", minimum: 0 }, 0],
    [{ type: "integer", minimum: -5 }, 0],
    [{ type: "string" }, "text"],
    [{ type: "string", format: "email" }, "ada@example.com"],
    [{ type: "string", format: "cidr" }, "text"],
  ] as const)
    assert.deepEqual(exampleOf(Type.Unsafe(schema)), example, JSON.stringify(schema))
})
