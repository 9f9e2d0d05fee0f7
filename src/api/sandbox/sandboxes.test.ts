import assert from "node:assert/strict"
import { test } from "node:test"
import { runVerb } from "../../../test/harness/verb.ts"
import type { SandboxHouse, SandboxPlan } from "../../domain/sandbox/model.ts"
import type { NewSandbox, Sandbox } from "../../domain/sandbox/named/contract.ts"
import { JsonResponse } from "../../kernel/endpoint/json-response.ts"
import { json } from "../../kernel/json/json.ts"
import { Problem } from "../../kernel/problem.ts"
import { houseVerbs } from "./sandboxes.ts"

const one: Sandbox = {
  name: "one",
  url: "https://petstore.example/s/one",
  createdAt: "2026-01-01T00:00:00.000Z",
  lastRequestAt: "2026-01-01T00:00:00.000Z",
  requests: 0,
  clock: { time: "2026-01-01T00:00:00.000Z", aheadSeconds: 0, frozen: false },
  bytes: 1,
  idle: "PT1H",
}

function houseOf(given: Partial<SandboxHouse> = {}) {
  const plans: SandboxPlan[] = []
  const house: SandboxHouse = {
    list: () => [one],
    save: async (name) => (name === "one" ? json({ data: {} as never }) : undefined),
    remove: (name) => name === "one",
    async create(plan, address) {
      assert.equal(address, "192.0.2.1")
      plans.push(plan)
      return { ...one, name: plan.name }
    },
    ...given,
  }
  return { verbs: houseVerbs(house), plans }
}

/** The plan of a sandbox that is created, or the details of the refusal by pointer. */
async function planOf(body: NewSandbox, query: { name?: string } = {}) {
  const { verbs, plans } = houseOf()
  const made = await runVerb(verbs.createSandbox, {}, { body, query })
  if (!(made instanceof Problem)) return plans[0]
  assert.equal(made.code, "invalid-body")
  return made.violations.map((violation) => [
    "pointer" in violation ? violation.pointer : "",
    violation.code,
    violation.detail,
  ])
}

const usual: SandboxPlan = {
  name: "new",
  seed: undefined,
  from: undefined,
  data: undefined,
  start: { at: undefined, isFrozen: false },
  idleMs: undefined,
}
const minute = "must be at least a minute, PT1M, and at most a day, P1D"
const years = "must be in the years 2000 to 2099"
const [first, last] = [Date.UTC(2000, 0), Date.UTC(2100, 0) - 1]
const clockAt = (time: number, steady: number, start: number | null = null) => ({
  data: { clock: { time, steady, start, frozen: false, startsFrozen: false } } as NewSandbox["data"],
})
const outside = (code: string) => ["/data/clock", code, years]
const { data: saved } = clockAt(first, last)

