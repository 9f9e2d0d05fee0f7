import assert from "node:assert/strict"
import { test } from "node:test"
import { toYaml } from "./yaml.ts"

test("values are written as YAML, with quotes where a text could be read as another type", () => {
  const value = {
    name: "Rex the 1st",
    quoted: ["yes", "Null", "1", "", "a: b", "a ", "-", "a.b/c_(d)"],
    "2xx": { empty: {}, none: [], absent: undefined, nothing: null },
    on: [{ a: 1, b: [true, 1.5] }, [["c"], 2]],
  }
  assert.equal(
    toYaml(value),
    `name: Rex the 1st
quoted:
  - "yes"
  - "Null"
  - "1"
  - ""
  - "a: b"
  - "a "
  - "-"
  - a.b/c_(d)
"2xx":
  empty: {}
  none: []
  nothing: null
"on":
  - a: 1
    b:
      - true
      - 1.5
  - - - c
    - 2
`,
  )
  assert.deepEqual(["a", 5, null, []].map(toYaml), ["a\n", "5\n", "null\n", "[]\n"])
})
