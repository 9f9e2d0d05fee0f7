import assert from "node:assert/strict"
import { type TestContext, test } from "node:test"
import { setImmediate as nextTurn } from "node:timers/promises"
import { manualClock } from "../../../test/harness/clock.ts"
import type { Store } from "../../domain/ports/store.ts"
import { keyUses } from "./key-usage.ts"

const minute = 60_000

/** The uses of keys, and what is stored of them. */
function usesOf(t: TestContext) {
  t.mock.timers.enable({ apis: ["setTimeout"] })
  const stored: object[][] = []
  const errors: unknown[] = []
  const state = { isBroken: false }
  const keys = {
    async used(uses: object[]) {
      if (state.isBroken) throw new Error("broken")
      stored.push(uses)
    },
  }
  const store = { transaction: (work: (tx: object) => unknown) => work({ keys }) } as unknown as Store
  const clock = manualClock(10 * minute)
  const uses = keyUses(store, clock, (error) => errors.push((error as Error).message))
  const pass = async (ms: number) => {
    t.mock.timers.tick(ms)
    await nextTurn()
    return stored.splice(0)
  }
  return { uses, clock, stored, errors, state, pass }
}

test("uses are stored a minute after the first of them, to the minute", async (t) => {
  const { uses, clock, pass } = usesOf(t)
  clock.advance(minute - 1)
  uses.record(1)
  uses.record(1)
  assert.deepEqual(await pass(minute - 1), [])
  clock.advance(1)
  uses.record(2)
  assert.deepEqual(await pass(1), [
    [
      { id: 1, at: 10 * minute },
      { id: 2, at: 11 * minute },
    ],
  ])
  assert.deepEqual(await pass(minute), [])
  uses.record(2)
  assert.deepEqual(await pass(minute), [[{ id: 2, at: 11 * minute }]])
})

test("uses can be stored at once, which is not repeated later, or dropped", async (t) => {
  const { uses, stored, pass } = usesOf(t)
  uses.record(1)
  await pass(minute / 2)
  await uses.flush()
  assert.equal(stored.splice(0).length, 1)
  uses.record(2)
  assert.deepEqual(await pass(minute - 1), [])
  uses.forget()
  assert.deepEqual(await pass(1), [])
})

test("uses that cannot be stored are reported and lost, and later ones are stored", async (t) => {
  const { uses, errors, state, pass } = usesOf(t)
  state.isBroken = true
  uses.record(1)
  assert.deepEqual([await pass(minute), errors], [[], ["broken"]])
  state.isBroken = false
  uses.record(2)
  assert.deepEqual(await pass(minute), [[{ id: 2, at: 10 * minute }]])
})
