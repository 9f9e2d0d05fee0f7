import assert from "node:assert/strict"
import { test } from "node:test"
import { depthMax, parseJson } from "./parse-json.ts"

test("numbers are never rounded into integers they are not", () => {
  for (const text of [
    "9007199254740990.7",
    "1e-400",
    "0.5e-1",
    "1.0000000000000000001",
    "123456789.00000000001e1",
    "-1e-9",
    "1e999",
  ])
    assert.ok(!Number.isInteger(parseJson(text)), text)
})

test("numbers that would be rounded are found anywhere", () => {
  for (const text of [
    "[1e-400]",
    "[1,1e-400]",
    "[1, 1e-400]",
    '{"a":1e-400}',
    '{"a": 1, "b":-1e-400}',
    "[true,1e-400]",
    "[1E-400]",
    '["\\ud83d\\udc15",1e-400]',
  ])
    assert.match(JSON.stringify(parseJson(text)), /null/, text)
  assert.deepEqual(parseJson('[1.5, 1e-400, 2, "x", 1e-400, 3]'), [1.5, Infinity, 2, "x", Infinity, 3])
})

test("integers in every spelling are read as themselves", () => {
  const spellings = {
    "1": 1,
    "1.0": 1,
    "1e2": 100,
    "100e-2": 1,
    "12.50e1": 125,
    "-0": 0,
    "0e5": 0,
    "1.5e1": 15,
    "0.0": 0,
  }
  for (const [text, value] of Object.entries(spellings)) assert.ok(parseJson(text) === value, text)
})

test("half a surrogate pair is refused anywhere, a whole one is read", () => {
  for (const text of ['"\\ud83d"', '{"\\udc00":1}', '[["a\\ud800b"]]'])
    assert.throws(() => parseJson(text), SyntaxError)
  assert.equal(parseJson('"\\ud83d\\udc15"'), "🐕")
})

test("numbers in strings, and text that is not a JSON number, are left unchanged", () => {
  assert.deepEqual(parseJson('["1e-400", "\\"1e-400", {"1e-400":1.5}]'), ["1e-400", '"1e-400', { "1e-400": 1.5 }])
  for (const text of ["01.00000000000000000001", "1.", "1.5.5", "-", "1-1", "[1e-400", '"1e-400', "+1", ".5"])
    assert.throws(() => parseJson(text), SyntaxError, text)
})

test("nesting deeper than 32 levels is refused before anything is built from it", () => {
  const nested = (depth: number) => `${"[".repeat(depth)}1.5${"]".repeat(depth)}`
  assert.doesNotThrow(() => parseJson(nested(depthMax)))
  assert.doesNotThrow(() => parseJson(`["${"[".repeat(100)}", [], []]`))
  assert.doesNotThrow(() => parseJson(`[${"[1],[1.5],".repeat(100)}0]`))
  assert.doesNotThrow(() => parseJson(`[${"[],{},".repeat(100)}${nested(depthMax - 1)}]`))
  for (const text of [nested(depthMax + 1), nested(500_000), '{"a":'.repeat(depthMax + 1)])
    assert.throws(() => parseJson(text), /nested deeper than 32 levels/)
})
