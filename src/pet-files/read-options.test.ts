import assert from "node:assert/strict"
import { test } from "node:test"
import { InvalidMapping, parseMap } from "./read-options.ts"

test("an assignment maps a title to a column or to nothing", () => {
  assert.deepEqual(
    parseMap(["species=category", " a = NAME ", "a=b=tags", "c=tags", "x=nothing", "y=nothing", "p=PhotoURLs"]),
    new Map([
      ["species", "category"],
      ["a", "name"],
      ["a=b", "tags"],
      ["c", "tags"],
      ["x", undefined],
      ["y", undefined],
      ["p", "photoUrls"],
    ]),
  )
  assert.deepEqual(parseMap([]), new Map())
})

test("other assignments, and those that contradict another, are refused", () => {
  const columns = "the columns are id, name, category, status, tags, photoUrls, and nothing for one to ignore"
  for (const wrong of ["name", "=name", " =name", "a=", "a=other", "a=Nothing", ""])
    assert.throws(
      () => parseMap([wrong]),
      new InvalidMapping(`${JSON.stringify(wrong)} is not TITLE=COLUMN; ${columns}`),
    )
  assert.throws(() => parseMap(["a=name", "a=tags"]), new InvalidMapping('"a" is mapped more than once'))
  assert.throws(() => parseMap(["a=nothing", "a=nothing"]), new InvalidMapping('"a" is mapped more than once'))
  assert.throws(() => parseMap(["b=id", "a=name", "c=name"]), new InvalidMapping("a and c are both mapped to name"))
})
