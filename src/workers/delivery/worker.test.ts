import assert from "node:assert/strict"
import { test } from "node:test"
import { manualClock } from "../../../test/harness/clock.ts"
import { turns } from "../../../test/harness/turns.ts"
import type { Change } from "../../domain/ports/store.ts"
import type { Outcome } from "../../domain/webhooks/deliveries/model.ts"
import type { Claim } from "../../domain/webhooks/deliveries/store.ts"
import { newWebhook } from "../../domain/webhooks/rules.ts"
import { createDeliveryWorker } from "./worker.ts"

const delivered: Outcome = { at: 0, durationMs: 1, status: 200, error: undefined, answer: "", retryAfterMs: undefined }

/** A worker with so many due deliveries of one webhook, which are sent when a test ends them. */
function workerWith(due: number) {
  const events: string[] = []
  const sending: ((outcome: Outcome) => void)[] = []
  const state = { due, fails: false, listens: true as boolean | Promise<boolean> }
  let listener = (_: ReadonlySet<Change>): void => undefined
  let claims = 0
  const tx = {
    events: { publish: async () => 0 },
    deliveries: {
      async claim(webhookId: number, count: number): Promise<Claim[]> {
        const taken = Math.min(count, state.due)
        state.due -= taken
        const kind = "pet.updated" as const
        const json = "{}" as Claim["json"]
        return Array.from({ length: taken }, () => {
          const deliveryId = ++claims
          return { deliveryId, webhookId, claim: 1, step: 0, kind, eventId: "e", json, isTest: false }
        })
      },
      settle: async ({ deliveryId }: Claim) => void events.push(`settle ${deliveryId}`),
      release: async ({ deliveryId }: Claim) => void events.push(`release ${deliveryId}`),
    },
    webhooks: { lock: async () => undefined },
  }
  const store = {
    transaction: (work: (parts: unknown) => Promise<unknown>) => work(tx),
    onCommit(added: typeof listener) {
      listener = added
      return () => void events.push("stopped listening")
    },
    deliveries: {
      async due(lane: string) {
        if (state.fails) throw new Error("away")
        events.push(`due ${lane}`)
        return lane === "quick" && state.due > 0 ? [{ webhookId: 1, accountId: 1, dueAt: 0 }] : []
      },
    },
    webhooks: {
      read: async (id: number) => ({ ...newWebhook({ url: "https://a.example/", events: ["*"] }, 1, 0), id }),
      secrets: async () => ["c2VjcmV0"],
      anyListens: () => state.listens,
    },
  }
  const sender = {
    post: (_: unknown, signal: AbortSignal) =>
      new Promise<Outcome>((resolve, reject) => {
        sending.push(resolve)
        if (signal.aborted) reject(signal.reason)
        signal.addEventListener("abort", () => reject(signal.reason))
      }),
    close: async () => void events.push("closed"),
  }
  const clock = manualClock(1000)
  const worker = createDeliveryWorker({
    store,
    clock,
    realClock: clock,
    sender,
    sealing: { open: (secret: string) => secret },
    log: { info: () => undefined, error: (_: object, text: string) => void events.push(text) },
  } as unknown as Parameters<typeof createDeliveryWorker>[0])
  const ticks = () => events.splice(0).filter((event) => event === "due quick").length
  const commit = (change: Change) => listener(new Set([change]))
  return { worker, sending, events, state, ticks, commit }
}

test("a tick attempts what is due, and the worker is idle when nothing runs", async () => {
  const { worker, sending, events } = workerWith(2)
  assert.deepEqual([worker.attempts(), worker.isAttempting()], [0, false])
  await worker.idle()
  await worker.tick()
  await turns()
  assert.deepEqual([worker.isAttempting(), sending.length, worker.attempts()], [true, 2, 0])
  let isIdle = false
  const idle = worker.idle().then(() => (isIdle = true))
  await turns()
  assert.equal(isIdle, false)
  for (const end of sending) end(delivered)
  await idle
  assert.deepEqual([worker.isAttempting(), worker.attempts()], [false, 2])
  assert.deepEqual(
    events.filter((event) => event.startsWith("settle")),
    ["settle 1", "settle 2"],
  )
})

