import assert from "node:assert/strict"
import { test } from "node:test"
import { manualClock } from "../../../test/harness/clock.ts"
import { turns } from "../../../test/harness/turns.ts"
import type { Cell } from "../../domain/limits/store.ts"
import type { Store } from "../../domain/ports/store.ts"
import { memoryLimiter } from "./limiter.ts"

const minuteMs = 60_000
const quota = { minute: 3, day: 100 }

/** A limiter over a store in memory, whose transactions a test lets fail; records the accounts of each commit. */
async function openLimiter() {
  const clock = manualClock(5000 * minuteMs)
  const cells = new Map<string, Cell>()
  const commits: number[][] = []
  const moved: number[] = []
  const reported: unknown[] = []
  const state = { fails: false }
  const tx = {
    limits: {
      async put(changed: readonly Cell[]) {
        commits.push(changed.map(({ accountId }) => accountId))
        if (state.fails) throw new Error("the disk is full")
        for (const cell of changed) cells.set(`${cell.accountId} ${cell.minute}`, cell)
      },
      moveBack: async (minute: number) => void moved.push(minute),
    },
  }
  let reads = 0
  const store = {
    transaction: (work: (parts: unknown) => Promise<unknown>) => work(tx),
    limits: {
      async cells(accountId: number, from: number) {
        reads++
        return [...cells.values()].filter((cell) => cell.accountId === accountId && cell.minute >= from)
      },
    },
  } as unknown as Store
  const limiter = await memoryLimiter(store, clock, (error) => void reported.push(error))
  const used = async (accountId: number) => (await limiter.usage(accountId, quota)).map((window) => window.used)
  return { clock, limiter, cells, commits, moved, reported, state, used, reads: () => reads }
}

test("requests are counted at once, and stored half a second after the first", async (t) => {
  t.mock.timers.enable({ apis: ["setTimeout"] })
  const { limiter, commits, moved, cells, reads } = await openLimiter()
  assert.deepEqual(moved, [5000])
  const verdicts = await Promise.all(Array.from({ length: 4 }, () => limiter.admit(7, quota)))
  assert.deepEqual(
    verdicts.map(({ full }) => full?.violated),
    [undefined, undefined, undefined, ["minute"]],
  )
  assert.equal(reads(), 1, "concurrent requests load an account once")
  assert.ok(!(limiter.admit(7, quota) instanceof Promise), "later ones need no storage")
  t.mock.timers.tick(249)
  await turns()
  assert.deepEqual(commits, [])
  t.mock.timers.tick(1)
  await turns()
  assert.deepEqual(commits, [[7]])
  assert.deepEqual([...cells.values()], [{ accountId: 7, minute: 5000, count: 3, offsetsMs: [0, 0, 0] }])
  t.mock.timers.tick(5000)
  await turns()
  assert.equal(commits.length, 1, "nothing has changed")
})

test("accounts are stored in commits of five hundred", async () => {
  const { limiter, commits } = await openLimiter()
  await limiter.flush()
  assert.deepEqual(commits, [])
  for (let id = 1; id <= 1001; id++) await limiter.admit(id, quota)
  await limiter.flush()
  assert.deepEqual(
    commits.map(({ length }) => length),
    [500, 500, 1],
  )
  assert.equal(new Set(commits.flat()).size, 1001)
})

test("what could not be stored is reported, and stored with the next requests", async (t) => {
  t.mock.timers.enable({ apis: ["setTimeout"] })
  const { limiter, state, reported, cells, clock } = await openLimiter()
  state.fails = true
  await limiter.admit(7, quota)
  t.mock.timers.tick(250)
  await turns()
  assert.equal(reported.length, 1)
  clock.advance(minuteMs)
  await limiter.admit(7, quota)
  state.fails = false
  t.mock.timers.tick(250)
  await turns()
  assert.deepEqual([...cells.keys()].sort(), ["7 5000", "7 5001"])
  assert.equal(reported.length, 1)
})

test("what could not be stored is tried again a quarter of a second later, without another request", async (t) => {
  t.mock.timers.enable({ apis: ["setTimeout"] })
  const { limiter, state, commits, cells } = await openLimiter()
  state.fails = true
  await limiter.admit(7, quota)
  for (let n = 0; n < 2; n++) {
    t.mock.timers.tick(250)
    await turns()
  }
  state.fails = false
  t.mock.timers.tick(249)
  await turns()
  assert.deepEqual([commits, cells.size], [[[7], [7]], 0])
  t.mock.timers.tick(1)
  await turns()
  assert.deepEqual([commits, [...cells.keys()]], [[[7], [7], [7]], ["7 5000"]])
})

test("a request counts from the millisecond in which it came, also on a clock with fractions", async () => {
  const { limiter, clock, used } = await openLimiter()
  clock.advance(0.5)
  await limiter.admit(7, quota)
  clock.advance(minuteMs - 1)
  assert.deepEqual(await used(7), [1, 1])
  clock.advance(0.5)
  assert.deepEqual(await used(7), [0, 1])
})

test("an account leaves the memory when all is stored and it was idle for two minutes, looked for once a minute", async () => {
  const { limiter, clock, used } = await openLimiter()
  await limiter.admit(1, quota)
  await limiter.flush()
  clock.advance(2 * minuteMs)
  await limiter.admit(2, quota)
  await limiter.flush()
  assert.equal(limiter.accounts(), 2, "not yet idle for two minutes")
  clock.advance(minuteMs - 1)
  await limiter.flush()
  assert.equal(limiter.accounts(), 2, "the last search was less than a minute ago")
  clock.advance(1)
  await limiter.flush()
  assert.equal(limiter.accounts(), 1)
  assert.deepEqual(await used(1), [0, 1])
})

test("a reset forgets every count, and what was not stored is not stored later", async (t) => {
  t.mock.timers.enable({ apis: ["setTimeout"] })
  const { limiter, commits, used } = await openLimiter()
  await limiter.admit(7, quota)
  const loading = limiter.usage(8, quota)
  await limiter.forget()
  await loading
  assert.equal(limiter.accounts(), 0)
  t.mock.timers.tick(5000)
  await turns()
  await limiter.flush()
  assert.deepEqual([commits, await used(7)], [[], [0, 0]])
  await limiter.admit(7, quota)
  t.mock.timers.tick(200)
  await limiter.forget()
  await limiter.admit(7, quota)
  t.mock.timers.tick(249)
  await turns()
  assert.deepEqual(commits, [], "what is counted from now on is stored a quarter of a second later, too")
  t.mock.timers.tick(1)
  await turns()
  assert.deepEqual(commits, [[7]])
})
