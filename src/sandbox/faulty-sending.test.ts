import assert from "node:assert/strict"
import { text } from "node:stream/consumers"
import { type TestContext, test } from "node:test"
import { emptyExchange } from "../../test/harness/exchange.ts"
import { mockTimeouts } from "../../test/harness/timeouts.ts"
import type { Exchanged, WebhookFault } from "../domain/sandbox/model.ts"
import type { Outcome } from "../domain/webhooks/deliveries/model.ts"
import type { DecorateSending, Signable } from "../workers/delivery/sending/attempt.ts"
import type { Message } from "../workers/delivery/sending/send.ts"
import { defectiveSending } from "./defective-sending.ts"
import { faultySending } from "./faulty-sending.ts"

const outcome: Outcome = { at: 0, durationMs: 0, status: 204, error: undefined, answer: "ok", retryAfterMs: undefined }
const { signal } = new AbortController()
const turn = () => new Promise((resolve) => setImmediate(resolve))

function sending(...faults: (WebhookFault | undefined)[]) {
  const posted: Message[] = []
  const recorded: Exchanged[] = []
  const send = faultySending({
    rules: {
      ofMessage: () => {
        const webhooks = faults.shift()
        const rule = { rule: {}, requests: undefined, operations: [], path: undefined, draw: 0 }
        return webhooks && { ...rule, webhooks }
      },
    },
    journal: { add: (exchanged) => void recorded.push(exchanged) },
  })({
    async post(message) {
      posted.push(message)
      return outcome
    },
    async close() {},
  })
  return { send: (message: Signable) => send(message, signal), posted, recorded }
}

/** A message to a webhook; its signature shows how it was signed, and its URL how often it was held. */
function messageTo(webhookId: number, held = 0): Signable {
  return {
    webhookId,
    kind: "pet.created",
    isOrdered: false,
    sign: ({ secrets, ageMs = 0, id = "evt_1_a" } = {}) => ({
      url: `https://a.example/hook?a=1?b=${held}`,
      headers: { "webhook-id": id, "webhook-signature": `${secrets?.length ?? "own"} ${ageMs}` },
      body: "0123456789",
    }),
    async hold(waiting) {
      await waiting
      return messageTo(webhookId, held + 1)
    },
  }
}

const signatures = (posted: readonly Message[]) => posted.map(({ headers }) => headers["webhook-signature"])

test("a message without a fault is sent as it is, and not recorded", async () => {
  const { send, posted, recorded } = sending(undefined)
  assert.equal(await send(messageTo(1)), outcome)
  assert.deepEqual([signatures(posted), recorded], [["own 0"], []])
})

test("each fault is sent in its way, and recorded with what was sent last", async () => {
  for (const [kind, expected] of [
    ["duplicate", ["own 0", "own 0"]],
    ["forged", ["1 0"]],
    ["stale", ["own 3600000"]],
    ["delayed", ["own 0"]],
  ] as const) {
    const { send, posted, recorded } = sending({ kind, delay: undefined })
    const before = performance.now()
    assert.equal(await send(messageTo(4)), outcome)
    assert.deepEqual(signatures(posted), expected)
    const [one] = recorded
    const durationMs = one?.facts.durationMs ?? -1
    assert.ok(durationMs >= 0 && durationMs <= performance.now() - before)
    assert.deepEqual(one, {
      facts: {
        ...emptyExchange.facts,
        ...{
          operation: undefined,
          webhookId: 4,
          status: 204,
          fault: `webhook=${kind}`,
          durationMs,
        },
      },
      path: "https://a.example/hook",
      query: "a=1?b=0",
      requestHeaders: ["webhook-id", "evt_1_a", "webhook-signature", expected[0]],
      responseHeaders: [],
      requestBody: Buffer.from("0123456789"),
      responseBody: "ok",
    })
  }
})

/** Lets pauses end without waiting for them. */
function skipPauses(t: TestContext) {
  const timers = mockTimeouts(t)
  return async (ms: number) => {
    await turn()
    timers.tick(ms)
    await turn()
  }
}

test("a body that is truncated or slow is announced as a whole", async (t) => {
  const pass = skipPauses(t)
  const { send, posted } = sending({ kind: "truncated", delay: undefined }, { kind: "slow", delay: undefined })
  await send(messageTo(1))
  await send(messageTo(1))
  assert.deepEqual(
    posted.map(({ headers, stream }) => [headers["content-length"], stream?.readableObjectMode]),
    [
      ["10", false],
      ["10", false],
    ],
  )
  const [truncated, slow] = posted.map(({ stream }) => stream && text(stream).catch((error: Error) => error.message))
  for (let n = 0; n < 20; n++) await pass(1000)
  assert.equal(await truncated, "the rest is withheld on request")
  assert.equal(await slow, "0123456789")
})

test("a delay is waited for outside of the capacity for messages", async (t) => {
  const pass = skipPauses(t)
  const delay = { seconds: 2, jitterSeconds: 1 }
  const { send, posted, recorded } = sending({ kind: "delayed", delay })
  const sent = send(messageTo(1))
  await pass(999)
  assert.equal(posted.length, 0)
  await pass(1)
  await sent
  assert.deepEqual(
    [posted[0]?.url, recorded[0]?.facts.fault],
    ["https://a.example/hook?a=1?b=1", "wait=1, webhook=delayed"],
  )
  const zero = sending({ kind: "delayed", delay: { seconds: 0, jitterSeconds: 0 } })
  await zero.send(messageTo(1))
  assert.equal(zero.recorded[0]?.facts.fault, "webhook=delayed")
})

const reordered: WebhookFault = { kind: "reordered", delay: undefined }

test("a reordered message waits until a later one to its webhook was sent", async (t) => {
  const pass = skipPauses(t)
  const { send, posted } = sending(reordered, undefined, reordered, reordered)
  const first = send(messageTo(1))
  await pass(0)
  await send(messageTo(2))
  await pass(0)
  assert.equal(posted.length, 1, "one to another webhook is no later one")
  await send(messageTo(1))
  await first
  assert.deepEqual(
    posted.map(({ url }) => url.at(-1)),
    ["0", "0", "1"],
    "the later one is not held",
  )
  const alone = send(messageTo(1))
  await pass(4999)
  assert.equal(posted.length, 3)
  await pass(1)
  await alone
  assert.equal(posted.length, 4)
})

test("defects send an event with two ids, or with bytes that its signature does not cover", async () => {
  for (const [ids, bodies] of [
    [[], ["0123456789"]],
    [["signature-of-other-bytes"], ["0123456789\n"]],
    [["event-with-two-ids"], ["0123456789", "0123456789"]],
    [
      ["event-with-two-ids", "signature-of-other-bytes"],
      ["0123456789", "0123456789\n"],
    ],
  ] as const) {
    const posted: Message[] = []
    const sender = {
      async post(message: Message) {
        posted.push(message)
        return outcome
      },
      async close() {},
    }
    const correct: DecorateSending = (of) => (message, ending) => of.post(message.sign(), ending)
    assert.equal(await defectiveSending({ ids: new Set(ids) }, correct)(sender)(messageTo(1), signal), outcome)
    assert.deepEqual(
      posted.map(({ body }) => body),
      bodies,
    )
    assert.equal(new Set(posted.map(({ headers }) => headers["webhook-id"])).size, posted.length)
  }
})
