import assert from "node:assert/strict"
import { test } from "node:test"
import type { FaultRule } from "../../../../domain/sandbox/faults/contract.ts"
import { Problem } from "../../../../kernel/problem.ts"
import type { Visit } from "../page.ts"
import { faultActions, faultSection } from "./fault-rules.ts"

type Given = { rules?: (FaultRule & { count: number })[]; failure?: Visit["failure"] }

function open({ rules = [], failure }: Given = {}) {
  const set: unknown[] = []
  const call = {
    async setFaults({ body }: { body: { rules: FaultRule[] } }) {
      set.push(body.rules)
      return { value: body }
    },
    getFaults: async () => ({ value: { rules }, request: { method: "GET", target: "/sandbox/faults" } }),
  }
  const visit = {
    sandbox: async () => call,
    params: { name: "mine" },
    root: "/console",
    path: "/sandbox/mine",
    query: new URLSearchParams(),
    scopes: new Set(),
    token: "T",
    service: { publicUrl: () => "https://pets.example" },
    failure,
  } as unknown as Visit
  return { visit, set }
}

/** The rules that the rows of a form make. */
async function saved(fields: Record<string, string>) {
  const { visit, set } = open()
  const done = await faultActions["fault-rows"]?.(visit, new URLSearchParams(fields))
  assert.ok(done && "notice" in done)
  return [done.notice, set[0]]
}

test("rows make rules in their order, equal ones in that of the page", async () => {
  const rows = { rows: "3", "fault-0": "a", "fault-1": "b", "fault-2": "c", "enabled-0": "yes", "enabled-2": "yes" }
  const [a, b, c] = [{ fault: "a" }, { fault: "b", enabled: false }, { fault: "c" }]
  assert.deepEqual(await saved({ ...rows, "order-0": "3", "order-1": "2", "order-2": "1" }), [
    "In force: 3 fault rules",
    [c, b, a],
  ])
  assert.deepEqual((await saved({ ...rows, "order-0": "2", "order-1": "1", "order-2": "1" }))[1], [b, c, a])
  assert.deepEqual((await saved(rows))[1], [a, b, c])
  assert.deepEqual((await saved({ ...rows, "remove-1": "yes" }))[1], [a, c])
  assert.deepEqual(await saved({ ...rows, rows: "1" }), ["In force: 1 fault rule", [a]])
  for (const count of ["", "0", "x"]) assert.deepEqual((await saved({ ...rows, rows: count }))[1], [], count)
})

test("a form has at most 101 rows, one more than there may be rules", async () => {
  const fields = { "fault-100": "a", "enabled-100": "yes", "fault-101": "b" }
  for (const rows of ["101", "102", "1000000"])
    assert.deepEqual((await saved({ ...fields, rows }))[1], [{ fault: "a" }])
  assert.deepEqual((await saved({ ...fields, rows: "100" }))[1], [])
})

test("a row without anything is no rule; what it does not show is kept, and what is no number stays a text", async () => {
  const row = async (fields: Record<string, string>) =>
    ((await saved({ rows: "1", "enabled-0": "yes", ...fields })) as [string, FaultRule[]])[1]
  assert.deepEqual(await row({ "fault-0": " ", "path-0": "" }), [])
  assert.deepEqual(await row({ "operation-0": "addPet" }), [{ match: { operation: "addPet" } }])
  assert.deepEqual(await row({ "path-0": " /pet/* " }), [{ match: { path: "/pet/*" } }])
  assert.deepEqual(await row({ "share-0": "12.3", "times-0": "3" }), [{ match: { share: 0.123, times: 3 } }])
  assert.deepEqual(await row({ "share-0": "many", "times-0": "few" }), [{ match: { share: "many", times: "few" } }])
  const before = JSON.stringify({ fault: "x", match: { event: "pet.created", path: "/pet", times: 2 } })
  assert.deepEqual(await row({ "rule-0": before, "fault-0": "y" }), [{ match: { event: "pet.created" }, fault: "y" }])
  assert.deepEqual(await row({ "rule-0": '{"fault":"x"}' }), [{}])
})

test("rules are set as JSON too; what is no JSON is refused", async () => {
  const { visit, set } = open()
  const setJson = (rules: string) => faultActions.faults?.(visit, new URLSearchParams({ rules }))
  await setJson('[{"fault":"x"}]')
  await setJson("")
  assert.deepEqual(set, [[{ fault: "x" }], []])
  await assert.rejects(async () => setJson("[{"), { code: "invalid-body" })
})

/** The rows of the page: the fault, the share, whether it is on, how often it was used, and its errors. */
async function shown(given: Given) {
  const { text } = await faultSection(open(given).visit)
  const rows = text.slice(text.indexOf('<ol class="rules">'), text.indexOf("</ol>")).split("<li>").slice(1)
  return rows.map((row) => [
    /name="fault-\d+" value="(.*?)"/.exec(row)?.[1],
    /name="share-\d+"[^>]* value="(.*?)"/.exec(row)?.[1],
    /name="order-\d+"[^>]* value="(.*?)"/.exec(row)?.[1],
    row.includes(" checked"),
    /affected (\d+)/.exec(row)?.[1],
    ...[...row.matchAll(/class="error">(.*?)</g)].map(([, error]) => error),
  ])
}

test("the page has a row for each rule and one for a new rule, after a refusal those that were submitted", async () => {
  const rules = [
    { fault: "code=503", match: { share: 0.123 }, count: 0 },
    { fault: "wait=2", enabled: false, count: 7 },
  ]
  assert.deepEqual(await shown({ rules }), [
    ["code=503", "12.3", "1", true, "0"],
    ["wait=2", "", "2", false, "7"],
    ["", "", "3", true, undefined],
  ])
  const violation = (pointer: string) => ({ pointer, code: "wrong-form", detail: "is wrong" })
  const problem = new Problem("invalid-body", "No", {
    violations: [violation("/rules/1/fault"), violation("/rules/10/fault"), violation("/rules/1/match/share")],
  })
  const form = new URLSearchParams({ action: "fault-rows", rows: "2", "fault-0": "a", "fault-1": "b", "share-1": "x" })
  assert.deepEqual(await shown({ rules, failure: { problem, form } }), [
    ["a", "", "1", false, undefined],
    ["b", "x", "2", false, undefined, "fault is wrong", "share is wrong"],
    ["", "", "3", true, undefined],
  ])
  form.set("action", "faults")
  assert.equal((await shown({ rules, failure: { problem, form } }))[0]?.[0], "code=503")
})
