import assert from "node:assert/strict"
import { test } from "node:test"
import { delaySeconds, delaySecondsMax } from "./rules.ts"

test("a delay with jitter is as far from its middle as the draw is from a half", () => {
  const delay = { seconds: 2, jitterSeconds: 1 }
  assert.deepEqual(
    [0, 0.25, 0.5, 0.9996].map((draw) => delaySeconds(delay, draw)),
    [1, 1.5, 2, 2.999],
  )
})

test("a delay with a spread is log-normal: longer with a higher draw of the normal distribution, and its median is as given", () => {
  // The draw 0.3 is 0.261 of the standard normal distribution.
  assert.equal(delaySeconds({ seconds: 1, spread: 0.5 }, 0.3), 1.139)
  const drawn = Array.from({ length: 9999 }, (_, n) => delaySeconds({ seconds: 1, spread: 0.5 }, n / 9999))
  const sorted = drawn.toSorted((a, b) => a - b)
  const quantile = (share: number) => sorted[Math.floor(share * sorted.length)] as number
  assert.ok(Math.abs(quantile(0.5) - 1) < 0.05, String(quantile(0.5)))
  assert.ok(Math.abs(quantile(0.8413) - Math.exp(0.5)) < 0.1, String(quantile(0.8413)))
})

test("no delay is longer than half a minute", () => {
  assert.equal(delaySeconds({ seconds: 29, jitterSeconds: 20 }, 0.99), delaySecondsMax)
  assert.equal(delaySecondsMax, 30)
})
