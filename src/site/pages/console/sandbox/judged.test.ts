import assert from "node:assert/strict"
import { test } from "node:test"
import type { RecordedRequest } from "../../../../domain/sandbox/requests/contract.ts"
import { Markup } from "../../html.ts"
import { judged } from "./judged.ts"

/** The facts about a request with this explanation, as texts. */
const factsOf = (explanation?: object) =>
  Object.fromEntries(
    Object.entries(judged({ explanation } as unknown as RecordedRequest)).map(([name, fact]) => [
      name,
      fact instanceof Markup ? fact.text : fact,
    ]),
  )

test("an explained request has what decided about it, and another one no facts", () => {
  assert.deepEqual(factsOf(), {})
  const nothing = {
    Plan: undefined,
    "Required scope": undefined,
    Scopes: undefined,
    Limits: undefined,
    Schema: undefined,
    Violations: undefined,
    "Fault rule": undefined,
    "Events written": "None",
  }
  assert.deepEqual(factsOf({ events: [] }), nothing)
  const limit = (policy: string) => ({ policy, quota: 60, remaining: 7, resetSeconds: 9 })
  assert.deepEqual(
    factsOf({
      credential: { plan: "pro" },
      requiredScope: "write:pets",
      grantedScopes: ["read:pets", "write:pets"],
      limits: [limit("minute"), limit("day")],
      schema: "NewPet",
      violations: [
        { pointer: "/name", code: "blank", detail: "must not be blank" },
        { pointer: "", code: "wrong-form", detail: "must be an object" },
        { parameter: "limit", code: "too-large", detail: "must be at most 100" },
      ],
      faultRule: { fault: "code=503" },
      events: [{ id: "evt_1", event: "pet.created" }],
    }),
    {
      Plan: "pro",
      "Required scope": "write:pets",
      Scopes: "read:pets, write:pets",
      Limits: "7 of 60 left of the minute, more in 9 s; 7 of 60 left of the day, more in 9 s",
      Schema: "NewPet",
      Violations:
        "<div>/name must not be blank</div><div>The body must be an object</div><div>limit must be at most 100</div>",
      "Fault rule": "<code>{&quot;fault&quot;:&quot;code=503&quot;}</code>",
      "Events written": "<div>A pet was added</div>",
    },
  )
})
