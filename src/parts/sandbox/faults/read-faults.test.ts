import assert from "node:assert/strict"
import { test } from "node:test"
import type { ProblemCode } from "../../../core/domain/problems/problems.ts"
import { Problem } from "../../../core/kernel/problem.ts"
import { readFaults, readRuleFault } from "./read-faults.ts"
import { refusalsOf } from "./targets.ts"

const codes = [
  "malformed-json",
  "invalid-parameter",
  "pet-not-found",
  "idempotency-key-in-use",
  "too-many-requests",
  "overloaded",
] as const satisfies ProblemCode[]
const failures = { refusals: refusalsOf(codes), flaws: ["expired", "bad-signature"] }
const knownCodes =
  "400 (malformed-json, invalid-parameter), 404 (pet-not-found), 409 (idempotency-key-in-use), 429 (too-many-requests), 503 (overloaded)"
const knownFaults = "drop, reset, html, lose, empty, truncate, garbage, slow, hold, hold-response"
const knownOfWebhooks = "duplicate, reordered, delayed, forged, stale, truncated, slow, down"

/** What `Prefer` demands, or the details of its refusal. */
function read(prefer: string | undefined) {
  try {
    return readFaults(prefer, failures)
  } catch (error) {
    if (!(error instanceof Problem) || error.code !== "invalid-parameter") throw error
    return error.violations?.map(({ detail, ...rest }) => {
      assert.deepEqual(rest, { parameter: "Prefer", code: "not-allowed" })
      return detail
    })
  }
}

const demand = (named: object, share?: number, seed?: string) => ({ named, share, seed })

for (const [prefer, expected] of [
  [undefined, undefined],
  ["handling=strict", undefined],
  ["code=200", undefined],
  ["code=2XX", undefined],
  ["code=299, wait=1", demand({ delay: { seconds: 1, jitterSeconds: 0 } })],
  ["wait=0", demand({ delay: { seconds: 0, jitterSeconds: 0 } })],
  ["wait=30", demand({ delay: { seconds: 30, jitterSeconds: 0 } })],
  ["wait=1.125", demand({ delay: { seconds: 1.125, jitterSeconds: 0 } })],
  ["wait=2; jitter=0.5", demand({ delay: { seconds: 2, jitterSeconds: 0.5 } })],
  ["wait=2; jitter=2", demand({ delay: { seconds: 2, jitterSeconds: 2 } })],
  ["wait=2; spread=0", demand({ delay: { seconds: 2, spread: 0 } })],
  ["wait=2; spread=3", demand({ delay: { seconds: 2, spread: 3 } })],
  ["code=404", demand({ code: "pet-not-found" })],
  ["code=400", demand({ code: "malformed-json" })],
  ["code=invalid-parameter", demand({ code: "invalid-parameter" })],
  ["code=503; retry-after=0", demand({ code: "overloaded", retryAfter: { seconds: 0, isDate: false } })],
  [
    "code=429; retry-after=86400",
    demand({ code: "too-many-requests", retryAfter: { seconds: 86_400, isDate: false } }),
  ],
  ["code=503; retry-after-date=7", demand({ code: "overloaded", retryAfter: { seconds: 7, isDate: true } })],
  ["code=409; retry-after=2", demand({ code: "idempotency-key-in-use", retryAfter: { seconds: 2, isDate: false } })],
  ["fault=drop", demand({ breakage: "drop" })],
  ["code=503, fault=lose", demand({ code: "overloaded", breakage: "lose" })],
  ["fault=hold", demand({ hold: "hold" })],
  [
    "code=503, fault=hold-response, wait=0",
    demand({ delay: { seconds: 0, jitterSeconds: 0 }, code: "overloaded", hold: "hold-response" }),
  ],
  ["code=503, fault=slow", demand({ code: "overloaded", breakage: "slow" })],
  [
    "token=expired, wait=1, fault=lose",
    demand({ delay: { seconds: 1, jitterSeconds: 0 }, breakage: "lose", flaw: "expired" }),
  ],
  ["faults=0", demand({}, 0)],
  ["faults=1", demand({}, 1)],
  ["faults=1.0", demand({}, 1)],
  ["faults=0.123456; seed=a.b_c-1", demand({}, 0.123456, "a.b_c-1")],
  [`faults=0.5; seed=${"s".repeat(64)}`, demand({}, 0.5, "s".repeat(64))],
  ["faults=0.5, code=404", demand({ code: "pet-not-found" }, 0.5)],
] as const)
  test(`Prefer: ${prefer} is read`, () => assert.deepEqual(read(prefer), expected))

