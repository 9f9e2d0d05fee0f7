import assert from "node:assert/strict"
import { test } from "node:test"
import { Counts, counter, Durations, gauge } from "../kernel/measure.ts"
import { metricsReader } from "./metrics.ts"

test("metrics are in the text format of Prometheus, and are read once a second at most", async () => {
  let now = 5_000
  let value = 1
  const durations = new Durations()
  for (const seconds of [0.001, 0.2, 20]) durations.add(seconds)
  const counts = new Counts(["x"])
  const read = metricsReader(
    [
      gauge("a_gauge", "A gauge", () => value),
      counter("a_total", "A counter", "of", counts),
      {
        name: "a_seconds",
        help: "A histogram",
        type: "histogram",
        labels: ["of"],
        read: () => [{ labels: { of: "y" }, distribution: durations }],
      },
    ],
    "1.2.3",
    { now: () => now },
  )
  const { type, text } = await read()
  assert.match(type, /^text\/plain; version=0\.0\.4/)
  for (const block of [
    "# HELP a_gauge A gauge\n# TYPE a_gauge gauge\na_gauge 1\n",
    '# HELP a_total A counter\n# TYPE a_total counter\na_total{of="x"} 0\n',
    '# TYPE petstore_build_info gauge\npetstore_build_info{version="1.2.3"} 1\n',
    "# HELP a_seconds A histogram\n# TYPE a_seconds histogram\n",
    '\na_seconds_bucket{le="0.001",of="y"} 1\na_seconds_bucket{le="0.005",of="y"} 1\n',
    '\na_seconds_bucket{le="0.1",of="y"} 1\na_seconds_bucket{le="0.25",of="y"} 2\n',
    '\na_seconds_bucket{le="10",of="y"} 2\na_seconds_bucket{le="+Inf",of="y"} 3\n',
    '\na_seconds_sum{of="y"} 20.201\na_seconds_count{of="y"} 3\n',
  ])
    assert.ok(text.includes(block), block)
  assert.match(text, /\nprocess_cpu_seconds_total/)
  assert.doesNotMatch(text, /nodejs_active_(handles|requests|resources)/)

  value = 2
  counts.add("x")
  now += 999
  assert.equal((await read()).text, text)
  now += 1
  for (const line of ["\na_gauge 2\n", '\na_total{of="x"} 1\n']) assert.ok((await read()).text.includes(line), line)
})
