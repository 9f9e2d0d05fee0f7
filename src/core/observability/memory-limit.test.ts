import assert from "node:assert/strict"
import { totalmem } from "node:os"
import { test } from "node:test"
import { memoryLimit } from "./memory-limit.ts"

test("the limit is the machine's memory, or less where a control group limits it", (t) => {
  let constrained = 0
  t.mock.method(process, "constrainedMemory", () => constrained)
  for (const [bytes, limit] of [
    [0, totalmem()],
    [1, 1],
    [1_048_576, 1_048_576],
    [totalmem() * 2, totalmem()],
  ] as const) {
    constrained = bytes
    assert.equal(memoryLimit(), limit)
  }
})
