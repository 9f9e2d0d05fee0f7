import assert from "node:assert/strict"
import { test } from "node:test"
import { preferenceOf, readPreferences } from "./preferences.ts"

const shown = (prefer: string | string[] | undefined) =>
  [...readPreferences(prefer)].map(([name, { value, parameters }]) => [name, value, ...[...parameters].flat()])

for (const [prefer, preferences] of [
  [undefined, []],
  ["", []],
  [" , ,", []],
  ["handling=strict", [["handling", "strict"]]],
  [
    "Handling = Strict , wait=1",
    [
      ["handling", "Strict"],
      ["wait", "1"],
    ],
  ],
  ["a=1, A=2", [["a", "1"]]],
  [
    ["a=1", "b=2"],
    [
      ["a", "1"],
      ["b", "2"],
    ],
  ],
  ["respond-async", [["respond-async", ""]]],
  [
    'a="x, y; z"; B="1=2";c, d=e=f',
    [
      ["a", "x, y; z", "b", "1=2", "c", ""],
      ["d", "e=f"],
    ],
  ],
  ['a=""', [["a", ""]]],
  ['a="x"y', [["a", '"x"y']]],
  ["=1, ;a=1, b=2", [["b", "2"]]],
] as const)
  test(`Prefer: ${prefer} has ${JSON.stringify(preferences)}`, () =>
    assert.deepEqual(shown(prefer as string | string[] | undefined), preferences))

test("the value of a preference is in lower case", () => {
  assert.equal(preferenceOf({ prefer: 'HANDLING="Strict"' }, "handling"), "strict")
  assert.equal(preferenceOf({ prefer: "wait=1" }, "handling"), undefined)
  assert.equal(preferenceOf({}, "handling"), undefined)
})
