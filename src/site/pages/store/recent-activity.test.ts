import assert from "node:assert/strict"
import { test } from "node:test"
import { emptyList } from "../../../../test/harness/shop.ts"
import { recentActivity } from "./recent-activity.ts"
import type { ListView } from "./views.ts"

test("recent events name the pet, which has a link unless it was removed since", () => {
  const event = (kind: string, id: number, status = "sold") => {
    const data = { id, name: `Pet ${id}`, status }
    return { json: JSON.stringify({ event: kind, data, timestamp: "2026-01-02T03:04:05.678Z" }) }
  }
  const recentEvents = [
    event("pet.updated", 2),
    event("pet.created", 1),
    event("pet.deleted", 1),
    event("pet.updated", 1, "pending"),
    event("pet.deleted", 3),
    event("order.placed", 4),
  ] as unknown as ListView["recentEvents"]
  const { text } = recentActivity({ ...emptyList, recentEvents, resumeAfter: "evt_9" })
  const time = '<time datetime="2026-01-02T03:04:05.678Z">2026-01-02 03:04 UTC</time>'
  const link = (id: number) => `<a title="Pet ${id}" href="./pets/${id}">Pet ${id}</a>`
  const gone = (id: number) => `<b title="Pet ${id}">Pet ${id}</b>`
  assert.deepEqual(
    [...text.matchAll(/<li>(.*?)<\/li>/g)].map(([, entry]) => entry),
    [
      `${link(2)} is now sold ${time}`,
      `${link(1)} was added ${time}`,
      `${gone(1)} was removed ${time}`,
      `${gone(1)} is now pending ${time}`,
      `${gone(3)} was removed ${time}`,
      `${link(4)} order.placed ${time}`,
    ],
  )
  assert.match(text, /data-stream="\.\/store\/events\?after=evt_9"/)
})
