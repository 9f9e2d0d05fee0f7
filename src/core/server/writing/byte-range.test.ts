import assert from "node:assert/strict"
import { test } from "node:test"
import { rangeOf } from "./byte-range.ts"

const ranges: [range: string | undefined, part: [start: number, end: number] | "none" | "whole"][] = [
  [undefined, "whole"],
  ["bytes=0-0", [0, 0]],
  ["bytes=2-5", [2, 5]],
  ["bytes=2-", [2, 9]],
  ["bytes=9-", [9, 9]],
  ["bytes=0-9", [0, 9]],
  ["bytes=0-10", [0, 9]],
  ["bytes=5-5", [5, 5]],
  ["bytes=-1", [9, 9]],
  ["bytes=-10", [0, 9]],
  ["bytes=-11", [0, 9]],
  ["BYTES = 2 - 5", [2, 5]],
  ["bytes=10-", "none"],
  ["bytes=10-11", "none"],
  ["bytes=-0", "none"],
  ["bytes=5-4", "whole"],
  ["bytes=12-11", "whole"],
  ["bytes=0-1,3-4", "whole"],
  ["bytes=-", "whole"],
  ["items=0-1", "whole"],
  ["bytes=a-b", "whole"],
]

for (const [range, part] of ranges)
  test(`Range: ${range} of ten bytes is ${part}`, () => {
    const expected = part === "whole" ? undefined : part === "none" ? part : { start: part[0], end: part[1] }
    assert.deepEqual(rangeOf({ range }, 10, '"1"'), expected)
    assert.deepEqual(rangeOf({ range, "if-range": '"1"' }, 10, '"1"'), expected)
    assert.equal(rangeOf({ range, "if-range": '"2"' }, 10, '"1"'), undefined)
  })

test("nothing is within an empty entity", () => {
  assert.equal(rangeOf({ range: "bytes=0-" }, 0, '"1"'), "none")
})
