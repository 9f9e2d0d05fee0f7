import assert from "node:assert/strict"
import { test } from "node:test"
import { type ManualClock, manualClock } from "../../../../test/harness/clock.ts"
import type { Outcome } from "../../../domain/webhooks/deliveries/model.ts"
import type { Claim } from "../../../domain/webhooks/deliveries/store.ts"
import type { StoredWebhook } from "../../../domain/webhooks/model.ts"
import { newWebhook } from "../../../domain/webhooks/rules.ts"
import type { Span } from "../../../kernel/network/trace.ts"
import { type AttemptDeps, attempt, type Signable } from "./attempt.ts"
import type { Message } from "./send.ts"

const claim: Claim = {
  deliveryId: 5,
  webhookId: 7,
  claim: 1,
  step: 0,
  kind: "pet.updated",
  eventId: "evt_1_a",
  json: "{}" as Claim["json"],
  isTest: false,
}

/** Attempts at a webhook with these sealed secrets, of which those with an x cannot be opened. */
function attempts(send: (message: Signable) => Promise<Outcome>, secrets = ["c2VjcmV0", "x", "b3RoZXI="]) {
  const state = {
    webhook: { ...newWebhook({ url: "https://a.example/", events: ["*"] }, 1, 0), id: 7 } as StoredWebhook | undefined,
    secrets,
  }
  const clock: ManualClock = manualClock(1000)
  const realClock = manualClock(9000)
  const lines: object[] = []
  const counted: Outcome[] = []
  const deps = {
    store: { webhooks: { read: async () => state.webhook, secrets: async () => state.secrets } },
    clock,
    realClock,
    sealing: {
      open(secret: string) {
        if (secret === "x") throw new Error("sealed by another key")
        return secret
      },
    },
    send,
    log: { info: (line: object) => void lines.push(line) },
    count: (outcome: Outcome) => void counted.push(outcome),
  } as unknown as AttemptDeps
  const held: Promise<unknown>[] = []
  const hold = async (waiting: Promise<unknown>) => {
    held.push(waiting)
    await waiting
  }
  const make = (more: Partial<Claim> = {}, span?: Span) =>
    attempt(deps, { ...claim, ...more }, new AbortController().signal, hold, span)
  return { make, state, clock, realClock, lines, counted, held }
}

const delivered: Outcome = {
  at: 0,
  durationMs: 12,
  status: 200,
  error: undefined,
  answer: "",
  retryAfterMs: undefined,
}

test("a message is sent with a signature of each secret that can be opened, and its outcome is logged and counted", async () => {
  const sent: Message[] = []
  const { make, lines, counted } = attempts(async (message) => {
    const { sign, hold: _, ...facts } = message
    assert.deepEqual(facts, { webhookId: 7, kind: "pet.updated", isOrdered: false })
    sent.push(sign(), sign({ ageMs: 3000, id: "other", secrets: ["c2VjcmV0"] }))
    return delivered
  })
  const outcome = { ...delivered, at: 1000 }
  assert.deepEqual(await make(), outcome)
  assert.deepEqual(counted, [outcome])
  assert.deepEqual(lines, [
    {
      delivery: 5,
      webhook: 7,
      event: "evt_1_a",
      kind: "pet.updated",
      durationMs: 12,
      "http.response.status_code": 200,
      "error.type": undefined,
    },
  ])
  const facts = sent.map(({ url, headers, body }) => ({
    url,
    body,
    id: headers["webhook-id"],
    at: headers["webhook-timestamp"],
    signatures: headers["webhook-signature"]?.split(" ").length,
  }))
  assert.deepEqual(facts, [
    { url: "https://a.example/", body: "{}", id: "evt_1_a", at: "9", signatures: 2 },
    { url: "https://a.example/", body: "{}", id: "other", at: "6", signatures: 1 },
  ])
})

test("a traced attempt has its result and its subject in its span, and the trace in the message and in the log", async () => {
  const noted: object[] = []
  const span: Span = {
    traceId: "t",
    spanId: "s",
    headers: { traceparent: "00-t-s-01" },
    note: (facts) => void noted.push(facts),
    rename: () => assert.fail("renamed"),
    end: () => assert.fail("ended"),
  }
  const sent: Message[] = []
  const failed = { ...delivered, status: 500, error: "status" as const }
  const { make, lines } = attempts(async (message) => {
    sent.push(message.sign())
    return failed
  })
  await make({}, span)
  const result = { "http.response.status_code": 500, "error.type": "status" }
  assert.deepEqual(noted, [{ ...result, "petstore.delivery": 5, "petstore.webhook": 7, "petstore.event": "evt_1_a" }])
  assert.equal(sent[0]?.headers.traceparent, "00-t-s-01")
  assert.deepEqual(lines, [
    {
      delivery: 5,
      webhook: 7,
      event: "evt_1_a",
      kind: "pet.updated",
      durationMs: 12,
      ...result,
      trace_id: "t",
      span_id: "s",
    },
  ])
})

test("without a secret that can be opened, nothing is sent", async () => {
  for (const secrets of [["x"], []]) {
    const { make, counted } = attempts(() => assert.fail("sent"), secrets)
    const outcome = {
      ...delivered,
      at: 1000,
      durationMs: 0,
      status: undefined,
      answer: undefined,
      error: "unreadable-secret",
    }
    assert.deepEqual(await make(), outcome)
    assert.deepEqual(counted, [outcome])
  }
})

test("no attempt is made at a webhook that does not exist, or when it is aborted", async () => {
  const deleted = attempts(() => assert.fail("sent"))
  deleted.state.webhook = undefined
  assert.equal(await deleted.make(), undefined)
  const aborted = attempts(() => Promise.reject(new Error("aborted")))
  assert.equal(await aborted.make(), "not made")
  assert.deepEqual([...deleted.lines, ...aborted.lines], [])
})

test("on a frozen clock an attempt takes no time", async () => {
  const { make, clock, lines } = attempts(async () => delivered)
  clock.isFrozen = () => false
  assert.deepEqual(await make(), { ...delivered, at: 1000 })
  clock.isFrozen = () => true
  assert.deepEqual(await make(), { ...delivered, at: 1000, durationMs: 0 })
  assert.equal(lines.length, 2)
})

test("a message that was held is sent at that time, to the webhook as it is then, if it is still accepted", async () => {
  /** The webhook and its secrets change before the message is held, twice. */
  function heldAt(change: Partial<StoredWebhook> | undefined, secrets = ["c2VjcmV0"]) {
    const urls: string[] = []
    const made = attempts(async (message) => {
      made.clock.advance(500)
      made.state.webhook = change && ({ ...made.state.webhook, ...change } as StoredWebhook)
      made.state.secrets = secrets
      const later = await message.hold(Promise.resolve())
      urls.push((await later.hold(Promise.resolve())).sign().url)
      return delivered
    })
    return { ...made, urls }
  }
  const moved = heldAt({ url: "https://b.example/" })
  assert.deepEqual(await moved.make(), { ...delivered, at: 1500 })
  assert.deepEqual([moved.urls, moved.held.length], [["https://b.example/"], 2])
  assert.equal(await heldAt({ status: "paused" }).make(), "not made")
  assert.deepEqual(await heldAt({ status: "paused" }).make({ isTest: true }), { ...delivered, at: 1500 })
  assert.equal(await heldAt(undefined).make(), "not made")
  assert.equal(await heldAt({}, ["x"]).make(), "not made")
})
