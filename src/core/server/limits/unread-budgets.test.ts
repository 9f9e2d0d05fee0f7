import assert from "node:assert/strict"
import { test } from "node:test"
import { unreadBudgetsFor } from "./unread-budgets.ts"

const mebibyte = 1024 * 1024

test("an eighth of the memory is for unread responses, 32 to 256 MiB, and an eighth of that for an account, but at least a sandbox file", () => {
  for (const [memory, total] of [
    [0, 32],
    [256, 32],
    [264, 33],
    [1_024, 128],
    [2_048, 256],
    [2_056, 256],
    [100_000, 256],
  ] as const)
    assert.deepEqual(unreadBudgetsFor(memory * mebibyte), {
      perConnection: 4 * mebibyte,
      perAccount: Math.max(total / 8, 16) * mebibyte,
      total: total * mebibyte,
    })
})
