import assert from "node:assert/strict"
import { type TestContext, test } from "node:test"
import { setImmediate } from "node:timers/promises"
import { manualClock } from "../../../test/harness/clock.ts"
import { Refused } from "../../client/client.ts"
import { Interrupted, RetriesExhausted } from "../command/command.ts"
import { createRetry } from "./retry.ts"

const service = { url: "http://127.0.0.1:8080", isLocal: true }
const minuteMs = 60_000

const refused = (status: number, code = "other", retryAfter?: string) =>
  new Refused(
    {
      type: "about:blank",
      title: "Refused",
      status,
      detail: `refused with ${status}`,
      message: "",
      instance: "/",
      code,
      requestId: "",
    },
    new Headers(retryAfter === undefined ? {} : { "retry-after": retryAfter }),
  )
const unreachable = new TypeError("fetch failed", { cause: { code: "ECONNREFUSED" } })
const why = "nothing is listening at http://127.0.0.1:8080. Start the service with: ./petstore serve"

/** A retried request whose attempts end as given, one after the other; each pause lasts as long as it says. */
function retrying(t: TestContext, random = 0) {
  t.mock.method(Math, "random", () => random)
  const clock = manualClock()
  const pauses: [number, string][] = []
  const waits: number[] = []
  const interruption = new AbortController()
  const pause = async (ms: number) => {
    waits.push(ms)
    const until = clock.now() + ms
    await setImmediate()
    clock.advance(Math.max(0, until - clock.now()))
  }
  const retry = createRetry({ clock, pause, service, interrupted: interruption.signal }, (ms, reason) =>
    pauses.push([ms, reason]),
  )
  const attempts = (...outcomes: unknown[]) =>
    retry(async () => {
      const outcome = outcomes.shift()
      if (outcome instanceof Error) throw outcome
      return outcome
    })
  return { clock, pauses, waits, interruption, attempts }
}

test("a passing refusal is retried after Retry-After, with the reason, until the request succeeds", async (t) => {
  const { attempts, pauses, waits } = retrying(t)
  assert.equal(await attempts(refused(429, "rate-limited", "7"), refused(503, "other", "0"), "done"), "done")
  assert.deepEqual(pauses, [[7000, "refused with 429"]])
  assert.deepEqual(waits, [7000])
  assert.equal(await attempts(refused(409, "idempotency-key-in-use", "1"), "done"), "done")
  assert.deepEqual(pauses[1], [1000, "refused with 409"])
})

test("pauses without Retry-After double from 200 ms to 5 s, a random half of them", async (t) => {
  const down = Array.from({ length: 6 }, () => unreachable)
  for (const [random, first] of [
    [0, 200],
    [1, 400],
  ] as const) {
    const { attempts, pauses } = retrying(t, random)
    await attempts("first")
    await attempts(...down, "up")
    assert.deepEqual(
      pauses,
      [1, 2, 4, 8, 12.5, 12.5].map((times) => [times * first, why]),
    )
    await attempts(unreachable, "up")
    assert.deepEqual(pauses.at(-1), [first, why])
    t.mock.restoreAll()
  }
})

test("other errors are not retried, nor is a service that has never responded", async (t) => {
  const { attempts, waits } = retrying(t)
  await assert.rejects(attempts(refused(400)), /refused with 400/)
  await assert.rejects(attempts(new Error("a bug")), new Error("a bug"))
  await assert.rejects(attempts(unreachable), new RetriesExhausted(why))
  assert.deepEqual(waits, [])
  assert.equal(await attempts(refused(503), unreachable, "up"), "up")
})

test("an outage is waited for up to two minutes after the last response, a rate limit without end", async (t) => {
  const { attempts, clock } = retrying(t)
  const outage = async (ms: number, failure: Error) => {
    await attempts("up")
    clock.advance(ms)
    return attempts(failure, "up again")
  }
  assert.equal(await outage(2 * minuteMs - 1, unreachable), "up again")
  await assert.rejects(outage(2 * minuteMs, unreachable), new RetriesExhausted(why))
  const overloaded = refused(503)
  assert.equal(await outage(2 * minuteMs - 1, overloaded), "up again")
  await assert.rejects(outage(2 * minuteMs, overloaded), overloaded)
  assert.equal(await outage(2 * minuteMs, refused(429)), "up again")
  await attempts("up")
  clock.advance(2 * minuteMs - 1)
  await assert.rejects(attempts(overloaded, overloaded, "up"), overloaded, "a refusal is no sign of life")
})

test("a wait of more than a quarter of an hour is left to the user", async (t) => {
  const { attempts } = retrying(t)
  assert.equal(await attempts(refused(429, "quota", "900"), "up"), "up")
  await assert.rejects(
    attempts(refused(429, "quota", "901"), "up"),
    new RetriesExhausted("the service requires a wait of 16 minutes"),
  )
  await assert.rejects(attempts(refused(429, "quota", "86400")), /a wait of 1,440 minutes$/)
})

test("requests pause together, and an interruption ends the wait", async (t) => {
  const { attempts, pauses, waits, interruption, clock } = retrying(t)
  await attempts("up")
  const both = [attempts(unreachable, "one"), attempts(unreachable, "two")]
  assert.deepEqual(await Promise.all(both), ["one", "two"])
  assert.deepEqual(pauses, [[200, why]])
  assert.deepEqual(waits, [200, 200])
  clock.advance(minuteMs)
  interruption.abort(new Interrupted("SIGINT"))
  await assert.rejects(attempts("up"), new Interrupted("SIGINT"))
})

test("a request waits for the rest of a pause, also for its last millisecond", async (t) => {
  const { attempts, waits, clock } = retrying(t)
  await attempts("up")
  const first = attempts(unreachable, "one")
  await setImmediate()
  clock.advance(199)
  await attempts("two")
  await first
  assert.deepEqual(waits, [200, 1])
})
