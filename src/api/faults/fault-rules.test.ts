import assert from "node:assert/strict"
import { test } from "node:test"
import type { FaultRule } from "../../domain/sandbox/faults/contract.ts"
import type { ParsedRule, WebhookFault } from "../../domain/sandbox/model.ts"
import type { MessageFacts } from "../../domain/webhooks/deliveries/model.ts"
import { createFaultRules } from "./fault-rules.ts"

type Given = { rule?: FaultRule; operations?: string[]; path?: string; webhooks?: WebhookFault }

function rulesOf(...given: Given[]) {
  const rules = createFaultRules()
  const parse = ({ rule = {}, operations = ["getPetById"], path, webhooks }: Given): ParsedRule => {
    return { rule, operations: webhooks ? [] : operations, path, webhooks, requests: undefined }
  }
  rules.replace(given.map(parse))
  const numberOf = (chosen: ParsedRule | undefined) => chosen && given.findIndex(({ rule }) => rule === chosen.rule)
  return {
    rules,
    request: (facts: { operation?: string; path?: string; keyId?: number } = {}) =>
      numberOf(rules.ofRequest({ operation: "getPetById", path: "/api/v3/pet/1", keyId: undefined, ...facts })),
    message: (facts: Partial<MessageFacts> = {}) =>
      numberOf(rules.ofMessage({ webhookId: 1, kind: "pet.created", isOrdered: false, ...facts })),
    counts: () => rules.read().map(({ count }) => count),
  }
}

test("the first rule that matches a request decides, and is counted", () => {
  const { request, counts, rules } = rulesOf(
    { rule: { match: { key: 2 } } },
    { rule: { match: { times: 2 } }, path: "/pet/1" },
    { rule: { enabled: false } },
    { rule: {}, operations: ["getPetById", "addPet"] },
  )
  assert.deepEqual([request(), request({ path: "/v2/pet/1/" }), request(), request({ keyId: 2 })], [1, 1, 3, 0])
  assert.deepEqual([request({ operation: "addPet" }), request({ operation: "placeOrder" })], [3, undefined])
  assert.deepEqual(counts(), [1, 2, 0, 2])
  rules.replace([])
  assert.deepEqual([request(), counts()], [undefined, []])
})

test("a rule may affect a request of its operation and path while it is on and not over", () => {
  const { request, rules } = rulesOf(
    { rule: { enabled: false }, operations: ["addPet"] },
    { rule: { match: { times: 1 } }, path: "/pet/1" },
    { path: "/pet/3" },
  )
  const may = (operation: string, path: string) => rules.mayAffect(operation, path)
  assert.deepEqual([may("getPetById", "/api/v3/pet/1"), may("getPetById", "/api/v3/pet/2")], [true, false])
  assert.deepEqual([may("addPet", "/api/v3/pet/1"), may("placeOrder", "/api/v3/pet/1")], [false, false])
  request()
  assert.equal(may("getPetById", "/api/v3/pet/1"), false)
})

test("a share of zero affects none, and a seed repeats its choices after a replacement", () => {
  assert.deepEqual(rulesOf({ rule: { match: { share: 0 } } }, { rule: {} }).request(), 1)
  assert.deepEqual(rulesOf({ rule: { match: { share: 1 } } }, { rule: {} }).request(), 0)
  const choices = () => {
    const { request } = rulesOf({ rule: { match: { share: 0.5, seed: "s" } } })
    return Array.from({ length: 20 }, () => request())
  }
  const first = choices()
  assert.deepEqual(choices(), first)
  assert.equal(new Set(first).size, 2)
  const { rules } = rulesOf({ rule: { match: { seed: "s" } } })
  const draws = () => {
    rules.replace([
      {
        rule: { match: { seed: "s" } },
        operations: ["getPetById"],
        path: undefined,
        webhooks: undefined,
        requests: undefined,
      },
    ])
    return [1, 2].map(() => rules.ofRequest({ operation: "getPetById", path: "/", keyId: undefined })?.draw)
  }
  const [one, two] = [draws(), draws()]
  assert.deepEqual(one, two)
  assert.notEqual(one[0], one[1])
})

test("a rule for messages is for a webhook and a kind; none is reordered for an ordered webhook", () => {
  const slow: WebhookFault = { kind: "slow", delay: undefined }
  const { message, request, counts } = rulesOf(
    { rule: {} },
    { rule: { match: { webhook: 2 } }, webhooks: slow },
    { rule: { match: { event: "pet.deleted" } }, webhooks: slow },
    { rule: { match: { webhook: 3 } }, webhooks: { kind: "reordered", delay: undefined } },
    { rule: { match: { webhook: 4, times: 1 } }, webhooks: slow },
  )
  assert.deepEqual([message(), message({ webhookId: 2 }), message({ kind: "pet.deleted" })], [undefined, 1, 2])
  assert.deepEqual([message({ webhookId: 3 }), message({ webhookId: 3, isOrdered: true })], [3, undefined])
  assert.equal(message({ webhookId: 2, isOrdered: true }), 1)
  assert.deepEqual([message({ webhookId: 4 }), message({ webhookId: 4 })], [4, undefined])
  assert.equal(request(), 0)
  assert.deepEqual(counts(), [1, 2, 1, 1, 1])
})
