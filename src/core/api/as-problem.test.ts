import assert from "node:assert/strict"
import { test } from "node:test"
import { OutcomeUnknown, StoreUnavailable } from "../domain/ports/store.ts"
import { asProblem } from "./as-problem.ts"

test("storage that does not respond is a 503 that says whether something was changed, and a bug tells nothing", () => {
  const away = asProblem(new StoreUnavailable("the disk is full"))
  assert.deepEqual([away.code, away.retryAfter], ["unavailable", 5])
  assert.equal(away.detail, "Storage did not respond: the disk is full. Nothing was changed.")
  const unknown = asProblem(new OutcomeUnknown("lost"))
  assert.match(unknown.detail, /^Storage did not respond: lost. It is not known whether the change was made/)
  const bug = asProblem(new TypeError("secret"))
  assert.deepEqual([bug.code, bug.detail.includes("secret")], ["internal-error", false])
})