for (const [body, expected] of [
  [{}, usual],
  [{ seed: "shelter" }, { ...usual, seed: "shelter" }],
  [{ from: "one" }, { ...usual, from: "one" }],
  [{ freeze: true }, { ...usual, seed: "initial", start: { at: undefined, isFrozen: true } }],
  [{ freeze: false }, usual],
  [
    { seed: "empty", freeze: true },
    { ...usual, seed: "empty", start: { at: undefined, isFrozen: true } },
  ],
  [
    { from: "one", freeze: true },
    { ...usual, from: "one", start: { at: undefined, isFrozen: true } },
  ],
  [{ start: "2000-01-01T00:00:00Z" }, { ...usual, seed: "initial", start: { at: first, isFrozen: false } }],
  [{ start: "2099-12-31T23:59:59.999Z" }, { ...usual, seed: "initial", start: { at: last, isFrozen: false } }],
  [{ start: "1999-12-31T23:59:59.999Z" }, [["/start", "too-small", years]]],
  [{ start: "2100-01-01T00:00:00Z" }, [["/start", "too-large", years]]],
  [{ idle: "PT1M" }, { ...usual, idleMs: 60_000 }],
  [{ idle: "P1D" }, { ...usual, idleMs: 86_400_000 }],
  [{ idle: "PT59S" }, [["/idle", "too-small", minute]]],
  [{ idle: "P1DT1S" }, [["/idle", "too-large", minute]]],
  [
    { from: "one", seed: "empty", start: "2001-01-01T00:00:00Z" },
    [
      ["/seed", "wrong-form", "must be absent where from names a source"],
      ["/start", "wrong-form", "must be absent: a copy has the time of its source"],
    ],
  ],
  [{ data: saved }, { ...usual, data: saved }],
  [clockAt(last, first, first), { ...usual, ...clockAt(last, first, first) }],
  [clockAt(first - 1, last + 1, last + 1), [outside("too-small"), outside("too-large"), outside("too-large")]],
  [
    { data: saved, seed: "empty", freeze: false, idle: "PT1M" },
    ["/seed", "/freeze"].map((pointer) => [pointer, "wrong-form", "must be absent: the data have it"]),
  ],
] as [NewSandbox, unknown][])
  test(`a new sandbox with ${JSON.stringify(body)} is planned or refused`, async () => {
    assert.deepEqual(await planOf(body, { name: "new" }), expected)
    assert.deepEqual(await planOf({ ...body, name: "new" }), expected)
  })

test("a new sandbox has one name, in the body or the query", async () => {
  assert.deepEqual(await planOf({ name: "new" }, { name: "new" }), usual)
  assert.deepEqual(await planOf({}), [["/name", "missing", "is missing, also in the query"]])
  assert.deepEqual(await planOf({ name: "a" }, { name: "b" }), [["/name", "wrong-form", "is not that in the query"]])
})

test("one is created at the service, unless the name is taken or there is no source", async () => {
  const create = async (given: Partial<SandboxHouse>, body: NewSandbox = { name: "new" }) => {
    const outcome = await runVerb(houseOf(given).verbs.createSandbox, {}, { body })
    if (outcome instanceof Problem) return [outcome.code, outcome.detail]
    return outcome instanceof JsonResponse && [JSON.parse(outcome.json).name, outcome.headers.location]
  }
  assert.deepEqual(await create({}), ["new", "/api/v3/sandboxes/new"])
  assert.deepEqual(await create({ create: async () => "exists" }), ["sandbox-exists", "There is already a sandbox new"])
  const absent = await create({ create: async () => "no source" }, { name: "new", from: "two" })
  assert.deepEqual(absent, ["sandbox-not-found", "There is no sandbox two"])
  const { create: _, ...inside } = { list: () => [], save: async () => undefined, remove: () => false, create: 1 }
  const refused = await runVerb(houseVerbs(inside).createSandbox, {}, { body: { name: "new" } })
  assert.ok(refused instanceof Problem && refused.code === "forbidden")
})

test("one is shown, exported and deleted by its name", async () => {
  const { verbs } = houseOf()
  assert.deepEqual(await runVerb(verbs.listSandboxes, {}), [one])
  const named = (name: string) => ({ params: { name } })
  assert.deepEqual(await runVerb(verbs.getSandbox, {}, named("one")), one)
  const file = await runVerb(verbs.exportSandbox, {}, named("one"))
  assert.ok(file instanceof JsonResponse && file.json === '{"data":{}}')
  const deleted = { code: 200, type: "success", message: "The sandbox one is deleted" }
  assert.deepEqual(await runVerb(verbs.deleteSandbox, {}, named("one")), deleted)
  for (const verb of [verbs.getSandbox, verbs.exportSandbox, verbs.deleteSandbox] as (typeof verbs.getSandbox)[]) {
    const refused = await runVerb(verb, {}, named("two"))
    assert.ok(refused instanceof Problem)
    assert.deepEqual([refused.code, refused.detail], ["sandbox-not-found", "There is no sandbox two"])
  }
  const large = await runVerb(houseOf({ save: async () => "too large" }).verbs.exportSandbox, {}, named("one"))
  assert.ok(large instanceof Problem && large.code === "sandbox-too-large")
})