const waitRule = "must have wait=SECONDS as a number from 0 to 30"
const jitterRule = "must have jitter=SECONDS as a number from 0 to that of wait"
const spreadRule = "must have spread=NUMBER from 0 to 3"
const retryAfterRule = "must have retry-after or retry-after-date as whole seconds from 0 to 86400"
const shareRule = "must have faults=SHARE as a number from 0 to 1"
const seedRule = "must have seed=SEED as 1 to 64 letters, digits and . _ -"

for (const [prefer, refusals] of [
  ["wait=", [waitRule]],
  ["wait=30.001", [waitRule]],
  ["wait=1.1234", [waitRule]],
  ["wait=100", [waitRule]],
  ["wait=-1", [waitRule]],
  ["wait=2; jitter=2.001", [jitterRule]],
  ["wait=2; jitter=x", [jitterRule]],
  ["wait=2; spread=3.001", [spreadRule]],
  ["wait=2; spread=x", [spreadRule]],
  ["wait=2; spread=1; jitter=1", ["must have either jitter or spread"]],
  ["code=500", [`has code=500, which is not a problem of this operation; its problems are ${knownCodes}`]],
  ["code=x200", [`has code=x200, which is not a problem of this operation; its problems are ${knownCodes}`]],
  ["code=2000", [`has code=2000, which is not a problem of this operation; its problems are ${knownCodes}`]],
  ["code=503; retry-after=86401", [retryAfterRule]],
  ["code=503; retry-after=1.5", [retryAfterRule]],
  ["code=503; retry-after-date=100000", [retryAfterRule]],
  ["code=503; retry-after=1; retry-after-date=1", ["must have either retry-after or retry-after-date"]],
  ["code=404; retry-after=1", ["has a retry-after, which pet-not-found does not have"]],
  ["fault=none", [`has an unknown fault=none; known are ${knownFaults}`]],
  ...["drop", "reset", "html", "garbage"].map(
    (fault) =>
      [
        `code=503, fault=${fault}`,
        [`must have either code= or fault=${fault}, which does not send that problem`],
      ] as const,
  ),
  ["token=fresh", ["has an unknown token=fresh; known are expired, bad-signature"]],
  ["token=expired, code=503", ["must have either token= or code=, which sends no token"]],
  ["token=expired, fault=garbage", ["must have either token= or fault=garbage, which sends no token"]],
  ["faults=1.1", [shareRule]],
  ["faults=2", [shareRule]],
  ["faults=0.1234567", [shareRule]],
  ["faults=0.5; seed=", [seedRule]],
  ["faults=0.5; seed=a b", [seedRule]],
  [`faults=0.5; seed=${"s".repeat(65)}`, [seedRule]],
  [
    "wait=x, fault=none, faults=2; seed=!",
    [waitRule, `has an unknown fault=none; known are ${knownFaults}`, shareRule, seedRule],
  ],
] as const)
  test(`Prefer: ${prefer} is refused`, () => assert.deepEqual(read(prefer), refusals))

const eitherFault = "must have either webhook= or code=, fault= and token="
const anyFault = "must have wait=, code=, fault=, token= or webhook="

for (const [text, expected] of [
  ["wait=2", { requests: { delay: { seconds: 2, jitterSeconds: 0 } } }],
  ["code=404", { requests: { code: "pet-not-found" } }],
  ["fault=lose", { requests: { breakage: "lose" } }],
  ["fault=hold-response", { requests: { hold: "hold-response" } }],
  ["webhook=forged", { webhooks: { kind: "forged", delay: undefined } }],
  ["webhook=slow, wait=2", { webhooks: { kind: "slow", delay: { seconds: 2, jitterSeconds: 0 } } }],
  ["webhook=delayed", { webhooks: { kind: "delayed", delay: { seconds: 5, jitterSeconds: 0 } } }],
  ["webhook=delayed, wait=1", { webhooks: { kind: "delayed", delay: { seconds: 1, jitterSeconds: 0 } } }],
  ["", { refusals: [anyFault] }],
  ["code=200", { refusals: [anyFault] }],
  ["wait=1, faults=0.5", { refusals: ["must not have faults=SHARE; the match has the share"] }],
  ["webhook=forged, code=404", { refusals: [eitherFault] }],
  ["webhook=forged, fault=lose", { refusals: [eitherFault] }],
  ["webhook=forged, fault=hold", { refusals: [eitherFault] }],
  ["webhook=none", { refusals: [`has an unknown webhook=none; known are ${knownOfWebhooks}`] }],
] as const)
  test(`a rule with the fault ${text || "of no text"} is read`, () =>
    assert.deepEqual(readRuleFault(text, failures), expected))
