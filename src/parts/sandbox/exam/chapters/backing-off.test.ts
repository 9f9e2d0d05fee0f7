import assert from "node:assert/strict"
import { test } from "node:test"
import { randomOf } from "../../../../../test/harness/random.ts"
import { Missed } from "../../../../examiner/verdict.ts"
import { type Evidence, type ObservedTask, Undecided } from "../task.ts"
import { backingOff } from "./backing-off.ts"

type Name = "waits-longer-each-time" | "varies-its-waits"

function taskOf(name: Name): ObservedTask {
  const task = backingOff.tasks.find((one) => one.name === name)
  assert(task && "steps" in task)
  return task
}

const { steps, furtherSteps = [] } = taskOf("varies-its-waits")
const [readsMin, readsMax] = [steps.length, steps.length + furtherSteps.length]

const random = randomOf(1)
const exponential = (meanMs: number) => -meanMs * Math.log(1 - random())

/** Other work makes a pause longer: on a quiet machine by a millisecond, and while several clients are examined at once. */
const quiet = (ms: number) => ms + exponential(1)
function busy(ms: number): number {
  const chance = random()
  return ms + exponential(chance < 0.6 ? 3 : chance < 0.88 ? 30 : 150)
}

/** The pause before the nth repetition, in milliseconds. */
type Waits = (n: number) => number

/** Whether a client passes that repeats each read so often, and how many pets it had to read. */
function examine(name: Name, waits: Waits, repetitions: number): { passes: boolean; reads: number } {
  const { judge } = taskOf(name)
  const requests: Evidence["requests"][number][] = []
  const read = (pet: number) => {
    let time = Date.UTC(2026, 0, pet)
    for (let n = 0; n <= repetitions; n++) {
      if (n > 0) time += waits(n - 1)
      const path = `/api/v3/pet/${pet}`
      const [request, response] = [{ headers: {} }, { headers: {} }]
      requests.push({
        id: n,
        time: new Date(time).toISOString(),
        method: "GET",
        path,
        durationMs: 0,
        request,
        response,
      })
    }
  }
  for (let n = 1; n <= readsMin; n++) read(n)
  for (let reads = readsMin; ; read(++reads))
    try {
      judge({ requests, pets: [] })
      return { passes: true, reads }
    } catch (error) {
      if (!(error instanceof Missed)) throw error
      if (!(error instanceof Undecided)) return { passes: false, reads }
    }
}

/** The share of clients that pass, and the most pets that one had to read. */
function examineMany(name: Name, waits: Waits, repetitions: number): { share: number; most: number } {
  const examined = Array.from({ length: 120 }, () => examine(name, waits, repetitions))
  return {
    share: examined.filter(({ passes }) => passes).length / examined.length,
    most: Math.max(...examined.map(({ reads }) => reads)),
  }
}

/** Expects that so many pass at least or at most, with each number of repetitions. */
function expectShare(name: Name, waits: Waits, expected: { least?: number; most?: number }, from = 2): void {
  for (let repetitions = from; repetitions <= 4; repetitions++) {
    const { share } = examineMany(name, waits, repetitions)
    const { least = 0, most = 1 } = expected
    assert(least <= share && share <= most, `${share} of those with ${repetitions} repetitions passed: ${waits}`)
  }
}

test("pauses that grow pass, and equal ones are missed, after few pets", () => {
  const growing: Waits[] = [(n) => 250 * 2 ** n, (n) => 100 * (n + 1), (n) => 200 * 1.5 ** n]
  const equal: Waits[] = [() => 0, () => 100, () => 2000]
  for (const repetitions of [2, 3, 4]) {
    const expectAll = (waits: Waits, passing: 0 | 1) => {
      const { share, most } = examineMany("waits-longer-each-time", (n) => quiet(waits(n)), repetitions)
      assert(share === passing && most <= readsMin + 4, `${share} passed, after ${most} pets: ${waits}`)
    }
    for (const waits of growing) expectAll(waits, 1)
    for (const waits of equal) expectAll(waits, 0)
  }
})

test("pauses that double, each a random part of that, pass nearly always, and random ones that do not grow seldom", () => {
  const double: Waits = (n) => 250 * 2 ** n * random()
  expectShare("waits-longer-each-time", double, { least: 0.95 })
  expectShare("waits-longer-each-time", double, { least: 0.995 }, 3)
  expectShare("waits-longer-each-time", () => 500 + 1000 * random(), { most: 0.12 })
})

/** Pauses without chance, and those of clients that add some or draw all. */
const exact: Waits[] = [() => 0, () => 2000, (n) => 500 * 2 ** n]
const drawn: Waits[] = [
  (n) => 250 * 2 ** n * random(),
  (n) => 250 * 2 ** n * (0.5 + random() / 2),
  (n) => 500 * 2 ** n * (0.9 + 0.2 * random()),
  (n) => 1000 * 2 ** n + 100 * random(),
  (n) => (n === 0 ? 0 : 250 * 2 ** n + 250 * random()),
]

test("random pauses pass, also beside other work", () => {
  for (const waits of drawn)
    for (const beside of [quiet, busy]) expectShare("varies-its-waits", (n) => beside(waits(n)), { least: 0.96 })
})

test("exact pauses are missed after the fewest pets, and nearly always beside other work", () => {
  for (const waits of exact) {
    const { share, most } = examineMany("varies-its-waits", (n) => quiet(waits(n)), 3)
    assert.deepEqual([share, most], [0, readsMin])
    expectShare("varies-its-waits", (n) => busy(waits(n)), { most: 0.02 })
  }
})

test("what no four pets decide, twelve do", () => {
  const { most } = examineMany("varies-its-waits", (n) => busy(1000 * 2 ** n + 100 * random()), 2)
  assert.equal(most, readsMax)
})
