import assert from "node:assert/strict"
import { test } from "node:test"
import { parseText } from "./json-text.ts"

test("a text is read as JSON in UTF-8", () => {
  assert.deepEqual(parseText(Buffer.from('{"a":"é"}')), { a: "é" })
})

test("a malformed text is refused with the reason, without quoting it", () => {
  const refused = (text: string, what?: string) => {
    try {
      return parseText(Buffer.from(text, "latin1"), what)
    } catch (error) {
      const { code, detail } = error as { code: string; detail: string }
      assert.equal(code, "malformed-json")
      return detail
    }
  }
  assert.equal(refused('"\xe9"'), "The body is not valid JSON: it is not UTF-8")
  assert.match(`${refused("{")}`, /^The body is not valid JSON: Expected property name/)
  for (const text of ['{"password": "hunter2', '{"password": hunter2}', `[${'"hunter2",'.repeat(50)}}\n"x"`])
    assert.doesNotMatch(`${refused(text, "line")}`, /hunter2|"/, text)
  assert.match(`${refused("[1,]", "line")}`, /^The line is not valid JSON: Unexpected token ']'$/)
})
