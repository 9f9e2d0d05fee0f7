import assert from "node:assert/strict"
import { test } from "node:test"
import type { TSchema } from "typebox"
import { api } from "../../src/core/domain/api.ts"
import type { Endpoint } from "../../src/core/kernel/endpoint/endpoint.ts"
import { checkOf } from "../../src/core/kernel/schema/check.ts"
import { Type } from "../../src/core/kernel/schema/type.ts"

const lengthTried = 32_768
const patienceMs = 250

/** Texts that make an ambiguous pattern try all alternatives. */
const repeated = [
  "a",
  " ",
  "\t ",
  "a ",
  "/",
  "a/",
  "a:",
  "a.",
  "1.",
  ":",
  "%",
  "%41",
  "a%",
  "[",
  "-",
  "--",
  "@",
  "a@",
  "a-",
  "🐕",
]
const hostile = repeated.flatMap((part) => {
  const many = part.repeat(lengthTried / part.length)
  return ["\0", "\n", '"', "^", "!"].flatMap((end) => [many + end, `http://${many}${end}`, `//[${many}${end}`])
})

test("no text, however long and hostile, makes a rule of the contract slow (slow)", () => {
  for (const [rule, schema] of textRules(Object.values(api))) {
    const check = checkOf(schema)
    for (const text of hostile) {
      const before = process.cpuUsage()
      check(text)
      const took = process.cpuUsage(before).user / 1000
      assert.ok(took < patienceMs, `${rule} takes ${Math.round(took)} ms for ${JSON.stringify(text.slice(0, 12))}…`)
    }
  }
})

/** Every distinct rule for texts in the contract. */
function textRules(endpoints: readonly Endpoint[]): Map<string, TSchema> {
  const rules = new Map<string, TSchema>()
  const visit = (part: unknown): void => {
    if (typeof part !== "object" || part === null) return
    const { pattern, format, type } = part as { pattern?: string; format?: string; type?: unknown }
    if ([type].flat().includes("string") && (pattern ?? format) !== undefined)
      rules.set(
        `${pattern} ${format}`,
        Type.Unsafe({ type: "string", ...(pattern && { pattern }), ...(format && { format }) }),
      )
    Object.values(part).forEach(visit)
  }
  for (const { params, query, body } of endpoints) [params, query, body].forEach(visit)
  return rules
}
