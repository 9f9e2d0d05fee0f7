import assert from "node:assert/strict"
import { test } from "node:test"
import { manualClock } from "../../../test/harness/clock.ts"
import type { Outcome } from "../../domain/webhooks/deliveries/model.ts"
import type { Claim, Due } from "../../domain/webhooks/deliveries/store.ts"
import type { Lane } from "../../domain/webhooks/model.ts"
import { newWebhook } from "../../domain/webhooks/rules.ts"
import { type DeliveryDeps, deliveryOf } from "./delivery.ts"
import type { Signable } from "./sending/attempt.ts"

const delivered: Outcome = { at: 0, durationMs: 1, status: 200, error: undefined, answer: "", retryAfterMs: undefined }

/** Deliveries of webhooks with these numbers of due ones; each webhook belongs to the account of the same number. */
function deliveries(
  dueOf: Partial<Record<Lane, Record<number, number>>>,
  send: (message: Signable) => Promise<Outcome>,
) {
  const calls: string[] = []
  const lines: string[] = []
  const dueAgain: number[] = []
  const clock = manualClock(1000)
  let published = 3
  let claims = 0
  const state = { fails: false }
  const left = new Map(
    Object.values(dueOf).flatMap((webhooks) => Object.entries(webhooks).map(([id, n]) => [Number(id), n])),
  )
  const tx = {
    events: { publish: async () => (published-- > 1 ? 1 : 0) },
    deliveries: {
      async claim(webhookId: number, count: number, at: number, leaseEnd: number): Promise<Claim[]> {
        calls.push(`claim ${webhookId} ${count} ${at} ${leaseEnd - at}`)
        const taken = Math.min(count, left.get(webhookId) ?? 0)
        left.set(webhookId, (left.get(webhookId) ?? 0) - taken)
        return Array.from({ length: taken }, () => {
          const kind = "pet.updated" as const
          const json = "{}" as Claim["json"]
          return { deliveryId: ++claims, webhookId, claim: 1, step: 0, kind, eventId: "e", json, isTest: false }
        })
      },
      async settle({ deliveryId }: Claim, _: Outcome, { dueAt }: { dueAt: number }) {
        calls.push(`settle ${deliveryId}`)
        dueAgain.push(dueAt)
        if (state.fails) throw new Error("away")
        return false
      },
      release: async ({ deliveryId }: Claim, at: number) => void calls.push(`release ${deliveryId} ${at}`),
    },
    webhooks: { lock: async () => undefined },
  }
  const store = {
    transaction: (work: (parts: unknown) => Promise<unknown>) => work(tx),
    deliveries: {
      async due(lane: Lane, at: number, limit: number): Promise<Due[]> {
        if (calls.length === 0) calls.push(`due ${at} ${limit}`)
        const webhooks = Object.keys(dueOf[lane] ?? {}).map(Number)
        return webhooks
          .filter((id) => (left.get(id) ?? 0) > 0)
          .map((webhookId) => ({ webhookId, accountId: webhookId, dueAt: 0 }))
      },
    },
    webhooks: {
      read: async (id: number) => ({ ...newWebhook({ url: "https://a.example/", events: ["*"] }, id, 0), id }),
      secrets: async () => ["c2VjcmV0"],
    },
  }
  let wakes = 0
  const deps = {
    store,
    clock,
    realClock: clock,
    sealing: { open: (secret: string) => secret },
    send,
    random: () => 0,
    log: { info: () => undefined, error: (_: object, text: string) => void lines.push(text) },
  } as unknown as DeliveryDeps
  const delivery = deliveryOf(deps, () => void wakes++)
  const start = (mayStart = () => true) => delivery.startDue(mayStart, new AbortController().signal)
  const ended = () => Promise.all(delivery.running.values())
  return {
    ...delivery,
    start,
    ended,
    calls,
    lines,
    dueAgain,
    clock,
    state,
    wakes: () => wakes,
    published: () => published,
  }
}

test("events are published, and due deliveries are claimed in the order of their webhooks and attempted", async () => {
  const made = deliveries({ quick: { 7: 2 }, new: { 3: 1 }, slow: { 5: 1 } }, async () => delivered)
  assert.equal(await made.start(), false)
  assert.equal(made.published(), 0, "until none is left")
  const claimed = made.calls.splice(0).filter((call) => !call.startsWith("settle"))
  assert.deepEqual(claimed.slice(0, 4), [
    "due 1000 1024",
    "claim 3 1 1000 60000",
    "claim 5 2 1000 60000",
    "claim 7 16 1000 60000",
  ])
  await made.ended()
  assert.deepEqual([made.running.size, made.wakes()], [0, 4])
})

test("the delay before another attempt varies by a tenth, but not on a frozen clock", async () => {
  const failed: Outcome = { ...delivered, durationMs: 0, status: 500, error: "status" }
  const dueAgain = async (isFrozen: boolean) => {
    const made = deliveries({ quick: { 7: 1 } }, async () => failed)
    made.clock.isFrozen = () => isFrozen
    await made.start()
    await made.ended()
    return made.dueAgain.map((at) => at - made.clock.now())
  }
  assert.deepEqual([await dueAgain(false), await dueAgain(true)], [[4_500], [5_000]])
})

test("when nothing may start, nothing is claimed", async () => {
  const made = deliveries({ quick: { 7: 2 } }, () => assert.fail("sent"))
  assert.equal(await made.start(() => false), false)
  assert.deepEqual(made.calls, ["due 1000 1024"])
})

test("it says whether more are due than there is capacity for", async () => {
  const { promise, resolve } = Promise.withResolvers<Outcome>()
  const busy = deliveries({ new: { 3: 2 } }, () => promise)
  assert.equal(await busy.start(), true, "a new webhook gets one attempt at a time")
  assert.equal(busy.running.size, 1)
  resolve(delivered)
  await busy.ended()
  assert.equal(await busy.start(), false)
  await busy.ended()
})

test("an attempt that was not made releases its claim, as of when it began", async () => {
  const made = deliveries({ quick: { 7: 1 } }, async () => {
    made.clock.advance(50)
    throw new Error("aborted")
  })
  await made.start()
  await made.ended()
  assert.deepEqual(made.calls.slice(-1), ["release 1 1000"])
})

test("an outcome that cannot be recorded is logged", async () => {
  const made = deliveries({ quick: { 7: 1 } }, async () => delivered)
  made.state.fails = true
  await made.start()
  await made.ended()
  assert.deepEqual([made.lines, made.running.size, made.wakes()], [["attempt could not be recorded"], 0, 1])
})

test("a message that is held back leaves its capacity to others until it is sent", async () => {
  const { promise: waited, resolve: end } = Promise.withResolvers<void>()
  const slots = () => [...made.running.keys()].map(({ isHeld, since }) => ({ isHeld, since }))
  const seen: unknown[] = []
  const made = deliveries({ quick: { 7: 1 } }, async (message) => {
    seen.push(slots())
    await message.hold(waited)
    seen.push(slots())
    return delivered
  })
  await made.start()
  await new Promise(setImmediate)
  assert.deepEqual([slots(), made.wakes()], [[{ isHeld: true, since: 1000 }], 1])
  made.clock.advance(70)
  end()
  await made.ended()
  assert.deepEqual(seen, [[{ isHeld: false, since: 1000 }], [{ isHeld: false, since: 1070 }]])
  assert.equal(made.wakes(), 2)
})
