import assert from "node:assert/strict"
import { test } from "node:test"
import { argumentsSchema, resultSchema } from "./tool-schema.ts"

const word = { enum: ["a", "b"] }
const inner = {
  type: "object",
  properties: { at: { type: "string", format: "date-time", description: "When" }, id: { type: "integer", minimum: 1 } },
  required: ["id"],
}
const schema = {
  type: "object",
  properties: {
    word: { ...word, description: "A word", examples: ["a"] },
    id: { type: "integer", format: "int64" },
    list: { type: "array", items: inner, maxItems: 3 },
    of: inner,
  },
  required: ["id", "list"],
}

test("arguments have one type each, words and the descriptions of the first level, and no other keywords", () => {
  const plain = { type: "object", properties: { at: { type: "string" }, id: { type: "integer" } }, required: ["id"] }
  assert.deepEqual(argumentsSchema(schema), {
    type: "object",
    properties: {
      word: { type: "string", enum: ["a", "b"], description: "A word" },
      id: { type: "integer" },
      list: { type: "array", items: plain },
      of: plain,
    },
    required: ["id", "list"],
  })
  assert.deepEqual(argumentsSchema({ type: "object", required: [] }), { type: "object", properties: {} })
  const removable = {
    type: "object",
    properties: { list: { type: ["array", "null"], items: word, description: "A list" } },
  }
  assert.deepEqual(argumentsSchema({ type: "object", properties: { at: inner.properties.at, removable } }).properties, {
    at: { type: "string", description: "When. A time in RFC 3339" },
    removable: {
      type: "object",
      properties: {
        list: { type: "array", description: "null removes it", items: { type: "string", enum: ["a", "b"] } },
      },
    },
  })
})

test("a result has the types of the members that it always has", () => {
  assert.deepEqual(resultSchema(schema), {
    type: "object",
    properties: { id: { type: "integer" }, list: { type: "array", items: { type: "object" } } },
  })
  assert.deepEqual(resultSchema({ type: "object", properties: { word }, required: ["word"] }), {
    type: "object",
    properties: { word: { type: "string" } },
  })
  assert.deepEqual(resultSchema({ type: "object" }), { type: "object" })
})
