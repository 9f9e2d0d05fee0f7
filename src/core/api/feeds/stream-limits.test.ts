import assert from "node:assert/strict"
import { test } from "node:test"
import { Problem } from "../../kernel/problem.ts"
import { createStreamLimits } from "./stream-limits.ts"

const refusedWith = (code: string) => (error: unknown) =>
  error instanceof Problem && error.code === code && error.retryAfter !== undefined

test("streams of all accounts together, and of all anonymous clients, are bounded, and are released when they end", () => {
  const { take, open } = createStreamLimits()
  const accounts = Array.from({ length: 1_000 }, (_, id) => take(id))
  assert.throws(() => take(-1), refusedWith("overloaded"))
  const anonymous = Array.from({ length: 200 }, (_, n) => take(`192.0.2.${n}`))
  assert.throws(() => take("198.51.100.1"), refusedWith("overloaded"))
  assert.equal(open(), 1_000 + 200)
  for (const giveBack of [...accounts, ...anonymous]) giveBack()
  assert.equal(open(), 0)
  take(-1)
})

test("one IPv6 network counts as one address", () => {
  const { take } = createStreamLimits()
  for (let n = 0; n < 20; n++) take(`2001:db8::${n}`)
  assert.throws(() => take("2001:db8::ffff"), refusedWith("too-many-streams"))
  take("2001:db8:0:1::1")
})

test("an account has up to ten streams", () => {
  const { take } = createStreamLimits()
  take(2)
  for (let n = 0; n < 10; n++) take(1)
  assert.throws(() => take(1), {
    code: "too-many-streams",
    detail: "The account has 10 streams open",
  })
})
