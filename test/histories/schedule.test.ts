import assert from "node:assert/strict"
import { test } from "node:test"
import { kindsOfCluster, kindsOfProcess, scheduleOf } from "./schedule.ts"

const cluster = { of: kindsOfCluster, replicas: 3 }
const alone = { of: kindsOfProcess, replicas: 1 }
const seeds = Array.from({ length: 100 }, (_, seed) => seed)

test("a seed has the same disturbances in every run, and more of them continue the same ones", () => {
  assert.deepEqual(scheduleOf(7, 20, cluster), scheduleOf(7, 20, cluster))
  assert.deepEqual(scheduleOf(7, 20, cluster).slice(0, 5), scheduleOf(7, 5, cluster))
  assert.notDeepEqual(scheduleOf(7, 20, cluster), scheduleOf(8, 20, cluster))
})

test("each kind fails once in as many disturbances as there are kinds, and every second one is a pair", () => {
  for (const seed of seeds)
    for (const scale of [cluster, alone]) {
      const schedule = scheduleOf<(typeof kindsOfCluster)[number]>(seed, scale.of.length, scale)
      const failures = schedule.flatMap((disturbance) => disturbance.failures)
      assert.deepEqual([...new Set(failures.map(({ kind }) => kind))].sort(), [...scale.of].sort())
      assert.deepEqual(
        schedule.map((disturbance) => disturbance.failures.length),
        schedule.map((_, n) => 1 + (n % 2)),
      )
    }
})

test("the failures of a pair are of two kinds, and of two replicas or two other things", () => {
  const pairs = seeds.flatMap((seed) =>
    scheduleOf(seed, 20, cluster).flatMap(({ failures: [first, second] }) =>
      first && second ? [{ first, second }] : [],
    ),
  )
  for (const { first, second } of pairs) {
    assert.notEqual(first.kind, second.kind)
    assert.notEqual(first.replica, second.replica)
  }
  const names = new Set(pairs.map(({ first, second }) => `${first.kind}, ${second.kind}`))
  assert.ok(names.has("kill replica, pause replica"))
  assert.ok(names.has("kill PostgreSQL, kill Redis"))
  assert.ok(names.has("pause PostgreSQL, cut PostgreSQL"))
  assert.ok(!names.has("kill PostgreSQL, pause PostgreSQL"))
  assert.ok(!names.has("cut Redis, hold Redis"))
})

test("a pause takes up to eight seconds, and a clock goes ahead and back", () => {
  const failures = seeds.flatMap((seed) => scheduleOf(seed, 20, cluster).flatMap((disturbance) => disturbance.failures))
  const pauses = failures.filter(({ kind }) => kind.startsWith("pause")).map(({ forMs }) => forMs)
  assert.ok(Math.min(...pauses) >= 500 && Math.max(...pauses) <= 8_000 && Math.max(...pauses) > 7_000)
  const shifts = failures.filter(({ kind }) => kind === "shift clock").map(({ shiftMs }) => shiftMs)
  assert.ok(Math.min(...shifts) < -60_000 && Math.max(...shifts) > 60_000)
})
