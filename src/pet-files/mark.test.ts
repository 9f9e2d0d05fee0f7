import assert from "node:assert/strict"
import { test } from "node:test"
import { createMarker } from "./mark.ts"

test("a line is marked with its hash and, from the second on, its ordinal among equal lines", () => {
  const mark = createMarker()
  const hash = "ypeBEsobvcr6wjGzmiPcTa"
  assert.deepEqual(
    [mark("a"), mark("b"), mark(Buffer.from("a")), mark("a")],
    [hash, "PiPoFgA5WUoziU9lZOGxNI", `${hash}.2`, `${hash}.3`],
  )
  assert.equal(createMarker()("a"), hash)
})
