import assert from "node:assert/strict"
import { test } from "node:test"
import { writeWords } from "./agent-task.ts"

test("the words of a task end with the form of the line that it asks for, which does not disclose what is right", () => {
  assert.equal(writeWords({ words: "Order a pet." }), "Order a pet.")
  const says = { deleted: false, count: 3, status: "sold", refused: [2, 4] }
  assert.equal(
    writeWords({ words: "Delete a pet.", says }),
    'Delete a pet.\nEnd with one line of JSON that has this form: {"deleted": true or false, "count": NUMBER, "status": "TEXT", "refused": [NUMBER, …]}',
  )
})
