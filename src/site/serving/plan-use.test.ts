import assert from "node:assert/strict"
import { test } from "node:test"
import type { Caller } from "../../domain/accounts/model.ts"
import { Problem } from "../../kernel/problem.ts"
import type { Exchange } from "../../server/exchange/exchange.ts"
import { countFurther } from "./plan-use.ts"

/** Counts with these refusals, one after the other, and none after them. */
async function count(refusals: Problem[], destroyed = false): Promise<number> {
  let asked = 0
  const takeFromPlan = async () => refusals[asked++]
  await countFurther({ takeFromPlan }, {} as Caller, { response: { destroyed } } as Exchange)
  return asked
}
const refusal = (retryAfter?: number) => new Problem("limit-exceeded", "Used up", { retryAfter })

test("a further request is counted once, and waits while the minute is used up", async () => {
  assert.equal(await count([]), 1)
  assert.equal(await count([refusal(60)]), 2)
})

test("a further request is refused when the wait is longer than a minute, or the client has left", async () => {
  await assert.rejects(count([refusal(61)]), { code: "limit-exceeded" })
  await assert.rejects(count([refusal(1)], true), { code: "limit-exceeded" })
})
