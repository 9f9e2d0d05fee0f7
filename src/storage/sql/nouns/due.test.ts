import assert from "node:assert/strict"
import { test } from "node:test"
import type { SqlConnection } from "../statement.ts"
import { unblockFirst } from "./due.ts"

/** What is noted when a statement changes so many rows. */
async function noted(rows: number, petId: number | null): Promise<unknown[]> {
  const notes: unknown[] = []
  const db = { run: () => rows, noteChange: (change: unknown) => void notes.push(change) }
  await unblockFirst(db as unknown as SqlConnection, 1, petId)
  return notes
}

test("a delivery is due only where one was waiting for its pet", async () => {
  assert.deepEqual([await noted(0, 2), await noted(1, 2), await noted(1, null)], [[], ["delivery-due"], []])
})
