import assert from "node:assert/strict"
import { test } from "node:test"
import type { ProblemCode } from "../../../core/domain/problems/problems.ts"
import type { FaultRule } from "./contract.ts"
import { parseRule } from "./parse-rule.ts"
import { type FaultTarget, refusalsOf } from "./targets.ts"

const target = (codes: ProblemCode[], ...paths: string[]): FaultTarget => ({
  refusals: refusalsOf(codes),
  flaws: [],
  paths: new Set(paths),
  isOperation: true,
})
const endpoint = (path: string, ...flaws: string[]): [string, FaultTarget] => {
  const refusals = [{ code: "invalid_grant", status: 400, hasRetryAfter: false }]
  return [path, { refusals: flaws.length > 0 ? refusals : [], flaws, paths: new Set([path]), isOperation: false }]
}
const targets = new Map([
  ["getPetById", target(["pet-not-found", "overloaded"], "/pet/{petId}")],
  ["addPet", target(["pet-exists", "overloaded"], "/pet", "/pets")],
  ["placeOrder", target(["overloaded"], "/store/order")],
  endpoint("/issuer/token", "expired"),
  endpoint("/issuer/keys"),
])

const parse = (rule: FaultRule) => parseRule(rule, "/rules/0", targets, "https://petstore.example/s/one")
const all = ["getPetById", "addPet", "placeOrder"]

for (const [rule, reached, path] of [
  [{}, all, undefined],
  [{ fault: "wait=1" }, all, undefined],
  [{ fault: "code=404" }, ["getPetById"], undefined],
  [{ fault: "code=503" }, all, undefined],
  [{ match: { operation: "addPet" }, fault: "code=503" }, ["addPet"], undefined],
  [{ match: { path: "/pet/1" } }, ["getPetById"], "/pet/1"],
  [{ match: { path: "/s/one/api/v3/pet*" } }, ["getPetById", "addPet"], "/pet*"],
  [{ match: { path: "/pets", key: 1 } }, ["addPet"], "/pets"],
  [{ match: { path: "/pet*", operation: "addPet" } }, ["addPet"], "/pet*"],
  [{ match: { path: "/*" } }, all, "/*"],
  [{ match: { path: "/s/one/*" } }, all, "/*"],
  [{ match: { path: "/issuer/token" } }, ["/issuer/token"], "/issuer/token"],
  [{ match: { path: "/s/one/issuer/*", share: 0.5 } }, ["/issuer/token", "/issuer/keys"], "/issuer/*"],
  [{ match: { path: "/issuer/*" }, fault: "token=expired" }, ["/issuer/token"], "/issuer/*"],
  [{ match: { path: "/issuer/token" }, fault: "code=400, wait=1" }, ["/issuer/token"], "/issuer/token"],
] as [FaultRule, string[], string | undefined][])
  test(`the rule ${JSON.stringify(rule)} is for ${reached.join()}`, () => {
    const parsed = parse(rule)
    assert.ok(!("violations" in parsed))
    assert.deepEqual([parsed.rule, parsed.targets, parsed.path, parsed.webhooks], [rule, reached, path, undefined])
    assert.equal(parsed.requests === undefined, rule.fault === undefined)
  })

test("a rule for messages to webhooks affects no operation", () => {
  for (const match of [undefined, { webhook: 1 }, { event: "pet.created" as const }]) {
    const rule: FaultRule = { ...(match && { match }), fault: "webhook=forged" }
    assert.deepEqual(parse(rule), {
      rule,
      webhooks: { kind: "forged", delay: undefined },
      requests: undefined,
      targets: [],
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
  [{ match: { path: "/issuer/tokens" } }, [["/match/path", `${notPath}; did you mean /issuer/token?`]]],
  [{ match: { path: "/iss*" }, fault: "wait=1" }, [["/match/path", notPath]]],
  [{ match: { operation: "/issuer/token" } }, [["/match/operation", notOperation]]],
  [
    { match: { path: "/issuer/token", operation: "addPet" } },
    [["/match/path", "must be a path of addPet, which has /pet and /pets"]],
  ],
  [
    { match: { path: "/issuer/token", key: 1 } },
    [["/match/key", "must not be there: requests to /issuer/token have no key"]],
  ],
  [
    { match: { path: "/issuer/token" }, fault: "code=503" },
    [["/fault", "has code=503, which is not a problem of this operation; its problems are 400 (invalid_grant)"]],
  ],
  [{ fault: "token=expired" }, [["/fault", "has token=expired, which only what issues tokens has: /oauth/token"]]],
  [
    { match: { path: "/issuer/token" }, fault: "token=old" },
    [["/fault", "has an unknown token=old; known are expired"]],
  ],
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
