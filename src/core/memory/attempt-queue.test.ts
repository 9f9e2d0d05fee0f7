import assert from "node:assert/strict"
import { test } from "node:test"
import { manualClock } from "../../../test/harness/clock.ts"
import { AttemptQueue } from "./attempt-queue.ts"
import { memoryAttempts } from "./attempts.ts"

const windowMs = 15 * 60_000
const quick = { windowMs, pausesMs: [1_000, 2_000, 4_000] }

/** Attempts with a manual clock and timers; `max` of a name are admitted at once. */
function attemptsByHand(max = 1) {
  const clock = manualClock()
  const pending = new Map<() => void, number>()
  const settled = () => new Promise(setImmediate)
  const attempts = memoryAttempts(clock, (ms, run) => {
    pending.set(run, clock.now() + ms)
    return () => void pending.delete(run)
  })
  const outcomes: string[] = []
  const placeOf = (place: string) => [{ name: `from ${place}`, max: 10 }]
  return {
    attempts,
    outcomes,
    /** Attempts from a place; records the outcome when there is one. */
    async ask(place: string, name = "ada", from = placeOf(place)): Promise<void> {
      void attempts.enqueue({ name, max }, from, quick).then((refusedMs) => {
        outcomes.push(refusedMs === undefined ? place : `${place} refused`)
      })
      await settled()
    },
    /** Records earlier attempts of a place. */
    async tried(place: string, times: number): Promise<void> {
      for (let n = 0; n < times; n++) await attempts.admit(placeOf(place), windowMs)
    },
    /** Advances the time and runs due timers. */
    async pass(ms: number): Promise<void> {
      clock.advance(ms)
      for (let due = true; due; await settled()) {
        const [run] = [...pending].find(([, at]) => at <= clock.now()) ?? []
        due = run !== undefined
        if (run) pending.delete(run)
        run?.()
      }
    },
  }
}

test("attempts at one name are admitted after growing pauses, from however many places", async () => {
  const { ask, pass, outcomes } = attemptsByHand()
  for (const place of ["a", "b", "c", "d", "e"]) await ask(place)
  const ahead: number[] = []
  for (let second = 0; second < 12; second++) {
    ahead.push(outcomes.length)
    await pass(1_000)
  }
  assert.deepEqual(ahead, [1, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4, 5])
  // Of places with equally many attempts, the newest goes first.
  assert.deepEqual(outcomes, ["a", "e", "d", "c", "b"])
})

test("an attempt from a place with fewer attempts goes before those from busier places", async () => {
  const { ask, pass, tried, outcomes } = attemptsByHand()
  await tried("attacker 1", 9)
  await tried("attacker 2", 5)
  for (const place of ["attacker 0", "attacker 1", "attacker 2", "ada"]) await ask(place)
  for (const ms of [1_000, 2_000, 4_000]) await pass(ms)
  assert.deepEqual(outcomes, ["attacker 0", "ada", "attacker 2", "attacker 1"])
})

test("a place has one waiting attempt, its newest, and a wider place eight", async () => {
  const { ask, outcomes } = attemptsByHand()
  await ask("first")
  await ask("ada")
  await ask("ada")
  assert.deepEqual(outcomes, ["first", "ada refused"])
  const site = { name: "a /48", max: 80 }
  for (let n = 0; n < 10; n++) await ask(`${n}`, "ada", [{ name: `a /64, ${n}`, max: 10 }, site])
  assert.deepEqual(outcomes.slice(2), ["0 refused", "1 refused"])
})

test("when too many attempts wait for a name, those from the busiest places are refused, not the last to arrive", async () => {
  const { ask, pass, tried, outcomes } = attemptsByHand()
  await ask("first")
  for (let n = 0; n < 16; n++) {
    await tried(`attacker ${n}`, 1 + (n % 9))
    await ask(`attacker ${n}`)
  }
  await ask("ada")
  assert.deepEqual(outcomes, ["first", "attacker 8 refused"])
  await pass(1_000)
  assert.equal(outcomes.at(-1), "ada")
})

