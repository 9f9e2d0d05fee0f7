import assert from "node:assert/strict"
import { test } from "node:test"
import { Problem } from "../../kernel/problem.ts"
import type { Exchange } from "../../server/exchange/exchange.ts"
import { failureOf } from "./failure.ts"

/** What a person reads of a problem, and the headers of the response. */
function read(problem: Problem) {
  const headers: string[] = []
  const exchange = { header: (name: string, value: string) => headers.push(`${name}: ${value}`) }
  return { ...failureOf(exchange as unknown as Exchange, problem), headers }
}

test("a person reads what happened, and after too many attempts for how many minutes to wait", () => {
  assert.deepEqual(read(new Problem("not-found", "There is no page")), {
    status: 404,
    title: "No such resource",
    detail: "There is no page",
    message: "There is no page.",
    headers: [],
  })
  const wait = (retryAfter?: number) => {
    const { message, headers } = read(new Problem("too-many-attempts", "Too many attempts", { retryAfter }))
    return [message, ...headers]
  }
  const text = (minutes: number) => `Too many attempts. Try again in ${minutes} minutes.`
  assert.deepEqual(wait(900), [text(15), "retry-after: 900"])
  assert.deepEqual(wait(901), [text(16), "retry-after: 901"])
  assert.deepEqual(wait(0), [text(0), "retry-after: 0"])
  assert.deepEqual(wait(), [text(0)])
  const unavailable = read(new Problem("unavailable", "The disk is full", { retryAfter: 60 }))
  assert.deepEqual([unavailable.message, ...unavailable.headers], ["The disk is full.", "retry-after: 60"])
})