test("the worker is not idle while it is unknown whether a webhook listens", async (t) => {
  t.mock.timers.enable({ apis: ["setInterval"] })
  const { worker, state, events, commit } = workerWith(0)
  worker.start()
  await worker.idle()
  assert.deepEqual(events.toSorted(), ["due new", "due quick", "due slow"], "nor while it looks for what is due")
  await turns()
  const { promise, resolve } = Promise.withResolvers<boolean>()
  state.listens = promise
  commit("event-added")
  let isIdle = false
  const idle = worker.idle().then(() => (isIdle = true))
  await turns()
  assert.equal(isIdle, false)
  resolve(false)
  await idle
  await worker.drain(new AbortController().signal)
})

test("a pause aborts attempts and starts none until it ends", async () => {
  const { worker, sending, events, state, ticks } = workerWith(1)
  await worker.tick()
  await turns()
  const resume = await worker.pause()
  assert.ok(events.includes("release 1"))
  assert.equal(worker.isAttempting(), false)
  ticks()
  state.due = 1
  await worker.tick()
  assert.equal(ticks(), 0)
  resume()
  await turns()
  assert.ok(ticks() > 0)
  assert.equal(sending.length, 2)
  sending[1]?.(delivered)
  await worker.idle()
  assert.equal(worker.attempts(), 1)
})

test("draining waits for running attempts, until the deadline aborts them, and closes connections", async () => {
  const { worker, sending, events, state } = workerWith(1)
  worker.start()
  await turns()
  const deadline = new AbortController()
  const draining = worker.drain(deadline.signal)
  await turns()
  assert.deepEqual([events.includes("stopped listening"), events.includes("closed")], [true, false])
  state.due = 1
  sending[0]?.(delivered)
  await draining
  assert.deepEqual(events.slice(-2), ["settle 1", "closed"])
  assert.equal(sending.length, 1, "no other attempt starts")

  for (const abort of [(controller: AbortController) => void controller.abort(), undefined]) {
    const late = workerWith(1)
    await late.worker.tick()
    await turns()
    const controller = new AbortController()
    if (!abort) controller.abort()
    const drained = late.worker.drain(controller.signal)
    await turns()
    abort?.(controller)
    await drained
    assert.deepEqual(late.events.slice(-2), ["release 1", "closed"])
  }
})

test("when more is due than there is capacity for, it is tried again a tenth of a second later", async (t) => {
  t.mock.timers.enable({ apis: ["setTimeout", "setInterval"] })
  const { worker, sending, state, ticks } = workerWith(17)
  await worker.tick()
  await turns()
  assert.deepEqual([sending.length, state.due], [16, 1])
  ticks()
  t.mock.timers.tick(99)
  await turns()
  assert.equal(ticks(), 0)
  t.mock.timers.tick(1)
  await turns()
  assert.ok(ticks() > 0)
  for (const end of sending) end(delivered)
  await turns()
  for (const end of sending) end(delivered)
  await worker.idle()
  assert.equal(worker.attempts(), 17)
  t.mock.timers.tick(1000)
  await turns()
  ticks()
  t.mock.timers.tick(1000)
  await turns()
  assert.equal(ticks(), 0, "nothing is due any more")
  const controller = new AbortController()
  controller.abort()
  await worker.drain(controller.signal)
})

test("a failure of the store is logged, and the worker continues", async (t) => {
  t.mock.timers.enable({ apis: ["setInterval", "setTimeout"] })
  const { worker, events, state, ticks } = workerWith(0)
  state.fails = true
  worker.start()
  await turns()
  assert.deepEqual(events.splice(0), ["due deliveries could not be read"])
  state.fails = false
  t.mock.timers.tick(1000)
  await turns()
  assert.equal(ticks(), 1)
  await worker.drain(new AbortController().signal)
})
