import assert from "node:assert/strict"
import { test } from "node:test"
import { returnMemoryAtRest } from "./rest.ts"

test("memory returns once after work, when half a minute has passed in which the process hardly worked", (t) => {
  t.mock.timers.enable({ apis: ["setInterval"] })
  let [usedMs, returned] = [0, 0]
  returnMemoryAtRest({
    usedUs: () => usedMs * 1000,
    returnMemory() {
      returned++
      // Its own time is no work.
      usedMs += 700
    },
  })
  const afterWork = (ms: number) => {
    usedMs += ms
    t.mock.timers.tick(30_000)
    return returned
  }

  assert.deepEqual([600, 599, 0, 20_000, 10, 599, 600].map(afterWork), [0, 1, 1, 1, 2, 2, 2])
})
