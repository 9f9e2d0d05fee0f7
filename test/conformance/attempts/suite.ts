import assert from "node:assert/strict"
import { describe, test } from "node:test"
import type { Attempts } from "../../../src/core/kernel/flow/attempts.ts"
import { until } from "../../harness/until.ts"
import { recording, testCompleteness } from "../recording.ts"

/** Attempts under test, none counted yet, with a manual clock. */
type AttemptsUnderTest = { attempts: Attempts; advance(ms: number): void }

const windowMs = 60_000

/** The requirements for every counter of attempts. */
export function attemptsConformance(adapter: string, open: () => Promise<AttemptsUnderTest>): void {
  describe(`${adapter} counting attempts`, () => {
    const recorded = recording()
    const opened = async () => {
      const { attempts, advance } = await open()
      return { attempts: recorded.watch(attempts), advance }
    }

    test("a sliding window admits as many attempts as allowed, wherever it starts", async () => {
      const { attempts, advance } = await opened()
      const tried = [{ name: "a", max: 3 }]
      const admit = () => attempts.admit(tried, windowMs)
      for (const ms of [0, 10_000, 20_000]) {
        advance(ms)
        assert.equal(await admit(), undefined)
      }
      assert.equal(await admit(), 30_000)
      advance(29_999)
      assert.equal(await admit(), 1)
      advance(1)
      assert.equal(await admit(), undefined)
      assert.equal(await admit(), 10_000)
    })

    test("an attempt is counted under all of its names or none", async () => {
      const { attempts } = await opened()
      const wide = { name: "wide", max: 2 }
      assert.equal(await attempts.admit([wide, { name: "narrow", max: 1 }], windowMs), undefined)
      assert.equal(await attempts.admit([wide, { name: "narrow", max: 1 }], windowMs), windowMs)
      assert.equal(await attempts.admit([wide], windowMs), undefined)
      assert.equal(await attempts.admit([wide], windowMs), windowMs)
    })

    test("a forgiven attempt is not counted", async () => {
      const { attempts } = await opened()
      const tried = [{ name: "a", max: 1 }]
      for (let n = 0; n < 3; n++) {
        assert.equal(await attempts.admit(tried, windowMs), undefined)
        await attempts.forgive(tried)
      }
      assert.equal(await attempts.admit(tried, windowMs), undefined)
      assert.equal(await attempts.admit(tried, windowMs), windowMs)
    })

    test("of many concurrent attempts exactly the allowed number is admitted", async () => {
      const { attempts } = await opened()
      const waits = await Promise.all(
        Array.from({ length: 50 }, () => attempts.admit([{ name: "a", max: 5 }], windowMs)),
      )
      assert.equal(waits.filter((wait) => wait === undefined).length, 5)
    })

    const pace = { windowMs, pausesMs: [5_000] }
    const from = [{ name: "place", max: 10 }]

    test("the allowed number of attempts is admitted at once, and the others wait until they are released", async () => {
      const { attempts } = await opened()
      const outcomes: (number | undefined)[] = []
      for (let n = 0; n < 12; n++) {
        const turn = attempts.enqueue({ name: "a", max: 3 }, [{ name: `place ${n}`, max: 10 }], pace)
        void turn.then((refusedMs) => outcomes.push(refusedMs))
      }
      // Another name has its own turns.
      assert.equal(await attempts.enqueue({ name: "b", max: 1 }, from, pace), undefined)
      const releasing = async () => {
        attempts.release()
        return outcomes.length === 12
      }
      await until(releasing, "an attempt still waits")
      const refused = outcomes.filter((ms) => ms !== undefined)
      assert.equal(refused.length, 9)
      assert.ok(refused.every((ms) => ms > 0 && ms <= 5_000))
    })

    test("a waiting attempt goes ahead after the pause, and counts", async () => {
      const { attempts, advance } = await opened()
      const short = { windowMs, pausesMs: [20] }
      const turn = () => attempts.enqueue({ name: "a", max: 1 }, from, short)
      assert.equal(await turn(), undefined)
      const next = turn()
      advance(20)
      assert.equal(await next, undefined)
      assert.equal(await attempts.admit([{ name: "a", max: 2 }], windowMs), windowMs - 20)
    })

    test("a forgiven attempt leaves its turn to others", async () => {
      const { attempts } = await opened()
      const tried = { name: "a", max: 1 }
      for (let n = 0; n < 3; n++) {
        assert.equal(await attempts.enqueue(tried, from, pace), undefined)
        await attempts.forgive([tried])
      }
    })

    test("a name is remembered for the given time, and no other name is", async () => {
      const { attempts } = await opened()
      await attempts.remember("a", 60_000)
      assert.deepEqual(
        { a: await attempts.isRemembered("a"), b: await attempts.isRemembered("b") },
        { a: true, b: false },
      )
    })

    testCompleteness(recorded)
  })
}
