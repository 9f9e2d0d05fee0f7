import assert from "node:assert/strict"
import { type TestContext, test } from "node:test"
import { isIdempotent, isPassing, retry, retryAfterOf, waitFor } from "./retry.ts"

type Failure = { status?: number; code?: string; headers?: Headers }

/** The pauses of an attempt that always fails so, until it is given up. */
async function pausesOf(
  failure: unknown,
  { retries = 8, random = 1, signal = undefined as AbortSignal | undefined } = {},
) {
  const pauses: number[] = []
  let attempts = 0
  const attempt = () => {
    attempts += 1
    return Promise.reject(failure)
  }
  const pause = async (ms: number, given?: AbortSignal) => {
    assert.equal(given, signal)
    pauses.push(ms)
  }
  await assert.rejects(retry(attempt, { retries, signal, pause, random: () => random }), (error) => error === failure)
  assert.equal(attempts, pauses.length + 1)
  return pauses
}
const failing = (status: number, code?: string, retryAfter?: string): Error & Failure =>
  Object.assign(new Error("failed"), {
    status,
    ...(code !== undefined && { code }),
    ...(retryAfter !== undefined && { headers: new Headers({ "retry-after": retryAfter }) }),
  })

test("pauses double from a quarter of a second to eight, each a random part of that", async () => {
  const network = new TypeError("fetch failed")
  assert.deepEqual(await pausesOf(network), [250, 500, 1000, 2000, 4000, 8000, 8000, 8000])
  assert.deepEqual(await pausesOf(network, { retries: 2, random: 0.5 }), [125, 250])
  assert.deepEqual(await pausesOf(network, { retries: 0 }), [])
  assert.equal(await retry(async () => "done", { retries: 0 }), "done")
})

test("only failures that may pass are retried, and none after the call was aborted", async () => {
  const retried = async (failure: unknown) => (await pausesOf(failure, { retries: 1 })).length === 1
  for (const status of [408, 429, 502, 503, 504]) assert.equal(await retried(failing(status)), true)
  for (const status of [0, 400, 404, 409, 500, 501, 505]) assert.equal(await retried(failing(status)), false)
  assert.equal(await retried(failing(409, "idempotency-key-in-use")), true)
  assert.equal(await retried(new DOMException("too slow", "TimeoutError")), true)
  for (const other of [new Error("a bug"), new DOMException("ended", "AbortError")])
    assert.equal(await retried(other), false)
  assert.deepEqual(await pausesOf(new TypeError("fetch failed"), { signal: AbortSignal.abort() }), [])
  const running = new AbortController().signal
  assert.deepEqual(await pausesOf(new TypeError("fetch failed"), { signal: running, retries: 1 }), [250])
  assert.deepEqual(
    [isPassing(503, undefined), isPassing(500, undefined), isPassing(409, "other")],
    [true, false, false],
  )
  assert.deepEqual(["GET", "PUT", "DELETE", "POST", "PATCH"].map(isIdempotent), [true, true, true, false, false])
})

test("Retry-After is obeyed up to a minute, and a longer one is left to the caller", async () => {
  assert.deepEqual(await pausesOf(failing(429, "limited", "60"), { retries: 2 }), [60_000, 60_000])
  assert.deepEqual(await pausesOf(failing(429, "limited", "0"), { retries: 1 }), [0])
  assert.deepEqual(await pausesOf(failing(429, "limited", "61"), { retries: 2 }), [])
})

test("Retry-After is a number of seconds or a date", (t: TestContext) => {
  t.mock.timers.enable({ apis: ["Date"], now: Date.UTC(2026, 0, 1) })
  const read = (text: string) => retryAfterOf(new Headers({ "retry-after": text }))
  assert.deepEqual(
    ["7", "0", "Thu, 01 Jan 2026 00:00:05 GMT", "Wed, 31 Dec 2025 00:00:00 GMT", "soon", "", "-1s"].map(read),
    [7000, 0, 5000, 0, undefined, undefined, undefined],
  )
  assert.deepEqual([retryAfterOf(new Headers()), retryAfterOf(undefined)], [undefined, undefined])
})

test("a pause resolves after its time, or rejects with the reason as soon as the signal is aborted", async (t: TestContext) => {
  t.mock.timers.enable({ apis: ["setTimeout"] })
  let ended = 0
  const counted = (pause: Promise<void>) => pause.then(() => ended++)
  const whole = counted(waitFor(1000))
  const ending = new AbortController()
  const watched = counted(waitFor(1000, ending.signal))
  t.mock.timers.tick(999)
  await Promise.resolve()
  assert.equal(ended, 0)
  t.mock.timers.tick(1)
  await Promise.all([whole, watched])
  const cut = waitFor(1000, ending.signal)
  ending.abort(new Error("enough"))
  await assert.rejects(cut, new Error("enough"))
})
