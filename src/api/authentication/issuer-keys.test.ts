import assert from "node:assert/strict"
import { generateKeyPairSync } from "node:crypto"
import { type TestContext, test } from "node:test"
import { setImmediate as nextTurn } from "node:timers/promises"
import { manualClock } from "../../../test/harness/clock.ts"
import { openIssuerKeys } from "./issuer-keys.ts"

const issuer = "https://issuer.example"
const keysUri = "https://issuer.example/keys"

const { publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" })
const jwk = { ...publicKey.export({ format: "jwk" }), alg: "ES256" }

/** The keys of an issuer that publishes those with these names, and how often it was asked for them. */
function keysOf(t: TestContext, ...names: string[]) {
  t.mock.timers.enable({ apis: ["setInterval"] })
  const state = { names, isAway: false, requests: 0, ofMetadata: 0 }
  t.mock.method(globalThis, "fetch", async (address: string, { signal }: RequestInit) => {
    await nextTurn()
    signal?.throwIfAborted()
    if (address === keysUri) state.requests++
    else state.ofMetadata++
    if (state.isAway) throw new TypeError("fetch failed", { cause: new Error("refused") })
    return Response.json(
      address === keysUri ? { keys: state.names.map((kid) => ({ ...jwk, kid })) } : { issuer, jwks_uri: keysUri },
    )
  })
  const clock = manualClock()
  const reports: (string | undefined)[] = []
  const keys = openIssuerKeys(issuer, clock, (reason) => reports.push(reason))
  t.after(() => {
    keys[Symbol.dispose]()
    t.mock.timers.reset()
  })
  const find = async (kid: string): Promise<string> => {
    try {
      await keys.find({ alg: "ES256", kid }, {} as never)
      return "found"
    } catch (error) {
      const { code, retryAfter } = error as { code: string; retryAfter?: number }
      return retryAfter === undefined ? code : `${code} for ${retryAfter} s`
    }
  }
  const settle = async () => {
    for (let turns = 0; turns < 10; turns++) await nextTurn()
  }
  const check = async () => {
    t.mock.timers.tick(1_000)
    await settle()
    return state.requests
  }
  const gauges = () =>
    Promise.all(keys.metrics.map(async (metric) => (metric.type === "gauge" ? (await metric.read())[0]?.value : "")))
  return { keys, state, clock, reports, find, settle, check, gauges }
}

const unknown = "ERR_JWKS_NO_MATCHING_KEY"

test("keys are requested at the start, and again in the background when they are ten minutes old", async (t) => {
  const { keys, state, clock, reports, find, settle, check, gauges } = keysOf(t, "a")
  assert.deepEqual(await gauges(), [1, undefined])
  assert.deepEqual([await find("a"), state.requests], ["found", 1])
  clock.advance(599_999)
  assert.deepEqual([await find("a"), await check()], ["found", 1])
  assert.deepEqual(await gauges(), [1, 599.999])
  clock.advance(1)
  assert.deepEqual([await find("a"), state.requests], ["found", 1])
  await settle()
  assert.equal(state.requests, 2)
  clock.advance(600_000)
  assert.equal(await check(), 3)
  assert.deepEqual([reports, keys.isAway(), await gauges(), state.ofMetadata], [[], false, [1, 0], 1])
})

test("a token of an unknown key has them requested again, at most once in 5 s", async (t) => {
  const { state, clock, find } = keysOf(t, "a")
  assert.equal(await find("a"), "found")
  state.names.push("b")
  clock.advance(4_999)
  assert.deepEqual([await find("b"), state.requests], [unknown, 1])
  clock.advance(1)
  assert.deepEqual([await find("b"), state.requests], ["found", 2])
})

test("a key set that names two keys alike is refused without another request", async (t) => {
  const { state, clock, find } = keysOf(t, "a", "a")
  await find("a")
  clock.advance(5_000)
  assert.deepEqual([await find("a"), state.requests], ["ERR_JWKS_MULTIPLE_MATCHING_KEYS", 1])
})

test("a failure is reported once, and so is its end; until then each request waits for a growing pause", async (t) => {
  const { keys, state, clock, reports, find, check, gauges } = keysOf(t, "a")
  await find("a")
  state.isAway = true
  clock.advance(5_000)
  assert.deepEqual([await find("b"), keys.isAway(), await gauges()], ["unavailable for 1 s", true, [0, 5]])
  assert.equal(await find("a"), "found")
  const requests = [await check()]
  for (const ms of [999, 1, 1_999, 1]) {
    clock.advance(ms)
    requests.push(await check())
  }
  assert.deepEqual(requests, [2, 2, 3, 3, 4])
  state.isAway = false
  clock.advance(4_000)
  assert.equal(await check(), 5)
  assert.deepEqual([reports, keys.isAway()], [["fetch failed: refused", undefined], false])
})

test("after one failure the metadata is requested again, and the end of the failure is reported", async (t) => {
  const { state, clock, reports, find, check } = keysOf(t, "a")
  await find("a")
  state.isAway = true
  clock.advance(600_000)
  assert.deepEqual([await check(), state.ofMetadata, reports], [2, 1, ["fetch failed: refused"]])
  state.isAway = false
  clock.advance(1_000)
  assert.deepEqual([await check(), state.ofMetadata, reports.length], [3, 2, 2])
})

test("without keys, a token has them requested; known ones are used for less than a day", async (t) => {
  const { state, clock, find, settle } = keysOf(t, "a")
  state.isAway = true
  await settle()
  clock.advance(1_000)
  assert.deepEqual([await find("a"), state.requests], ["unavailable for 2 s", 0])
  clock.advance(500)
  assert.equal(await find("a"), "unavailable for 2 s")
  state.isAway = false
  clock.advance(1_500)
  assert.deepEqual([await find("a"), state.requests], ["found", 1])
  state.isAway = true
  clock.advance(86_399_999)
  assert.equal(await find("a"), "found")
  await settle()
  clock.advance(1)
  assert.equal(await find("a"), "unavailable for 1 s")
})

test("once stopped, it requests nothing and reports no failure", async (t) => {
  const { keys, state, clock, reports, find, settle, check } = keysOf(t, "a")
  keys[Symbol.dispose]()
  await settle()
  assert.deepEqual([reports, keys.isAway(), state.requests], [[], false, 0])
  clock.advance(600_000)
  assert.equal(await check(), 0)
  assert.deepEqual([await find("a"), state.requests], ["unavailable for 1 s", 0])
})
