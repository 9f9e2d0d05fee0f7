import assert from "node:assert/strict"
import { test } from "node:test"
import type { ProblemCode } from "../../../core/domain/problems/problems.ts"
import type { FaultRule } from "./contract.ts"
import { parseRule } from "./parse-rule.ts"

const target = (codes: ProblemCode[], ...paths: string[]) => ({ codes, paths: new Set(paths) })
const targets = new Map([
  ["getPetById", target(["pet-not-found", "overloaded"], "/pet/{petId}")],
  ["addPet", target(["pet-exists", "overloaded"], "/pet", "/pets")],
  ["placeOrder", target(["overloaded"], "/store/order")],
])

const parse = (rule: FaultRule) => parseRule(rule, "/rules/0", targets, "https://petstore.example/s/one")
const all = [...targets.keys()]

for (const [rule, operations, path] of [
  [{}, all, undefined],
  [{ fault: "wait=1" }, all, undefined],
  [{ fault: "code=404" }, ["getPetById"], undefined],
  [{ fault: "code=503" }, all, undefined],
  [{ match: { operation: "addPet" }, fault: "code=503" }, ["addPet"], undefined],
  [{ match: { path: "/pet/1" } }, ["getPetById"], "/pet/1"],
  [{ match: { path: "/s/one/api/v3/pet*" } }, ["getPetById", "addPet"], "/pet*"],
  [{ match: { path: "/pets", key: 1 } }, ["addPet"], "/pets"],
  [{ match: { path: "/pet*", operation: "addPet" } }, ["addPet"], "/pet*"],
] as [FaultRule, string[], string | undefined][])
  test(`the rule ${JSON.stringify(rule)} is for ${operations.join()}`, () => {
    const parsed = parse(rule)
    assert.ok(!("violations" in parsed))
    assert.deepEqual(
      [parsed.rule, parsed.operations, parsed.path, parsed.webhooks],
      [rule, operations, path, undefined],
    )
    assert.equal(parsed.requests === undefined, rule.fault === undefined)
  })

test("a rule for messages to webhooks affects no operation", () => {
  for (const match of [undefined, { webhook: 1 }, { event: "pet.created" as const }]) {
    const rule: FaultRule = { ...(match && { match }), fault: "webhook=forged" }
    assert.deepEqual(parse(rule), {
      rule,
      webhooks: { kind: "forged", delay: undefined },
      requests: undefined,
      operations: [],
      path: undefined,
    })
  }
})

const notOperation = "must be the operationId of an operation"
const notPath = "must be a path of an operation, such as /pet/1, or its beginning"
const ofWebhooks = "must not name operation, path or key for a fault of webhooks"
const ofRequests = "must not name webhook or event for a fault of requests"

for (const [rule, refusals] of [
  [{ match: { operation: "addPets" } }, [["/match/operation", `${notOperation}; did you mean addPet?`]]],
  [{ match: { operation: "zzzzzzzzzzzz", path: "/pet" } }, [["/match/operation", notOperation]]],
  [{ match: { path: "/pett" } }, [["/match/path", `${notPath}; did you mean /pet?`]]],
  [{ match: { path: "/zzzzzzzzzzzzzz" } }, [["/match/path", notPath]]],
  [{ match: { path: "/%" } }, [["/match/path", notPath]]],
  [
    { match: { operation: "addPet", path: "/store/order" } },
    [["/match/path", "must be a path of addPet, which has /pet and /pets"]],
  ],
  [
    { match: { operation: "placeOrder" }, fault: "code=404" },
    [["/fault", "has code=404, which is not a problem of this operation; its problems are 503 (overloaded)"]],
  ],
  [
    { match: { path: "/pet" }, fault: "code=404" },
    [
      [
        "/fault",
        "has code=404, which is not a problem of this operation; its problems are 409 (pet-exists), 503 (overloaded)",
      ],
    ],
  ],
  [{ match: { path: "/zzzzzzzzzzzzzz" }, fault: "code=404" }, [["/match/path", notPath]]],
  [{ match: { operation: "addPet" }, fault: "webhook=slow" }, [["/match", ofWebhooks]]],
  [{ match: { path: "/pet" }, fault: "webhook=slow" }, [["/match", ofWebhooks]]],
  [{ match: { key: 1 }, fault: "webhook=slow" }, [["/match", ofWebhooks]]],
  [{ match: { webhook: 1 } }, [["/match", ofRequests]]],
  [{ match: { event: "pet.created" }, fault: "wait=1" }, [["/match", ofRequests]]],
  [
    { match: { webhook: 1, operation: "addPets" }, fault: "wait=99" },
    [
      ["/match/operation", `${notOperation}; did you mean addPet?`],
      ["/fault", "must have wait=SECONDS as a number from 0 to 30"],
      ["/match", ofRequests],
    ],
  ],
] as [FaultRule, [string, string][]][])
  test(`the rule ${JSON.stringify(rule)} is refused`, () => {
    const violations = refusals.map(([member, detail]) => ({
      pointer: `/rules/0${member}`,
      code: "not-allowed",
      detail,
    }))
    assert.deepEqual(parse(rule), { violations })
  })
