import assert from "node:assert/strict"
import { test } from "node:test"
import { exchangeOf } from "../../../test/harness/exchange.ts"
import { principalOf } from "../../../test/harness/principal.ts"
import { asksForExplanation, explanationOf, nothingKnown } from "./explain.ts"

const { caller } = principalOf(7)
const explain = (given: object, by?: object, problem?: string) => {
  const exchange = exchangeOf("/api/v3/pet")
  Object.assign(exchange, { caller: by, problem })
  return JSON.parse(explanationOf(exchange, { ...nothingKnown(), ...given }))
}

test("an explanation has what is known of the request", () => {
  assert.deepEqual(explain({}), { events: [] })
  const known = {
    requiredScope: "read:pets",
    schema: "PetDraft",
    limits: [{ policy: "minute" }],
    violations: [{ pointer: "/name", code: "required", detail: "is required" }],
    faultRule: { fault: "wait=1" },
  }
  const events = [{ number: 1, event: "pet.created", id: "evt_1_a" }]
  assert.deepEqual(explain({ ...known, events }, { ...caller, scopes: new Set(["read:pets"]) }), {
    credential: { kind: "key", id: 1, account: 7, plan: "free" },
    grantedScopes: ["read:pets"],
    ...known,
    events: [{ event: "pet.created", id: "evt_1_a" }],
  })
  assert.deepEqual(explain({ events }, undefined, "pet-exists"), { events: [] }, "a refusal has no events")
  assert.equal(explain({}, { ...caller, isAssumed: true }).credential.isAssumed, true)
})

test("Prefer: explain asks for one, without a value", () => {
  const asks = (prefer: string) => asksForExplanation({ prefer })
  assert.deepEqual(
    [asks("explain"), asks("wait=1, EXPLAIN"), asks("explain=no"), asks("handling=strict")],
    [true, true, false, false],
  )
  assert.equal(asksForExplanation({}), false)
})
