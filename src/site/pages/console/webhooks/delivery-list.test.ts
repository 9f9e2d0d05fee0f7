import assert from "node:assert/strict"
import { test } from "node:test"
import { openVisit, rowsOf } from "../../../../../test/harness/visit.ts"
import { deliveryList } from "./delivery-list.ts"

/** The deliveries of a webhook on its page, and what was asked for. */
async function shown(query: string, rows: object[] = []) {
  const calls = { listDeliveries: { value: rows } }
  const { visit, called } = openVisit({ path: "/webhooks/2", query, calls })
  const { text } = await deliveryList(visit, 2)
  return {
    called: called[0]?.[1],
    rows: rowsOf(text),
    states: [...text.matchAll(/<a href="([^"]*)"( aria-current="true")?>([a-z]+)</g)].map(([, to, isUsed, word]) => [
      to,
      word,
      isUsed !== undefined,
    ]),
    empty: /<p class="empty">(.*?)<\/p>/.exec(text)?.[1],
  }
}

test("deliveries are listed by state, or all of them where the address names no state", async () => {
  const all = await shown("state=other&limit=50&cursor=c")
  assert.deepEqual(all.called, { params: { webhookId: 2 }, query: { limit: 50, cursor: "c" } })
  assert.equal(all.empty, "There are no deliveries yet. Send a test event, or add a pet.")
  const failed = await shown("state=failed")
  assert.deepEqual(failed.called, { params: { webhookId: 2 }, query: { limit: 25, state: ["failed"] } })
  assert.equal(failed.empty, "There are no failed deliveries.")
  const used = (states: unknown[][]) => states.filter(([, , isUsed]) => isUsed)
  assert.deepEqual(used(all.states), [["/console/webhooks/2", "all", true]])
  assert.deepEqual(used(failed.states), [["/console/webhooks/2?state=failed", "failed", true]])
})

test("a delivery has its last attempt, if there was one, and when the next one is", async () => {
  const delivery = { id: 5, event: "pet.created", state: "failed", attempts: 1, createdAt: "1970-01-01T00:00:00Z" }
  const lastOf = async (lastAttempt: object | undefined) =>
    (await shown("", [{ ...delivery, lastAttempt }])).rows.map((cells) => [cells[0], cells[2], cells[3], cells[4]])
  const link = '<a href="/console/webhooks/2/deliveries/5">pet.created</a>'
  const row = (last: string) => [[link, last, 1, ""].map(String)]
  assert.deepEqual(await lastOf(undefined), row("none yet"))
  assert.deepEqual(await lastOf({ status: 204 }), row("204"))
  assert.deepEqual(await lastOf({ status: 302, error: "redirect" }), row("302, a redirect"))
  assert.deepEqual(await lastOf({ status: 500, error: "status" }), row("500"))
  assert.deepEqual(await lastOf({ error: "timeout" }), row("no response in time"))
  assert.deepEqual(await lastOf({}), row("connection lost"))
})
