import assert from "node:assert/strict"
import { test } from "node:test"
import { allTools } from "../../src/parts/mcp/tools.ts"
import { furtherOperations } from "../harness/operations.ts"

const toolNamed = (name: string) => {
  const tool = allTools(furtherOperations).find(({ listed }) => listed.name === name)
  if (!tool) throw new Error(`no tool ${name}`)
  return tool
}

test("every tool says whether it only reads, ends or replaces what exists, and may be repeated", () => {
  for (const { listed } of allTools(furtherOperations)) {
    const { readOnlyHint, destructiveHint, idempotentHint } = listed.annotations ?? {}
    const hints = [readOnlyHint, destructiveHint, idempotentHint]
    assert.ok(
      hints.every((hint) => typeof hint === "boolean"),
      listed.name,
    )
    assert.ok(!(readOnlyHint && destructiveHint) && !(readOnlyHint && !idempotentHint), listed.name)
  }
  for (const [name, ...hints] of [
    ["getPetById", true, false, true],
    ["verifyRequests", true, false, true],
    ["deletePet", false, true, true],
    ["updatePet", false, true, true],
    ["patchPet", false, true, true],
    ["addPet", false, false, false],
    ["rotateKey", false, true, false],
    ["reset", false, true, true],
    ["advance", false, true, false],
    ["trigger", false, false, false],
  ] as const) {
    const { readOnlyHint, destructiveHint, idempotentHint } = toolNamed(name).listed.annotations ?? {}
    assert.deepEqual([readOnlyHint, destructiveHint, idempotentHint], hints, name)
  }
})

/** The places in a schema that a provider of models refuses, or that it would have to guess. */
function* refusedIn(schema: Schema, at: string): Generator<string> {
  const { type, properties = {}, items, enum: words = [] } = schema
  if (typeof type !== "string") yield `${at}: type ${JSON.stringify(type)}`
  if (type === "array" && items === undefined) yield `${at}: a list without items`
  if (words.some((word) => typeof word !== "string")) yield `${at}: words that are no texts`
  for (const keyword of Object.keys(schema).filter((one) => !accepted.has(one))) yield `${at}: ${keyword}`
  for (const [name, member] of Object.entries(properties)) yield* refusedIn(member, `${at}.${name}`)
  if (items) yield* refusedIn(items, `${at}[]`)
}

type Schema = { type?: unknown; properties?: Record<string, Schema>; items?: Schema; enum?: unknown[] }
/** Without `format`, `const`, `oneOf`, `anyOf`, `allOf`, `$ref`, bounds and patterns. */
const accepted = new Set(["type", "description", "enum", "properties", "required", "items"])

test("every schema of every tool, of arguments and of results, has one type and no keyword that a provider refuses", () => {
  const refused = allTools(furtherOperations).flatMap(({ listed: { name, inputSchema, outputSchema } }) => [
    ...refusedIn(inputSchema as Schema, name),
    ...refusedIn(outputSchema as Schema, `${name}()`),
  ])
  assert.deepEqual(refused, [])
  assert.deepEqual([...refusedIn({ type: ["array", "null"], enum: [1], format: "x" } as Schema, "a")].length, 3)
})
