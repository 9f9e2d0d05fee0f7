import assert from "node:assert/strict"
import { join } from "node:path"
import { after, test } from "node:test"
import { StoreUnavailable } from "../../src/core/domain/ports/store.ts"
import { memoryAttempts } from "../../src/core/memory/attempts.ts"
import { type MemoryLimiter, memoryLimiter } from "../../src/core/memory/limiter.ts"
import { memorySignals } from "../../src/core/memory/signals.ts"
import { openSqlite } from "../../src/core/sqlite/open.ts"
import { manualClock } from "../harness/clock.ts"
import { temporaryDirectory } from "../harness/directory.ts"
import { attemptsConformance } from "./attempts/suite.ts"
import { limiterConformance } from "./limiter/suite.ts"
import { signalsConformance } from "./signals/suite.ts"

const directory = temporaryDirectory()
const store = openSqlite(join(directory.path, "petstore.db"))
after(async () => {
  // Stores what a test left unsaved now, not a quarter of a second later when the database is closed.
  for (const limiter of opened) await limiter.flush()
  await store.close()
  directory[Symbol.dispose]()
})

const fail = (error: unknown): never => {
  throw error
}
const clock = manualClock()
let accounts = 0
const freshAccount = () => ++accounts
const quota = { minute: 10, day: 100 }
const opened: MemoryLimiter[] = []
async function open(): Promise<MemoryLimiter> {
  const limiter = await memoryLimiter(store, clock, fail)
  opened.push(limiter)
  return limiter
}

limiterConformance("memory", async () => {
  let limiter = await open()
  return {
    get limiter() {
      return limiter
    },
    now: clock.now,
    advance: clock.advance,
    freshAccount,
    async reopen() {
      await limiter.flush()
      limiter = await open()
    },
  }
})

async function admitted(limiter: MemoryLimiter, account: number, times: number): Promise<number> {
  let count = 0
  for (let n = 0; n < times; n++) if (!(await limiter.admit(account, quota)).full) count++
  return count
}

test("a crash loses only counts that were not stored yet, in the caller's favour", async () => {
  const account = freshAccount()
  const crashing = await open()
  await admitted(crashing, account, 4)
  await crashing.flush()
  await admitted(crashing, account, 3)
  assert.equal(await admitted(await open(), account, 20), 6)
})

test("an account that was idle for two minutes leaves the memory, and its day is still counted", async () => {
  const account = freshAccount()
  const limiter = await open()
  await admitted(limiter, account, 5)
  clock.advance(3 * 60_000)
  const other = freshAccount()
  await admitted(limiter, other, 1)
  await limiter.flush()
  assert.equal(limiter.accounts(), 1)
  const [, day] = await limiter.usage(account, quota)
  assert.equal(day?.used, 5)
})

test("after the clock was set back between two starts, stored requests count as just made, once", async () => {
  const account = freshAccount()
  const before = await open()
  await admitted(before, account, 4)
  clock.advance(60_000)
  await admitted(before, account, 3)
  await before.flush()
  clock.advance(-30 * 86_400_000)
  const limiter = await open()
  assert.deepEqual(
    (await limiter.usage(account, quota)).map(({ used }) => used),
    [7, 7],
  )
  assert.equal(await admitted(limiter, account, 20), 3)
  await limiter.flush()
  clock.advance(86_400_000 + 60_000)
  const [, day] = await (await open()).usage(account, quota)
  assert.equal(day?.used, 0)
})

test("counts that could not be stored are stored the next time", async () => {
  const account = freshAccount()
  let isBroken = true
  const flaky: typeof store = {
    ...store,
    transaction: async (work) => {
      if (isBroken) throw new StoreUnavailable("the disk is full")
      return store.transaction(work)
    },
  }
  isBroken = false
  const limiter = await memoryLimiter(flaky, clock, () => undefined)
  isBroken = true
  await admitted(limiter, account, 4)
  await assert.rejects(limiter.flush(), StoreUnavailable)
  isBroken = false
  await admitted(limiter, account, 2)
  await limiter.flush()
  assert.equal(await admitted(await open(), account, 20), 4)
})

attemptsConformance("memory", async () => {
  const time = manualClock()
  const { forget: _, ...attempts } = memoryAttempts(time)
  return { attempts, advance: time.advance }
})

test("the memory for attempts is bounded, and the least recently tried names are removed first", async () => {
  const attempts = memoryAttempts(manualClock())
  const windowMs = 60_000
  const admit = (name: string) => attempts.admit([{ name, max: 1 }], windowMs)
  await admit("first")
  for (let n = 0; n < 20_000; n++) await admit(`name ${n}`)
  assert.equal(await admit("first"), undefined)
  assert.equal(await admit("name 19999"), windowMs)
})

signalsConformance("memory", async () => memorySignals())

test("after a reset neither attempts nor requests count", async () => {
  const attempts = memoryAttempts(manualClock())
  const tried = [{ name: "a", max: 1 }]
  assert.equal(await attempts.admit(tried, 1000), undefined)
  attempts.forget()
  assert.equal(await attempts.admit(tried, 1000), undefined)

  const limiter = await open()
  const accountId = await freshAccount()
  await limiter.admit(accountId, quota)
  await limiter.forget()
  assert.equal((await limiter.usage(accountId, quota))[0]?.used, 0)
})
