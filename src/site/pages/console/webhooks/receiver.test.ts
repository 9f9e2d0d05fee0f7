import assert from "node:assert/strict"
import { test } from "node:test"
import { Webhook } from "standardwebhooks"
import type { Visit } from "../page.ts"
import { receiverPage } from "./receiver.ts"
import type { ReceivedMessage, ReceiverResponse } from "./receiver-model.ts"

const at = Date.UTC(2026, 0, 1)
const [secret, other] = [1, 2].map((byte) => `whsec_${Buffer.alloc(24, byte).toString("base64")}`) as [string, string]

type Given = { messages?: ReceivedMessage[]; secrets?: string[]; now?: number; senders?: object[] }

/** The receiver with these messages, and the responses that it is set to. */
function open({ messages = [], secrets = [], now = at, senders = [] }: Given) {
  const chosen: ReceiverResponse[] = []
  const receiver = {
    url: "https://pets.example/receiver/1",
    messages: () => messages,
    response: () => ({ status: 200, delaySeconds: 0 }),
    respondWith: (response: ReceiverResponse) => void chosen.push(response),
    secrets: () => secrets,
  }
  const visit = {
    receiver: () => receiver,
    call: { listWebhooks: async () => ({ value: senders }) },
    root: "/console",
    path: "/receiver",
    scopes: new Set(),
    token: "T",
    service: { now: () => now },
  } as unknown as Visit
  return { visit, chosen }
}

const body = '{"event":"pet.created"}'
const message = (changed: Partial<ReceivedMessage> = {}): ReceivedMessage => ({
  id: 1,
  at: new Date(at).toISOString(),
  headers: {
    "webhook-id": "evt_1",
    "webhook-timestamp": String(at / 1000),
    "webhook-signature": new Webhook(secret).sign("evt_1", new Date(at), body),
  },
  body,
  isCut: false,
  status: 200,
  ...changed,
})

/** What the page says of a message: its event, and whether it is valid. */
async function said(given: Given, changed: Partial<ReceivedMessage> = {}) {
  const { visit } = open({ messages: [message(changed)], ...given })
  const { text } = await receiverPage.show(visit)
  return /<strong>(.*?)<\/strong> <span class="badge (\w+)">(.*?)<\/span>/.exec(text)?.slice(1)
}

test("a message is verified with each known secret, at the time when it arrived", async () => {
  const valid = ["pet.created", "good", "signature verified"]
  const later = at + 3_600_000
  assert.deepEqual(await said({ secrets: [secret] }), valid)
  assert.deepEqual(await said({ secrets: [other, secret], now: later }), valid)
  assert.deepEqual(await said({ secrets: [secret], now: at }, { at: new Date(later).toISOString() }), valid)
  const [event, kind, why] = (await said({ secrets: [other] })) ?? []
  assert.deepEqual([event, kind], ["pet.created", "bad"])
  assert.match(why ?? "", /^The signature does not match/)
  const stale = await said({ secrets: [secret], now: later }, { at: new Date(later).toISOString() })
  assert.match(stale?.[2] ?? "", /^The timestamp is stale/)
  assert.match((await said({ secrets: [secret] }, { headers: {} }))?.[2] ?? "", /^The timestamp is not a number/)
})

test("a message is not verified when only its beginning is kept, or no secret is known", async () => {
  assert.deepEqual(await said({ secrets: [secret] }, { isCut: true }), ["pet.created", "plain", "not verified"])
  assert.deepEqual(await said({}, { isCut: true }), ["pet.created", "plain", "not verified"])
  assert.deepEqual(await said({}), ["pet.created", "plain", "no secret is known"])
  assert.equal((await said({}, { body: "{}" }))?.[0], "No event")
  assert.equal((await said({}, { body: "{" }))?.[0], "Not JSON")
})

test("the page lists the webhooks that send to the receiver, and can be cleared of messages", async () => {
  const url = "https://pets.example/receiver/1"
  const senders = [
    { id: 1, url, description: "Feed" },
    { id: 2, url },
    { id: 3, url: "https://other.example", description: "Other" },
  ]
  const shown = async (messages: ReceivedMessage[]) => {
    const { text } = await receiverPage.show(open({ senders, messages }).visit)
    const names = [...text.matchAll(/<a href="\/console\/webhooks\/\d">(.*?)<\/a> sends here/g)].map(([, name]) => name)
    return [
      names,
      /data-newest="(\d+)"/.exec(text)?.[1],
      text.includes("Clear the list"),
      text.includes("first 16 KiB"),
    ]
  }
  const names = ["Feed", "Webhook 2"]
  assert.deepEqual(await shown([]), [names, "0", false, false])
  assert.deepEqual(await shown([message({ id: 7, isCut: true }), message()]), [names, "7", true, true])
  assert.deepEqual(await shown([message()]), [names, "1", true, false])
})

test("the receiver responds with a known status, after at most thirty seconds", async () => {
  const respond = async (status: string, delaySeconds: string) => {
    const { visit, chosen } = open({})
    const done = await receiverPage.actions?.respond?.(visit, new URLSearchParams({ status, delaySeconds }))
    assert.ok(done && "notice" in done)
    return [chosen[0]?.status, chosen[0]?.delaySeconds, done.notice]
  }
  assert.deepEqual(await respond("503", "0"), [503, 0, "The receiver responds with 503"])
  assert.deepEqual(await respond("503", "1"), [503, 1, "The receiver responds with 503 after 1 s"])
  assert.deepEqual(await respond("200", "30"), [200, 30, "The receiver responds with 200 after 30 s"])
  assert.deepEqual(await respond("204", "31"), [204, 30, "The receiver responds with 204 after 30 s"])
  assert.deepEqual(await respond("418", "-1"), [200, 0, "The receiver responds with 200"])
  assert.deepEqual(await respond("410", "soon"), [410, 0, "The receiver responds with 410"])
})
