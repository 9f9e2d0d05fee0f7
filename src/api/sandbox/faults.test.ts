import assert from "node:assert/strict"
import { test } from "node:test"
import { runVerb } from "../../../test/harness/verb.ts"
import type { FaultRule } from "../../domain/sandbox/faults/contract.ts"
import { Problem } from "../../kernel/problem.ts"
import { createFaultRules } from "../faults/fault-rules.ts"
import { faultVerbs } from "./faults.ts"

const targets = new Map([["addPet", { codes: ["overloaded" as const], paths: new Set(["/pet"]) }]])

function verbsFor(webhooks: { id: number; ordered: boolean; events: string[] }[] = []) {
  const rules = createFaultRules()
  const verbs = faultVerbs(rules, targets)
  const store = {
    webhooks: {
      async list(accountId: number, { before }: { before: unknown }) {
        assert.deepEqual([accountId, before], [7, undefined])
        return { items: webhooks, next: undefined }
      },
    },
  }
  const set = async (...given: FaultRule[]) => {
    const outcome = await runVerb(verbs.setFaults, { store }, { body: { rules: given } })
    return outcome instanceof Problem ? outcome.violations : outcome
  }
  return { rules, set, verbs }
}

test("rules are replaced, read with their counts, and ended", async () => {
  const { rules, set, verbs } = verbsFor()
  assert.deepEqual(await set({ fault: "code=503" }, { enabled: false }), {
    rules: [
      { fault: "code=503", count: 0 },
      { enabled: false, count: 0 },
    ],
  })
  rules.ofRequest({ operation: "addPet", path: "/pet", keyId: undefined })
  assert.deepEqual(await runVerb(verbs.getFaults, {}), {
    rules: [
      { fault: "code=503", count: 1 },
      { enabled: false, count: 0 },
    ],
  })
  const ended = { code: 200, type: "success", message: "The fault rules have ended" }
  assert.deepEqual(await runVerb(verbs.deleteFaults, {}), ended)
  assert.deepEqual(rules.read(), [])
})

test("one rule that is refused changes none, and each is named by its place", async () => {
  const { rules, set } = verbsFor()
  await set({ fault: "wait=1" })
  assert.deepEqual(await set({}, { fault: "wait=x" }), [
    { pointer: "/rules/1/fault", code: "not-allowed", detail: "must have wait=SECONDS as a number from 0 to 30" },
  ])
  assert.equal(rules.read()[0]?.rule.fault, "wait=1")
})

test("messages to an ordered webhook cannot be reordered", async () => {
  const ordered = { id: 2, ordered: true, events: ["pet.created", "pet.deleted"] }
  const { set } = verbsFor([{ id: 1, ordered: false, events: ["*"] }, ordered])
  const detail = "must not include webhook 2, which is ordered: its messages cannot be reordered. Name another webhook"
  const refused = [{ pointer: "/rules/0/match", code: "not-allowed", detail }]
  const fault = "webhook=reordered"
  for (const match of [
    undefined,
    { webhook: 2 },
    { event: "pet.created" },
    { webhook: 2, event: "pet.deleted" },
  ] as const)
    assert.deepEqual(await set({ ...(match && { match }), fault }), refused, JSON.stringify(match))
  for (const match of [{ webhook: 1 }, { event: "pet.updated" }, { webhook: 2, event: "pet.updated" }] as const)
    assert.ok("rules" in (await set({ match, fault })), JSON.stringify(match))
  assert.ok("rules" in (await set({ fault: "webhook=delayed" })))
  const all = verbsFor([{ ...ordered, events: ["*"] }])
  assert.deepEqual(await all.set({ match: { event: "pet.updated" }, fault }), refused, "one of every kind, too")
})
