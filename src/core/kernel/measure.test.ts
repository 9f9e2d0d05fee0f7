import assert from "node:assert/strict"
import { test } from "node:test"
import { Counts, counter, Durations, gauge, type Metric } from "./measure.ts"

const read = async (metric: Metric) => {
  assert.notEqual(metric.type, "histogram")
  return metric.type === "histogram" ? [] : metric.read()
}

test("a gauge has one value, or none while there is none", async () => {
  assert.deepEqual(await read(gauge("a", "", () => 0)), [{ labels: {}, value: 0 }])
  assert.deepEqual(await read(gauge("a", "", async () => undefined)), [])
})

test("a counter has a value for each name, from 0 where the name is known", async () => {
  const counts = new Counts(["a"])
  const metric = counter("n", "", "of", counts)
  assert.deepEqual(await read(metric), [{ labels: { of: "a" }, value: 0 }])
  for (const name of ["a", "b", "b"]) counts.add(name)
  assert.deepEqual(await read(metric), [
    { labels: { of: "a" }, value: 1 },
    { labels: { of: "b" }, value: 2 },
  ])
  assert.deepEqual([...new Counts().all], [])
})

test("a duration is counted up to its bound, inclusive, and above all bounds", () => {
  const durations = new Durations()
  for (const seconds of [0, 0.001, 0.0011, 10, 10.1]) durations.add(seconds)
  assert.deepEqual(durations.counts, [2, 1, ...Array(durations.bounds.length - 3).fill(0), 1, 1])
  assert.equal(durations.sum, 20.1021)
})
