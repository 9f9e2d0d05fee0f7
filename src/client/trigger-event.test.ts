import assert from "node:assert/strict"
import { test } from "node:test"
import type { Send } from "./client.ts"
import { createPetstoreClient } from "./petstore-client.ts"
import { triggerable, triggerEvent } from "./trigger-event.ts"

/** The steps of an event, and the requests of each. */
async function triggered(event: string, fields: object = {}) {
  const sent: string[] = []
  const send: Send = async (url, { method, body }) => {
    sent.push([method, url.replace("http://a/api/v3", ""), body].filter(Boolean).join(" "))
    return Response.json({ id: url.endsWith("/pet") ? 11 : 22 })
  }
  const client = createPetstoreClient({ url: "http://a", fetch: send })
  return { steps: await Array.fromAsync(triggerEvent(event, fields, client)), sent }
}

const create = 'POST /pet {"name":"Triggered","photoUrls":[]}'
const order = 'POST /store/order {"petId":11}'
const placed = ["created pet 11", "placed order 22 for pet 11"]

test("each event is caused by its operations, in order", async () => {
  const cases: Record<string, [steps: string[], sent: string[]]> = {
    "pet.created": [["created pet 11"], [create]],
    "pet.updated": [
      ["created pet 11", "renamed pet 11"],
      [create, 'PATCH /pet/11 {"name":"Triggered again"}'],
    ],
    "pet.deleted": [
      ["created pet 11", "deleted pet 11"],
      [create, "DELETE /pet/11"],
    ],
    "order.placed": [placed, [create, order]],
    "order.approved": [
      [...placed, "approved order 22"],
      [create, order, 'PATCH /store/order/22 {"status":"approved"}'],
    ],
    "order.delivered": [
      [...placed, "approved order 22", "delivered order 22"],
      [create, order, 'PATCH /store/order/22 {"status":"approved"}', 'PATCH /store/order/22 {"status":"delivered"}'],
    ],
    "order.cancelled": [
      [...placed, "cancelled order 22"],
      [create, order, "DELETE /store/order/22"],
    ],
  }
  assert.deepEqual(triggerable, Object.keys(cases))
  for (const [event, [steps, sent]] of Object.entries(cases)) assert.deepEqual(await triggered(event), { steps, sent })
})

test("the pet has the given fields", async () => {
  const { sent } = await triggered("pet.updated", { name: "Rex", status: "sold" })
  assert.deepEqual(sent, [
    'POST /pet {"name":"Rex","photoUrls":[],"status":"sold"}',
    'PATCH /pet/11 {"name":"Rex again"}',
  ])
})
