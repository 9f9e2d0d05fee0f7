import assert from "node:assert/strict"
import { test } from "node:test"
import type { Visit } from "../page.ts"
import { eventTable } from "./event-table.ts"
import { eventsPage } from "./events.ts"
import { isAboutPet } from "./pet-of-event.ts"

const event = (id: number, kind = "pet.updated", petId = 7) => ({
  id: `evt_${id}`,
  event: kind,
  data: { id: petId, name: "Rex" },
  timestamp: "1970-01-01T00:00:00.000Z",
})

/** The events on the page of a query, where the feed has these, and what was asked for. */
async function shown(search: string, feed: object[]) {
  const asked: unknown[] = []
  const listEvents = async ({ query }: { query: { limit: number } }) => {
    asked.push(query)
    return { value: feed.slice(0, query.limit), request: { method: "GET", target: "/events" } }
  }
  const service = { now: () => 0, publicUrl: () => "https://pets.example" }
  const query = new URLSearchParams(search)
  const visit = { call: { listEvents }, service, query, root: "/console", path: "/events", mayGo: () => true }
  const { text } = await eventsPage.show(visit as unknown as Visit)
  return {
    asked: asked[0],
    ids: [...text.matchAll(/data-key="evt_(\d+)"/g)].map(([, id]) => Number(id)),
    next: /href="[^"]*cursor=(\w+)[^"]*" rel="next"/.exec(text)?.[1],
    empty: /<p class="empty">(.*?)<\/p>/.exec(text)?.[1],
    isLive: text.includes('data-live="/console/events/stream"'),
  }
}
const numbers = (count: number, first = 0) => Array.from({ length: count }, (_, n) => n + first)

test("a page has as many events as it may, and leads to the next one if there are more", async () => {
  const feed = (count: number) => numbers(count).map((n) => event(n))
  const full = await shown("", feed(25))
  assert.deepEqual(
    [full.asked, full.ids, full.next, full.isLive],
    [{ sort: "-id", limit: 26 }, numbers(25), undefined, true],
  )
  const more = await shown("limit=50&cursor=evt_9", feed(51))
  assert.deepEqual(more.asked, { sort: "-id", limit: 51, after: "evt_9" })
  assert.deepEqual([more.ids, more.next, more.isLive], [numbers(50), "evt_49", false])
})

test("events of a kind or a pet are sought among a thousand", async () => {
  const rare = numbers(30).map((n) => event(n, n % 10 === 0 ? "pet.created" : "pet.updated", n % 2 ? 7 : 8))
  const created = await shown("kind=pet.created", rare)
  assert.deepEqual([created.asked, created.ids, created.next], [{ sort: "-id", limit: 1000 }, [0, 10, 20], undefined])
  assert.deepEqual(
    (await shown("petId=7&kind=pet.updated", rare)).ids,
    numbers(15).map((n) => n * 2 + 1),
  )
  assert.deepEqual((await shown("petId=8&kind=pet.created", rare)).ids, [0, 10, 20])
  assert.equal((await shown("petId=9", rare)).empty, "No events match.")
  const long = numbers(1200).map((n) => event(n, n < 26 ? "pet.created" : "pet.updated"))
  assert.equal((await shown("kind=pet.created", long)).next, "evt_24")
  const unsure = await shown("kind=pet.deleted", long)
  assert.equal(unsure.next, "evt_999")
  assert.equal(unsure.empty, "No events match among these 1000 events: go to the next page for earlier ones.")
  const none = 'There are no events yet. <a href="/console/pets/new">Add a pet</a> to create one.'
  assert.equal((await shown("", [])).empty, none)
})

test("an event is about its pet, or about the pet of its order", () => {
  assert.equal(isAboutPet({ event: "pet.deleted", data: { id: 7 } }, 7), true)
  assert.equal(isAboutPet({ event: "pet.deleted", data: { id: 7 } }, 8), false)
  assert.equal(isAboutPet({ event: "order.placed", data: { id: 7, petId: 8 } }, 8), true)
  assert.equal(isAboutPet({ event: "order.placed", data: { id: 7, petId: 8 } }, 7), false)
  assert.equal(isAboutPet({ event: "webhook.test", data: { id: 7 } }, 7), false)
})

test("an event leads to what it is about, unless that was deleted", () => {
  const visit = { service: { now: () => 0 }, root: "/console", mayGo: () => true } as unknown as Visit
  type Shown = Parameters<typeof eventTable>[1][number]
  const subjectOf = (kind: Shown["event"], data: object) => {
    const row = { id: "evt_1", event: kind, data, timestamp: "1970-01-01T00:00:00.000Z" }
    const { text } = eventTable(visit, [row], "")
    return /data-label="Subject">(?:<span class="clamp">)?(.*?)(?:<\/span>)?<\/td>/.exec(text)?.[1]
  }
  const link = (path: string, words: string) => `<a href="/console/${path}">${words}</a>`
  assert.equal(subjectOf("pet.updated", { id: 7, name: "Rex" }), link("pets/7", "Rex"))
  assert.equal(subjectOf("pet.deleted", { id: 7, name: "Rex" }), "Rex")
  assert.equal(subjectOf("pet.deleted", { id: 7 }), "")
  assert.equal(subjectOf("order.placed", { id: 3, petId: 7 }), link("orders/3", "Order 3"))
  assert.equal(
    subjectOf("webhook.disabled", { id: 2, url: "https://x.example" }),
    link("webhooks/2", "https://x.example"),
  )
  assert.equal(subjectOf("webhook.test", { webhookId: 2 }), link("webhooks/2", "Webhook 2"))
})
