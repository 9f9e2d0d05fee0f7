import assert from "node:assert/strict"
import { describe, test } from "node:test"
import fc from "fast-check"
import type { Quota } from "../../../src/core/domain/limits/model.ts"
import type { Limiter } from "../../../src/core/domain/ports/limiter.ts"
import { effort } from "../../harness/effort.ts"
import { type Recording, recording, testCompleteness } from "../recording.ts"

/** A limiter under test with a manual clock; closing and reopening it keeps the counts. */
type LimiterUnderTest = {
  limiter: Limiter
  now(): number
  advance(ms: number): void
  reopen(): Promise<void>
  /** An account without requests. */
  freshAccount(): number
}

const minuteMs = 60_000
const dayWindowMs = 86_400_000

/** Keeps every timestamp: slow and obvious. */
class Oracle {
  readonly #admitted: number[] = []

  add(at: number): void {
    this.#admitted.push(at)
  }

  inMinute = (now: number): number => this.#admitted.filter((at) => now - at < minuteMs).length
  /** Requests of a minute leave the day together, when the last possible one does. */
  inDay = (now: number): number =>
    this.#admitted.filter((at) => now < (Math.floor(at / minuteMs) + 1) * minuteMs + dayWindowMs).length
  exactlyInDay = (now: number): number => this.#admitted.filter((at) => now - at < dayWindowMs).length
  fits = (quota: Quota, now: number): boolean => this.inMinute(now) < quota.minute && this.inDay(now) < quota.day
}

type Step = { waitMs: number; requests: number; reopens: boolean }

const steps = fc.array(
  fc.record({
    waitMs: fc.oneof(
      fc.integer({ min: 0, max: 3_000 }),
      fc.integer({ min: 0, max: 2 * minuteMs }),
      fc.constantFrom(
        0,
        1,
        minuteMs - 1,
        minuteMs,
        minuteMs + 1,
        dayWindowMs - minuteMs,
        dayWindowMs - 1,
        dayWindowMs,
        dayWindowMs + minuteMs,
      ),
      fc.integer({ min: 0, max: dayWindowMs }),
    ),
    requests: fc.integer({ min: 1, max: 8 }),
    reopens: fc.oneof({ weight: 19, arbitrary: fc.constant(false) }, { weight: 1, arbitrary: fc.constant(true) }),
  }),
  { minLength: 1, maxLength: 60 },
)

const quotas = fc.record({ minute: fc.integer({ min: 1, max: 7 }), day: fc.integer({ min: 1, max: 25 }) })