test("the number of waiting attempts is bounded, and the name with the most is refused first, the oldest of such names", async () => {
  const { ask, attempts, outcomes } = attemptsByHand(0)
  const names = 256 / 16
  for (let name = 0; name < names; name++) {
    // The first of a name is admitted at once.
    for (let n = 0; n <= 16; n++) await ask(`${n} at name ${name}`, `name ${name}`)
  }
  assert.equal(outcomes.length, names)
  await ask("first", "other")
  await ask("ada", "other")
  assert.deepEqual(outcomes.slice(names), ["first", "1 at name 0 refused"])
  attempts.release()
})

test("attempts that wait no longer leave their capacity to others", async () => {
  const { ask, pass, attempts, outcomes } = attemptsByHand()
  for (let n = 0; n < 260; n++) {
    await ask("first", `name ${n}`)
    await ask("second", `name ${n}`)
    if (n < 130) attempts.release()
    else await pass(1_000)
  }
  const [refused, admitted] = ["second refused", "second"].map((second) => outcomes.filter((one) => one === second))
  assert.deepEqual([refused?.length, admitted?.length], [130, 130])
  await ask("first")
  await ask("ada")
  assert.equal(outcomes.at(-1), "first")
  attempts.release()
})

test("an attempt waits 40 seconds at most, and is then refused", async () => {
  const { ask, pass, attempts, outcomes } = attemptsByHand()
  for (let n = 0; n < 15; n++) await ask(`${n}`)
  for (let second = 0; second < 39; second++) await pass(1_000)
  assert.ok(!outcomes.some((outcome) => outcome.endsWith("refused")))
  for (let second = 0; second < 5; second++) await pass(1_000)
  assert.equal(outcomes.length, 15)
  // The pauses of 1 and 2 s, and as many of 4 s as fit.
  assert.equal(outcomes.filter((outcome) => !outcome.endsWith("refused")).length, 1 + 2 + Math.floor((40 - 3) / 4))
  await ask("later")
  attempts.release()
})

/** A queue of one name, whose counter and timers a test moves. */
function queueByHand() {
  const clock = manualClock()
  const counter = { pauseMs: 500, used: 0, take: async () => counter.pauseMs }
  const timers = new Set<{ ms: number; run: () => void }>()
  const queue = new AttemptQueue(clock, (ms, run) => {
    const timer = { ms, run }
    timers.add(timer)
    return () => void timers.delete(timer)
  })
  return {
    clock,
    counter,
    queue,
    timers,
    enqueue: (place: string) =>
      queue.enqueue("ada", [{ name: place, max: 1 }], { take: () => counter.take(), used: async () => counter.used }),
    /** Runs the only timer. */
    async pass(): Promise<void> {
      const [timer, ...others] = timers
      assert.ok(timer && others.length === 0, `${timers.size} timers`)
      timers.delete(timer)
      timer.run()
      await new Promise(setImmediate)
    },
  }
}

test("on a frozen clock no attempt waits", async () => {
  const { clock, counter, enqueue, pass, timers } = queueByHand()
  const { take } = counter
  const waiting = enqueue("a")
  await new Promise(setImmediate)
  clock.isFrozen = () => true
  let counted = 0
  counter.take = () => {
    counted++
    return take()
  }
  await pass()
  counter.take = take
  assert.deepEqual([await waiting, counted], [500, 0])
  assert.equal(await enqueue("b"), 500)
  assert.equal(timers.size, 0)
  clock.isFrozen = () => false
  void enqueue("b")
  await new Promise(setImmediate)
  assert.equal(timers.size, 1)
})

test("when attempts cannot be counted, all that wait fail, and later ones are counted again", async () => {
  const { counter, enqueue, pass, timers } = queueByHand()
  const waiting = [enqueue("a"), enqueue("b")]
  await new Promise(setImmediate)
  const { take } = counter
  counter.take = async () => {
    throw new Error("unreachable")
  }
  const failures = Promise.allSettled(waiting)
  await pass()
  assert.deepEqual(
    (await failures).map(({ status }) => status),
    ["rejected", "rejected"],
  )
  assert.equal(timers.size, 0)
  counter.take = take
  counter.pauseMs = 0
  assert.equal(await enqueue("c"), undefined)
})
