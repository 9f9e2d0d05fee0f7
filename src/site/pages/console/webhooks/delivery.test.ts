import assert from "node:assert/strict"
import { test } from "node:test"
import type { Attempt } from "../../../../domain/webhooks/deliveries/contract.ts"
import type { Visit } from "../page.ts"
import { deliveryPage } from "./delivery.ts"

const now = Date.parse("2026-01-01T00:00:00.000Z")
const at = (ms: number) => new Date(now + ms).toISOString()

/** The page of a delivery, as its lines. */
async function shown(changed: object, description?: string): Promise<string[]> {
  const webhook = { id: 2, url: "https://shop.example/hook?a=1", description }
  const delivery = {
    id: 3,
    webhookId: 2,
    eventId: "evt_1",
    event: "pet.created",
    state: "pending",
    attempts: 0,
    log: [],
  }
  const call = {
    getWebhook: async () => ({ value: webhook }),
    getDelivery: async () => ({
      value: { ...delivery, body: "é", ...changed },
      request: { method: "GET", target: "/x" },
    }),
  }
  const service = { now: () => now, publicUrl: () => "https://pets.example" }
  const params = { webhookId: "2", deliveryId: "3" }
  const visit = { call, service, params, root: "/console", path: "/webhooks/2/deliveries/3", token: "T" }
  return (await deliveryPage.show(visit as unknown as Visit)).text.split("\n")
}

test("the page says how far a delivery is", async () => {
  const next = "The next attempt follows in 5 seconds, at"
  const states: [object, string][] = [
    [{ state: "delivered", attempts: 1 }, "Delivered after 1 attempt."],
    [{ state: "delivered", attempts: 2 }, "Delivered after 2 attempts."],
    [{ state: "failed", attempts: 9, nextAttemptAt: at(1) }, "Failed after 9 attempts."],
    [{ attempts: 1 }, "Failed after 1 attempt."],
    [{ attempts: 0, nextAttemptAt: at(0) }, "0 attempts so far. The next attempt is due now."],
    [{ attempts: 1, nextAttemptAt: at(-1) }, "1 attempt so far. The next attempt is due now."],
    [
      { attempts: 1, nextAttemptAt: at(5_000) },
      `1 attempt so far. ${next} <time datetime="${at(5_000)}">2026-01-01 00:00:05 UTC</time>.`,
    ],
    [
      { attempts: 1, nextAttemptAt: at(1) },
      `1 attempt so far. The next attempt follows in 1 second, at <time datetime="${at(1)}">2026-01-01 00:00:00 UTC</time>.`,
    ],
  ]
  for (const [changed, words] of states) assert.ok((await shown(changed)).includes(`<p>${words}</p>`), words)
})

test("the request has the headers of its latest attempt, and a body in bytes", async () => {
  const headers = async (log: Attempt[]) =>
    /<dl class="headers">.*?<\/dl>/s.exec((await shown({ log })).join("\n"))?.[0].replaceAll("\n", "")
  const fact = (name: string, value: string) => `<dt>${name}</dt><dd><code>${value}</code></dd>`
  const known = [fact("content-length", "2"), fact("webhook-id", "evt_1")].join("")
  const unsigned = "<dt>webhook-signature</dt><dd>computed for each attempt, not stored</dd></dl>"
  const time = "<dt>webhook-timestamp</dt><dd>the time of the attempt, in seconds since 1970</dd>"
  assert.ok((await headers([]))?.startsWith(`<dl class="headers">${fact("host", "shop.example")}`))
  assert.ok((await headers([]))?.endsWith(`${known}${time}${unsigned}`))
  const log = [0, 9_000].map((ms) => ({ at: at(ms), durationMs: 1, status: 500 }))
  assert.ok((await headers(log))?.endsWith(`${known}${fact("webhook-timestamp", `${now / 1000 + 9}`)}${unsigned}`))
})

test("the latest fifty attempts are listed, the newest first", async () => {
  const log = (count: number) =>
    Array.from({ length: count }, (_, n) => ({
      at: at(n),
      durationMs: n,
      answer: `response ${n}`,
      ...(n > 0 && { status: n }),
    }))
  const attempts = (page: string[]) => page.filter((line) => line.startsWith("<p><strong>"))
  assert.ok((await shown({})).some((line) => line.startsWith('<p class="empty">There are no attempts yet.')))
  const fifty = await shown({ log: log(50) })
  assert.deepEqual(
    [attempts(fifty).length, attempts(fifty)[49]],
    [50, '<p><strong>connection lost</strong> <span class="badge good">delivered</span></p>'],
  )
  assert.ok(!fifty.some((line) => line.includes("The latest")))
  const more = await shown({ log: log(51) })
  assert.ok(more.includes('<p class="soft">The latest 50 of 51 attempts.</p>'))
  assert.deepEqual(
    [attempts(more).length, attempts(more)[49]],
    [50, '<p><strong>1</strong> <span class="badge good">delivered</span></p>'],
  )
  assert.ok(
    more.includes('<pre class="wrap" tabindex="0" role="region" aria-label="Response to attempt 51">response 50</pre>'),
  )
  const failed = await shown({ log: [{ at: at(0), durationMs: 7, error: "tls" }] })
  assert.deepEqual(
    failed
      .slice(failed.indexOf('<p><strong>TLS failed</strong> <span class="badge bad">failed</span></p>'), -1)
      .slice(1, 3),
    [
      `<p class="soft"><time datetime="${at(0)}">2026-01-01 00:00:00 UTC</time> <span class="soft age">(<time datetime="${at(0)}" data-ago>1 second ago</time>)</span>, took 7 ms, webhook-timestamp <code>${now / 1000}</code></p>`,
      '<p class="soft">No response body.</p>',
    ],
  )
})

test("a delivery leads back to its webhook, by its description or its address", async () => {
  const back = async (description?: string) =>
    /<p class="back"><a href="\/console\/webhooks\/2">(.*?)</.exec((await shown({}, description)).join(""))?.[1]
  assert.deepEqual([await back("Feed"), await back()], ["Feed", "https://shop.example/hook?a=1"])
})
