import assert from "node:assert/strict"
import { test } from "node:test"
import { exchangeOf } from "../../../test/harness/exchange.ts"
import { principalOf } from "../../../test/harness/principal.ts"
import type { ProblemCode } from "../../domain/problems/problems.ts"
import type { ChosenRule, FaultRules, ParsedRule, RequestFacts } from "../../domain/sandbox/model.ts"
import { nothingKnown } from "../sandbox/explain.ts"
import { faultChooser } from "./fault-chooser.ts"

const codes: ProblemCode[] = ["pet-not-found", "quota-exceeded", "internal-error", "overloaded"]
const { caller } = principalOf(7)

function choosing(chosen?: Partial<ChosenRule>) {
  const asked: RequestFacts[] = []
  const replaced: (readonly ParsedRule[])[] = []
  const rules: FaultRules = {
    read: () => [],
    replace: (given) => void replaced.push(given),
    mayAffect: (operation, path) => operation === "getPetById" && path === "/api/v3/pet/1",
    ofRequest(facts) {
      asked.push(facts)
      if (!chosen) return undefined
      return { rule: {}, webhooks: undefined, requests: undefined, operations: [], path: undefined, draw: 0, ...chosen }
    },
    ofMessage: () => undefined,
  }
  const { choose, mayHave, forget } = faultChooser(rules)
  function request(prefer?: string, by: typeof caller | "anonymous" = caller) {
    const exchange = exchangeOf("/api/v3/pet/1", { headers: prefer === undefined ? {} : { prefer } })
    exchange.caller = by === "anonymous" ? undefined : by
    exchange.explanation = nothingKnown()
    const faults = choose(exchange, "getPetById", codes)
    const { fault, headers, explanation } = exchange
    return { faults, fault, applied: headers, rule: explanation.faultRule }
  }
  return { request, asked, replaced, mayHave, forget }
}

test("faults that a request demands are applied, said and listed in the response", () => {
  const { request, asked } = choosing({ requests: { breakage: "drop" } })
  for (const [prefer, faults, words] of [
    ["code=404", { code: "pet-not-found" }, "code=pet-not-found"],
    ["wait=2", { waitSeconds: 2 }, "wait=2"],
    ["wait=0", { waitSeconds: 0 }, "wait=0"],
    ["fault=lose", { breakage: "lose" }, "fault=lose"],
    [
      "wait=0.5, code=503; retry-after=3, fault=slow",
      { waitSeconds: 0.5, code: "overloaded", retryAfter: { seconds: 3, isDate: false }, breakage: "slow" },
      "wait=0.5, code=overloaded; retry-after=3, fault=slow",
    ],
    [
      "code=503; retry-after-date=3",
      { code: "overloaded", retryAfter: { seconds: 3, isDate: true } },
      "code=overloaded; retry-after-date=3",
    ],
  ] as const)
    assert.deepEqual(request(prefer), { faults, fault: words, applied: ["preference-applied", words], rule: undefined })
  assert.deepEqual(asked, [])
})

test("a share with a seed fails the same requests of an account, or of an address", () => {
  const { request, forget, replaced } = choosing()
  const five = (by?: typeof caller | "anonymous") =>
    [1, 2, 3, 4, 5].map(() => request("faults=0.5; seed=s, code=404", by).fault ?? "none")
  const first = five()
  assert.deepEqual(first, ["code=pet-not-found", "none", "code=pet-not-found", "code=pet-not-found", "none"])
  assert.deepEqual(five({ ...caller, account: { ...caller.account, id: 8 } }), first)
  assert.deepEqual(five("anonymous"), first)
  forget()
  assert.deepEqual([five(), replaced], [first, [[]]])
  const { faults, applied } = request("faults=0, code=404")
  assert.deepEqual([faults, applied], [{}, ["preference-applied", "faults=0"]])
  assert.deepEqual(request("faults=0.000001; seed=s").applied, ["preference-applied", "faults=0.000001; seed=s"])
  const words = request("faults=1; seed=s, code=404").applied[1]
  assert.equal(words, "faults=1; seed=s, code=pet-not-found")
})

test("without a name a fault is one that a correct client can encounter, each as often", () => {
  const { request } = choosing()
  const met = new Set(Array.from({ length: 400 }, (_, n) => request(`faults=1; seed=${n}`).fault))
  const expected = ["code=quota-exceeded", "code=internal-error", "code=overloaded"]
  const broken = ["drop", "reset", "html", "lose", "empty", "truncate", "garbage", "slow"].map(
    (name) => `fault=${name}`,
  )
  assert.deepEqual([...met].sort(), [...expected, ...broken].sort())
})

test("without a demand the rules decide, and are noted", () => {
  const rule = { fault: "wait=1" }
  const ruled = choosing({ rule, requests: { delay: { seconds: 2, jitterSeconds: 1 }, code: "overloaded" }, draw: 0 })
  const faults = { waitSeconds: 1, code: "overloaded" }
  assert.deepEqual(ruled.request(), { faults, fault: "wait=1, code=overloaded", applied: [], rule })
  ruled.request(undefined, { ...caller, credential: { kind: "session", id: 5 } })
  const facts = { operation: "getPetById", path: "/api/v3/pet/1" }
  assert.deepEqual(ruled.asked, [
    { ...facts, keyId: 1 },
    { ...facts, keyId: undefined },
  ])
  const any = choosing({ draw: 0 }).request()
  assert.deepEqual([any.faults, any.fault], [{ code: "quota-exceeded" }, "code=quota-exceeded"])
  assert.deepEqual(choosing({ draw: 0.999 }).request().faults, { breakage: "slow" })
  assert.deepEqual(choosing().request(), { faults: undefined, fault: undefined, applied: [], rule: undefined })
  assert.deepEqual(ruled.request("handling=strict").fault, "wait=1, code=overloaded")
})

test("a request may have faults when it prefers something, or a rule can affect it", () => {
  const { mayHave } = choosing()
  const prefers = exchangeOf("/api/v3/pet/2", { headers: { prefer: "a" } })
  assert.equal(mayHave(prefers, "addPet"), true)
  assert.equal(mayHave(exchangeOf("/api/v3/pet/1"), "getPetById"), true)
  assert.equal(mayHave(exchangeOf("/api/v3/pet/2"), "getPetById"), false)
  assert.equal(mayHave(exchangeOf("/api/v3/pet/1"), "addPet"), false)
})
