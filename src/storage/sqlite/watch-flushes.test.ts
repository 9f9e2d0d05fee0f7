import assert from "node:assert/strict"
import { test } from "node:test"
import type { StoreUnavailable } from "../../domain/ports/store.ts"
import type { Durations } from "../../kernel/measure.ts"
import { watchFlushes } from "./watch-flushes.ts"

/** Flushes that a test ends; records what is reported. */
function watched() {
  const ends: { done(): void; fail(error: Error): void }[] = []
  const events: string[] = []
  const flush = (what: string) => () => {
    events.push(what)
    return new Promise<void>((resolve, reject) => ends.push({ done: resolve, fail: reject }))
  }
  const disk = watchFlushes(
    { syncLog: flush("log"), syncDatabase: flush("database"), close: () => void events.push("close") },
    {
      stalled: (refusal: StoreUnavailable) => void events.push(refusal.message),
      answered: () => void events.push("answered"),
    },
  )
  const read = async (n: number) => disk.metrics[n]?.read()
  return { disk, ends, events, read }
}

const turn = () => new Promise((resolve) => setImmediate(resolve))
const refusal = "the disk has not confirmed a write for 5 seconds"

test("a flush of five seconds is reported, and its end too", async (t) => {
  t.mock.timers.enable({ apis: ["setTimeout"] })
  const { disk, ends, events } = watched()
  const flushing = disk.syncLog()
  t.mock.timers.tick(4_999)
  await turn()
  assert.deepEqual(events, ["log"])
  t.mock.timers.tick(1)
  await turn()
  assert.deepEqual(events, ["log", refusal])
  ends[0]?.done()
  await flushing
  assert.deepEqual(events, ["log", refusal, "answered"])
  disk.close()
  assert.equal(events.at(-1), "close")
})

test("a flush that ends in time, or as soon as the process continues, is not reported", async (t) => {
  t.mock.timers.enable({ apis: ["setTimeout"] })
  const { disk, ends, events } = watched()
  const first = disk.syncDatabase()
  ends[0]?.done()
  await first
  t.mock.timers.tick(10_000)
  await turn()
  const second = disk.watch(() => disk.syncLog())
  t.mock.timers.tick(5_000)
  ends[1]?.done()
  await second
  await turn()
  assert.deepEqual(events, ["database", "log"])
})

test("a flush that fails after five seconds has not answered", async (t) => {
  t.mock.timers.enable({ apis: ["setTimeout"] })
  const { disk, ends, events } = watched()
  const flushing = disk.syncLog()
  t.mock.timers.tick(5_000)
  await turn()
  ends[0]?.fail(new Error("EIO"))
  await assert.rejects(flushing, /EIO/)
  assert.deepEqual(events, ["log", refusal])
})

test("the durations of flushes are measured by file, and the age of the one under way", async () => {
  const { disk, ends, read } = watched()
  const waiting = () => process.getActiveResourcesInfo().filter((resource) => resource === "Timeout").length
  const [began, before] = [performance.now(), waiting()]
  const age = async () => (await read(1))?.[0] as { value: number }
  assert.equal((await age()).value, 0)
  const flushing = disk.syncDatabase()
  await turn()
  const { value } = await age()
  assert.ok(value > 0 && value <= (performance.now() - began) / 1000, `${value}`)
  ends[0]?.done()
  await flushing
  assert.deepEqual([(await age()).value, waiting()], [0, before])
  const elapsed = (performance.now() - began) / 1000
  const samples = (await read(0)) as { labels: { file: string }; durations: Durations }[]
  const counted = samples.map(({ labels, durations: { counts, sumSeconds } }) => {
    assert.ok(sumSeconds >= 0 && sumSeconds <= elapsed, `${sumSeconds}`)
    return [labels.file, counts.reduce((sum, count) => sum + count), sumSeconds > 0]
  })
  assert.deepEqual(counted, [
    ["log", 0, false],
    ["database", 1, true],
  ])
})
