import assert from "node:assert/strict"
import { test } from "node:test"
import type { Visit } from "../page.ts"
import { deliveriesOf } from "./deliveries-of-events.ts"

type Shown = Parameters<typeof deliveriesOf>[0]

/** The deliveries that two webhooks have of events, and what is asked for. */
async function shown(counts: readonly number[], eventIds: readonly string[]) {
  const asked: unknown[] = []
  const delivery = (webhookId: number, n: number) => ({
    id: n * 2 + webhookId,
    webhookId,
    eventId: `evt_${n}`,
    event: "pet.created",
    state: "failed",
    createdAt: "1970-01-01T00:00:00.000Z",
  })
  const webhooks = [
    { id: 1, url: "https://shop.example/hook?token=secret", description: "" },
    { id: 2, url: "https://shop.example/two", description: "Two" },
  ]
  const call = {
    async listWebhooks(request: unknown) {
      asked.push(request)
      return { value: webhooks }
    },
    async listDeliveries(request: { params: { webhookId: number } }) {
      asked.push(request)
      const { webhookId } = request.params
      return { value: Array.from({ length: counts[webhookId - 1] ?? 0 }, (_, n) => delivery(webhookId, n)) }
    },
  }
  const visit = { call, root: "/console", service: { now: () => 0 } as Visit["service"] } as unknown as Shown
  const { text } = await deliveriesOf(visit, new Set(eventIds))
  return { text, asked, ids: [...text.matchAll(/deliveries\/(\d+)"/g)].map(([, id]) => Number(id)) }
}

test("the deliveries of events are rows, the newest first, by a webhook without its query", async () => {
  const { text, asked } = await shown([1, 1], ["evt_0"])
  const row = (id: number, webhook: number, name: string) =>
    `<tr role="row"><td role="cell" class="kind-text head"><a href="/console/webhooks/${webhook}/deliveries/${id}">A pet was added</a></td><td role="cell" class="kind-name" data-label="Webhook"><span class="clamp">${name}</span></td><td role="cell" class="kind-badge" data-label="State"><span class="badge bad">failed</span></td><td role="cell" class="kind-time" data-label="Created"><time datetime="1970-01-01T00:00:00.000Z" title="1970-01-01 00:00:00 UTC" data-ago>1 second ago</time></td></tr>`
  assert.ok(
    text.includes(`<tbody role="rowgroup">${row(2, 2, "Two")}${row(1, 1, "https://shop.example/hook")}</tbody>`),
  )
  assert.deepEqual(asked, [
    { query: { limit: 10 } },
    ...[1, 2].map((webhookId) => ({ params: { webhookId }, query: { limit: 100 } })),
  ])
})

test("at most ten are shown, and nothing is asked for without events", async () => {
  const events = Array.from({ length: 20 }, (_, n) => `evt_${n}`)
  assert.deepEqual((await shown([6, 5], events)).ids, [11, 10, 9, 8, 7, 6, 5, 4, 3, 2])
  assert.deepEqual((await shown([6, 5], ["evt_2", "evt_4"])).ids, [10, 9, 6, 5])
  const none = await shown([6, 5], [])
  assert.deepEqual([none.asked, none.text], [[], '<p class="empty">These events were sent to no webhook.</p>'])
  assert.equal((await shown([6, 5], ["evt_9"])).text, none.text)
})
