// Runs in a process of its own.
import assert from "node:assert/strict"
import { after, test } from "node:test"
import fc from "fast-check"
import { type Database, StoreUnavailable } from "../../src/core/domain/ports/store.ts"
import { memoryLimiter } from "../../src/core/memory/limiter.ts"
import { manualClock } from "../harness/clock.ts"
import { reportEffort } from "../harness/report-effort.ts"
import { emptyDatabases } from "../simulation/databases.ts"
import { type Schedule, simulate } from "../simulation/simulate.ts"

const databases = await emptyDatabases()
after(() => databases[Symbol.dispose]())

const quota = { minute: 4, day: 9 }
const [minuteMs, dayMs] = [60_000, 86_400_000]

type Scenario = {
  /** The accounts that each client sends requests of, one after the other. */
  clients: number[][]
  /** Milliseconds that pass now and then. */
  passing: number[]
  /** How each process ends, and after how many turns. */
  ends: { how: "stopped" | "killed"; turns: number }[]
  /** Whether each storing of counts fails, in turn. */
  failures: boolean[]
}

const scenario: fc.Arbitrary<Scenario> = fc.record({
  clients: fc.array(fc.array(fc.integer({ min: 1, max: 3 }), { minLength: 1, maxLength: 12 }), {
    minLength: 1,
    maxLength: 4,
  }),
  passing: fc.array(
    fc.oneof(
      { weight: 3, arbitrary: fc.constantFrom(1, 499, 501) },
      { weight: 2, arbitrary: fc.constantFrom(minuteMs - 1, minuteMs, 2 * minuteMs + 1, dayMs) },
    ),
    { maxLength: 15 },
  ),
  ends: fc.array(fc.record({ how: fc.constantFrom("stopped" as const, "killed" as const), turns: fc.nat(25) }), {
    maxLength: 3,
  }),
  failures: fc.array(fc.boolean(), { maxLength: 4 }),
})

test("in any order of requests, storing, failures and restarts: exactly what fits is admitted, and a kill loses only what was not stored", async (t) =>
  reportEffort(
    t,
    await simulate(scenario, async ({ clients, passing, ends, failures }, schedule) => {
      await using world = worldOf(schedule, failures)
      void world.live(ends)
      for (const accounts of clients) void world.request(accounts)
      void world.letPass(passing)
      await schedule.run()
      assert.deepEqual(world.contradictions, [])
      assert.equal(world.underWay(), 0, "a request has no verdict")
    }),
  ))

/** The requests that were admitted for an account, and how many of them are stored. */
type Counted = { at: number[]; stored: number }
/** A process, and how many of its requests have no verdict yet. */
type Process = { isDead: boolean; underWay: number }

function worldOf(schedule: Schedule, failures: boolean[]) {
  const database = databases.open()
  const clock = manualClock()
  const accounts = new Map([1, 2, 3].map((id): [number, Counted] => [id, { at: [], stored: 0 }]))
  const contradictions: string[] = []
  let current: { limiter: Awaited<ReturnType<typeof memoryLimiter>>; process: Process } | undefined

  const fits = ({ at }: Counted, now: number): boolean =>
    at.filter((one) => now - one < minuteMs).length < quota.minute &&
    at.filter((one) => now < (Math.floor(one / minuteMs) + 1) * minuteMs + dayMs).length < quota.day

  async function ask(account: number): Promise<void> {
    if (!current) return
    const { limiter, process } = current
    process.underWay++
    const { full } = await limiter.admit(account, quota)
    process.underWay--
    if (process.isDead) return
    const counted = accounts.get(account) as Counted
    const now = clock.now()
    if ((full === undefined) !== fits(counted, now))
      contradictions.push(
        `account ${account}: ${full ? "refused" : "admitted"} after ${counted.at.join(", ")} at ${now}`,
      )
    if (!full) counted.at.push(now)
  }

  async function start(): Promise<void> {
    const process = { isDead: false, underWay: 0 }
    const store = storeOf(process, database, schedule, accounts, failures)
    const limiter = await memoryLimiter(store, clock, () => {}).catch(() => undefined)
    // A process that cannot start is started again.
    if (!limiter) return start()
    current = { limiter, process }
  }

  async function end(how: Scenario["ends"][number]["how"]): Promise<void> {
    if (!current) return
    const { limiter, process } = current
    current = undefined
    if (how === "stopped") {
      while (process.underWay > 0) await schedule.turn("the last requests")
      // As often as it takes: a stop that cannot store says so.
      while (
        await limiter.flush().then(
          () => false,
          () => true,
        )
      );
      return
    }
    process.isDead = true
    for (const counted of accounts.values()) counted.at.length = counted.stored
  }

  return {
    contradictions,
    underWay: () => current?.process.underWay,
    async live(ends: Scenario["ends"]): Promise<void> {
      await start()
      for (const { how, turns } of ends) {
        for (let n = 0; n < turns; n++) await schedule.turn("life of the process")
        await end(how)
        await start()
      }
    },
    async request(ofAccounts: number[]): Promise<void> {
      for (const account of ofAccounts) {
        await schedule.turn(`request of account ${account}`)
        void ask(account)
      }
    },
    async letPass(passing: number[]): Promise<void> {
      for (const ms of passing) {
        await schedule.turn("time")
        clock.advance(ms)
        schedule.pass(Math.min(ms, 1000))
      }
    },
    async [Symbol.asyncDispose]() {
      await database[Symbol.asyncDispose]()
    },
  }
}

/** The store as a process has it: loading and storing take their turns, storing may fail, and a killed process stores nothing more. */
const storeOf = (
  process: Process,
  database: Database,
  schedule: Schedule,
  accounts: Map<number, Counted>,
  failures: boolean[],
): Database => ({
  ...database,
  limits: {
    ...database.limits,
    async cells(...asked) {
      await schedule.turn("loading")
      return database.limits.cells(...asked)
    },
  },
  async transaction(work) {
    const admitted = new Map([...accounts].map(([id, { at }]) => [id, at.length]))
    await schedule.turn("storing")
    if (process.isDead) return new Promise<never>(() => {})
    if (failures.shift()) throw new StoreUnavailable("the disk is full")
    const result = await database.transaction(work)
    for (const [id, counted] of accounts) counted.stored = Math.max(counted.stored, admitted.get(id) as number)
    await schedule.turn("stored")
    return process.isDead ? new Promise<never>(() => {}) : result
  },
})
