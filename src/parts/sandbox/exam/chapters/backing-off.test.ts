import assert from "node:assert/strict"
import { test } from "node:test"
import { randomOf } from "../../../../../test/harness/random.ts"
import { Missed } from "../../../../examiner/verdict.ts"
import { Undecided } from "../task.ts"
import { backingOff } from "./backing-off.ts"

const task = backingOff.tasks.find(({ name }) => name === "waits-longer-each-time")
assert(task && "steps" in task)
const { steps, furtherSteps = [], judge } = task

const random = randomOf(1)
/** Other work makes a pause longer. */
const beside = (ms: number) => ms + 5 * random()

/** The pause before the nth repetition, in milliseconds. */
type Waits = (n: number) => number

/** Whether a client passes that repeats each read so often, and how many pets it had to read. */
function examine(waits: Waits, repetitions: number): { passes: boolean; reads: number } {
  const requests: Parameters<typeof judge>[0]["requests"][number][] = []
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
  for (const n of steps.keys()) read(n + 1)
  for (let reads = steps.length; ; read(++reads))
    try {
      judge({ requests, pets: [] })
      return { passes: true, reads }
    } catch (error) {
      if (!(error instanceof Missed)) throw error
      if (!(error instanceof Undecided)) return { passes: false, reads }
    }
}

/** The share of clients that pass, and the most pets that one had to read. */
function examineMany(waits: Waits, repetitions: number): { share: number; readsMax: number } {
  const examined = Array.from({ length: 1000 }, () => examine(waits, repetitions))
  return {
    share: examined.filter(({ passes }) => passes).length / examined.length,
    readsMax: Math.max(...examined.map(({ reads }) => reads)),
  }
}

test("pauses that grow pass, and equal ones are missed, after the fewest pets", () => {
  const growing: Waits[] = [(n) => 250 * 2 ** n, (n) => 100 * (n + 1), (n) => 200 * 1.5 ** n]
  const equal: Waits[] = [() => 0, () => 100, () => 2000]
  for (const repetitions of [2, 3, 4]) {
    for (const waits of growing)
      assert.deepEqual(
        examineMany((n) => beside(waits(n)), repetitions),
        { share: 1, readsMax: steps.length },
      )
    for (const waits of equal)
      assert.deepEqual(
        examineMany(() => beside(waits(0)), repetitions),
        { share: 0, readsMax: steps.length },
      )
  }
})

test("pauses that double, each a random part of that, pass nearly always, after more pets", () => {
  const least = { 2: 0.95, 3: 0.995, 4: 0.998 }
  for (const [repetitions, share] of Object.entries(least)) {
    const examined = examineMany((n) => 250 * 2 ** n * random(), Number(repetitions))
    assert(examined.share >= share, `${repetitions} repetitions: ${examined.share}`)
    assert.equal(examined.readsMax, steps.length + furtherSteps.length)
  }
})

test("pauses that are random and do not grow are missed mostly", () => {
  const { share } = examineMany(() => 500 + 1000 * random(), 3)
  assert(share <= 0.12, `${share} passed`)
})
