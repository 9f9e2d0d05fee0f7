import assert from "node:assert/strict"
import { test } from "node:test"
import type { Visit } from "../page.ts"
import { petHistory } from "./pet-history.ts"

type Given = { events?: object[]; orders?: object[]; moreOrders?: boolean; scopes?: string[] }

/** What a history shows: its headings, and the cells of its tables that are codes or order numbers. */
async function shown({
  events = [],
  orders = [],
  moreOrders = false,
  scopes = ["read:orders", "manage:webhooks"],
}: Given) {
  const asked: unknown[] = []
  const call = {
    listOrders: async (request: unknown) => {
      asked.push(request)
      return { value: orders, next: moreOrders ? "next" : undefined }
    },
    listEvents: async (request: unknown) => {
      asked.push(request)
      return { value: events }
    },
    listWebhooks: async () => ({ value: [] }),
  }
  const service = { now: () => 0 }
  const visit = { call, service, scopes: new Set(scopes), root: "/console", mayGo: () => false }
  const { text } = await petHistory(visit as unknown as Visit, 7)
  const headings = [...text.matchAll(/<div class="heading">(.*?)<\/div>/g)].map(([, heading]) => heading)
  const ids = [...text.matchAll(/data-key="([^"]*)"/g)].map(([, id]) => id)
  const empty = [...text.matchAll(/<p class="empty">(.*?)<\/p>/g)].map(([, sentence]) => sentence)
  return { headings, ids, empty, asked, text }
}

const event = (id: number, petId = 7) => ({
  id: `evt_${id}`,
  event: "pet.updated",
  data: { id: petId, name: "Rex" },
  timestamp: "1970-01-01T00:00:00.000Z",
})
const many = (count: number, petId = 7) => Array.from({ length: count }, (_, n) => event(n, petId))
const all = (what: string) =>
  `<h2>${what[0]?.toUpperCase()}${what.slice(1)}</h2><a href="/console/${what}?petId=7">All ${what} of this pet</a>`
const deliveries = '<h2>Deliveries</h2><a href="/console/webhooks">All webhooks</a>'

test("a pet's history has the parts that the visitor may see", async () => {
  const { headings, empty, asked } = await shown({})
  assert.deepEqual(headings, ["<h2>Orders</h2>", "<h2>Events</h2>", deliveries])
  assert.deepEqual(empty, [
    "There are no orders of this pet.",
    "There are no events of this pet.",
    "These events were sent to no webhook.",
  ])
  assert.deepEqual(asked, [{ query: { petId: 7, limit: 5 } }, { query: { sort: "-id", limit: 1000 } }])
  assert.deepEqual((await shown({ scopes: ["read:orders"] })).headings, ["<h2>Orders</h2>"])
  assert.deepEqual((await shown({ scopes: ["manage:webhooks"] })).headings, ["<h2>Events</h2>", deliveries])
  assert.equal((await shown({ scopes: [] })).text.trim(), "")
})

test("the newest orders are rows, and all of them are a link when there are more", async () => {
  const order = { id: 3, petId: 7, status: "placed", quantity: 2 }
  const { text, headings } = await shown({ orders: [order], moreOrders: true })
  assert.equal(headings[0], all("orders"))
  assert.ok(
    text.includes(
      '<td role="cell" class="kind-id head"><a href="/console/orders/3">Order 3</a></td><td role="cell" class="kind-badge" data-label="Status"><span class="badge busy">placed</span></td><td role="cell" class="kind-number" data-label="Quantity">2</td><td role="cell" class="kind-time" data-label="Ships">no date</td>',
    ),
  )
})

test("five events of the pet are shown, and all of them are a link when there are or may be more", async () => {
  const five = await shown({ events: [...many(5), ...many(5, 8)] })
  assert.deepEqual([five.ids, five.headings[1]], [["evt_0", "evt_1", "evt_2", "evt_3", "evt_4"], "<h2>Events</h2>"])
  const six = await shown({ events: many(6) })
  assert.deepEqual([six.ids.length, six.headings[1]], [5, all("events")])
  assert.equal((await shown({ events: many(999, 8) })).headings[1], "<h2>Events</h2>")
  const unsure = await shown({ events: many(1000, 8) })
  assert.equal(unsure.headings[1], all("events"))
  assert.equal(unsure.empty[1], "There are no events of this pet among the latest 1000 events.")
})
