// Runs beside two other files at most.
import assert from "node:assert/strict"
import { test } from "node:test"
import { missingTools } from "../../bench/load/wrk.ts"
import { activities } from "../../bench/verify/soak/activities.ts"
import { runSoak } from "../../bench/verify/soak/soak.ts"

const durationMs = 5_000

test("under each kind of mixed load at once no request is refused, each event is delivered, and what is used is measured", {
  skip: missingTools(),
}, async () => {
  const passed: number[] = []
  const soak = await runSoak(
    durationMs,
    new AbortController().signal,
    ({ memoryMiB, descriptors, files }, passedMs) => {
      assert.ok(memoryMiB > 30 && descriptors > 10 && files > 3)
      passed.push(passedMs)
    },
  )
  assert.deepEqual(soak.unexpected, [])
  assert.deepEqual(Object.keys(soak.calls).sort(), Object.keys(activities).sort())
  assert.ok(soak.deliveries > 0)
  assert.equal(passed.length, 12)
})

test("a soak that is ended early stops within a sample", { skip: missingTools() }, async () => {
  const ending = new AbortController()
  let samples = 0
  await runSoak(12_000, ending.signal, () => {
    samples++
    ending.abort()
  })
  assert.equal(samples, 1)
})
