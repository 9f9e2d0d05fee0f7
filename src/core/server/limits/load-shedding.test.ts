import assert from "node:assert/strict"
import { test } from "node:test"
import { createLoadShedding, processLoad } from "./load-shedding.ts"

const overloaded = { code: "overloaded", retryAfter: 2 }

test("by default, requests are refused while 2,000 are under way, and admitted as soon as one has ended", () => {
  const load = createLoadShedding(processLoad({ mean: 0, reset() {} }))
  for (let n = 0; n < 2_000; n++) {
    load.requireCapacity()
    load.start()
  }
  assert.equal(load.underWay(), 2_000)
  assert.throws(() => load.requireCapacity(), overloaded)
  load.end()
  load.requireCapacity()
})

test("a delay counts when it lasts for two seconds in a row, without the 20 ms of the timer that measures it", (t) => {
  t.mock.timers.enable({ apis: ["setInterval"] })
  const meansMs = [5_020, 10, 3_020, 2_020, 20]
  let resets = 0
  const load = processLoad({
    get mean() {
      return (meansMs[resets] ?? 0) * 1e6
    },
    reset: () => void resets++,
  })
  const delays = meansMs.map(() => {
    t.mock.timers.tick(999)
    const before = load.loopDelayMs()
    t.mock.timers.tick(1)
    return [before, load.loopDelayMs()]
  })
  assert.deepEqual(delays, [
    [0, 0],
    [0, 0],
    [0, 0],
    [0, 2_000],
    [2_000, 0],
  ])
})

test("turns of the event loop that take 60 ms make it 40 ms late (slow)", async (t) => {
  t.mock.timers.enable({ apis: ["setInterval"] })
  const load = processLoad()
  const block = () => void Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 60)
  for (let seconds = 0; seconds < 2; seconds++) {
    for (let turns = 0; turns < 6; turns++) await new Promise<void>((resolve) => setImmediate(resolve)).then(block)
    t.mock.timers.tick(1_000)
  }
  assert.ok(load.loopDelayMs() >= 39, `${load.loopDelayMs()} ms`)
})