/** The requirements for every limiter. */
export function limiterConformance(adapter: string, opened: () => Promise<LimiterUnderTest>): void {
  describe(`${adapter} as a limiter`, () => {
    const recorded = recording()
    const open = async () => watched(await opened(), recorded)

    test("it admits exactly what fits, reports the exact remainder, and never asks to wait too short or a second too long", async () => {
      const under = await open()
      const check = async (quota: Quota, given: Step[]) => {
        const account = under.freshAccount()
        const oracle = new Oracle()
        for (const { waitMs, requests, reopens } of given) {
          under.advance(waitMs)
          if (reopens) await under.reopen()
          for (let n = 0; n < requests; n++) await request(under, account, quota, oracle)
        }
      }
      await fc.assert(fc.asyncProperty(quotas, steps, check), { numRuns: effort(300, 150) })
      await under.limiter.flush()
    })

    test("of 500 concurrent requests exactly as many are admitted as the minute allows", async () => {
      const under = await open()
      const quota = { minute: 60, day: 1000 }
      const account = under.freshAccount()
      const verdicts = await Promise.all(Array.from({ length: 500 }, () => under.limiter.admit(account, quota)))
      assert.equal(verdicts.filter(({ full }) => full === undefined).length, 60)
      await under.limiter.flush()
    })

    test("a request refused by one window is counted by neither", async () => {
      const under = await open()
      const account = under.freshAccount()
      const quota = { minute: 1, day: 2 }
      for (let n = 0; n < 5; n++) await under.limiter.admit(account, quota)
      const [minute, day] = await under.limiter.usage(account, quota)
      assert.deepEqual({ minute: minute?.used, day: day?.used }, { minute: 1, day: 1 })
      await under.limiter.flush()
    })

    test("accounts do not count against each other", async () => {
      const under = await open()
      const quota = { minute: 1, day: 1 }
      const [one, other] = [under.freshAccount(), under.freshAccount()]
      assert.equal((await under.limiter.admit(one, quota)).full, undefined)
      assert.ok((await under.limiter.admit(one, quota)).full)
      assert.equal((await under.limiter.admit(other, quota)).full, undefined)
      await under.limiter.flush()
    })

    test("concurrent requests of many accounts, some with another quota, each count for their own and see their own remainder", async () => {
      const under = await open()
      const [small, large] = [
        { minute: 3, day: 10 },
        { minute: 5, day: 10 },
      ]
      const accounts = Array.from({ length: 150 }, () => under.freshAccount())
      const requests = Array.from({ length: 8 }, () => accounts.map((account) => under.limiter.admit(account, small)))
      const reads = accounts.map((account) => under.limiter.usage(account, small))
      const more = accounts.map((account) => under.limiter.admit(account, large))
      await Promise.all(reads)
      for (const [n] of accounts.entries()) {
        const verdicts = await Promise.all(requests.map((sent) => sent[n] as (typeof sent)[number]))
        const admitted = verdicts.filter(({ full }) => full === undefined)
        assert.deepEqual(
          admitted.map(({ usage }) => usage.map(({ used }) => used)),
          [
            [1, 1],
            [2, 2],
            [3, 3],
          ],
        )
        assert.equal((await more[n])?.full, undefined)
        assert.equal((await more[n])?.usage[0]?.remaining, 1)
      }
      await under.limiter.flush()
    })

    test("closing and reopening admits no more, in the minute and in the day", async () => {
      const under = await open()
      const account = under.freshAccount()
      const quota = { minute: 10, day: 15 }
      let admitted = 0
      const ask = async (times: number) => {
        for (let n = 0; n < times; n++) if (!(await under.limiter.admit(account, quota)).full) admitted++
      }
      await ask(6)
      await under.reopen()
      await ask(20)
      assert.equal(admitted, 10)
      under.advance(minuteMs)
      await under.reopen()
      await ask(20)
      assert.equal(admitted, 15)
      await under.limiter.flush()
    })

    test("a smaller plan counts requests admitted under the larger one, and reports how long to wait", async () => {
      const under = await open()
      const account = under.freshAccount()
      for (let n = 0; n < 10; n++) {
        await under.limiter.admit(account, { minute: 100, day: 100 })
        under.advance(1000)
      }
      const small = { minute: 3, day: 100 }
      const { full, usage } = await under.limiter.admit(account, small)
      assert.deepEqual(full?.violated, ["minute"])
      assert.equal(usage[0]?.remaining, 0)
      // The eighth of ten must leave: it came 3 s ago.
      assert.equal(full?.retryAfterS, 57)
      under.advance(57_000)
      assert.equal((await under.limiter.admit(account, small)).full, undefined)
      await under.limiter.flush()
    })

    testCompleteness(recorded)
  })
}

/** Records the methods of the port; an adapter may have others. */
const watched = (under: LimiterUnderTest, { watch }: Recording): LimiterUnderTest => ({
  ...under,
  get limiter() {
    const { limiter } = under
    return watch<Limiter>({
      admit: (...given) => limiter.admit(...given),
      usage: (...given) => limiter.usage(...given),
      flush: () => limiter.flush(),
    })
  },
})

async function request({ limiter, now }: LimiterUnderTest, account: number, quota: Quota, oracle: Oracle) {
  const at = now()
  const fits = oracle.fits(quota, at)
  const { full, usage } = await limiter.admit(account, quota)
  assert.equal(full === undefined, fits)
  if (fits) oracle.add(at)
  assert.ok(oracle.inMinute(at) <= quota.minute && oracle.exactlyInDay(at) <= quota.day)

  const [minute, day] = usage
  assert.deepEqual({ minute: minute?.used, day: day?.used }, { minute: oracle.inMinute(at), day: oracle.inDay(at) })
  assert.deepEqual(
    { minute: minute?.remaining, day: day?.remaining },
    { minute: quota.minute - oracle.inMinute(at), day: quota.day - oracle.inDay(at) },
  )
  for (const [progress, inWindow] of [
    [minute, oracle.inMinute],
    [day, oracle.inDay],
  ] as const) {
    const resetMs = (progress?.resetSeconds ?? 0) * 1000
    if (inWindow(at) === 0) assert.equal(resetMs, 0)
    else assert.ok(inWindow(at + resetMs) < inWindow(at) && inWindow(at + resetMs - 1000) === inWindow(at))
  }

  if (!full) return
  assert.deepEqual(full.violated, [
    ...(oracle.inMinute(at) >= quota.minute ? ["minute"] : []),
    ...(oracle.inDay(at) >= quota.day ? ["day"] : []),
  ])
  assert.ok(Number.isInteger(full.retryAfterS) && oracle.fits(quota, at + full.retryAfterS * 1000))
  assert.ok(!oracle.fits(quota, at + (full.retryAfterS - 1) * 1000))
}
