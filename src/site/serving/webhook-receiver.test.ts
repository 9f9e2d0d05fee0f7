import assert from "node:assert/strict"
import { EventEmitter } from "node:events"
import { Readable } from "node:stream"
import { test } from "node:test"
import { setImmediate } from "node:timers/promises"
import { mockTimeouts } from "../../../test/harness/timeouts.ts"
import type { AccountStore } from "../../domain/accounts/store.ts"
import type { Exchange } from "../../server/exchange/exchange.ts"
import { createWebhookReceivers } from "./webhook-receiver.ts"

const open = () =>
  createWebhookReceivers({
    publicUrl: () => "https://petstore.example",
    clock: { now: () => 0 },
    store: { accounts: { read: async () => undefined } },
  })

test("a receiver trusts its latest twenty secrets, each once, the newest first", () => {
  const receiver = open().of(1)
  for (const secret of ["a", "b", "a"]) receiver.trust(secret)
  assert.deepEqual(receiver.secrets(), ["a", "b"])
  for (let n = 0; n < 20; n++) receiver.trust(`secret ${n}`)
  assert.deepEqual(
    receiver.secrets(),
    Array.from({ length: 20 }, (_, n) => `secret ${19 - n}`),
  )
})

test("the ten accounts that used their receiver last keep what it knows", () => {
  const receivers = open()
  for (let account = 1; account <= 10; account++) receivers.of(account).trust(`secret of ${account}`)
  receivers.of(1)
  receivers.of(11)
  assert.deepEqual(receivers.of(1).secrets(), ["secret of 1"])
  assert.deepEqual(receivers.of(3).secrets(), ["secret of 3"])
  assert.deepEqual(receivers.of(2).secrets(), [])
})

/** A message to the receiver of an account. */
const message = (accountId: string, body = "", headers: Record<string, string> = {}) => {
  const sent = Object.assign(Readable.from(body === "" ? [] : [Buffer.from(body)]), {
    headers: { ...headers, "content-length": String(body.length) },
  })
  return { request: sent, params: { accountId }, response: new EventEmitter() } as unknown as Exchange
}
const openWithAccount = () =>
  createWebhookReceivers({
    publicUrl: () => "https://petstore.example",
    clock: { now: () => 1_000 },
    store: {
      accounts: { read: async (id) => (id === 1 ? ({ id } as Awaited<ReturnType<AccountStore["read"]>>) : undefined) },
    },
  })

test("a receiver keeps the latest hundred messages and the first 16 KiB of each, and responds as chosen", async () => {
  const receivers = openWithAccount()
  const receiver = receivers.of(1)
  assert.equal(receiver.url, "https://petstore.example/receiver/1")
  const handled = await receivers.handle(message("1", "a", { "webhook-id": "evt_1" }))
  assert.deepEqual(handled, { status: 200, headers: ["cache-control", "no-store"], body: undefined })
  assert.deepEqual(receiver.messages(), [
    {
      id: 1,
      at: "1970-01-01T00:00:01.000Z",
      headers: { "webhook-id": "evt_1", "content-length": "1" },
      body: "a",
      isCut: false,
      status: 200,
    },
  ])
  for (const status of [429, 503, 500]) {
    receiver.respondWith({ status, delaySeconds: 0 })
    const { headers } = (await receivers.handle(message("1"))) ?? {}
    assert.deepEqual(headers?.slice(2), status === 500 ? [] : ["retry-after", "1"])
  }
  await receivers.handle(message("1", "x".repeat(16 * 1024)))
  await receivers.handle(message("1", "x".repeat(16 * 1024 + 1)))
  const [cut, whole] = receiver.messages()
  assert.deepEqual([cut?.isCut, cut?.body.length, whole?.isCut, whole?.body.length], [true, 16_384, false, 16_384])
  for (let n = 0; n < 100; n++) await receivers.handle(message("1", `${n}`))
  assert.deepEqual(
    [receiver.messages().length, receiver.messages()[0]?.body, receiver.messages()[99]?.body],
    [100, "99", "0"],
  )
  receiver.clear()
  assert.deepEqual(receiver.messages(), [])
})

test("a message to no account is refused, and so is one of more than a mebibyte", async () => {
  const receivers = openWithAccount()
  for (const id of ["2", "x", "1.5"])
    await assert.rejects(async () => receivers.handle(message(id)), { code: "not-found" })
  await receivers.handle(message("1", "x".repeat(1024 * 1024)))
  await assert.rejects(async () => receivers.handle(message("1", "x".repeat(1024 * 1024 + 1))), {
    code: "body-too-large",
  })
})

test("a response waits for as long as was chosen, and no page of another site reads it", async (t) => {
  const timers = mockTimeouts(t)
  const receivers = openWithAccount()
  for (const seconds of [1, 30]) {
    receivers.of(1).respondWith({ status: 200, delaySeconds: seconds })
    let hasEnded = false
    const sent = message("1")
    const handled = Promise.resolve(receivers.handle(sent)).then(() => {
      hasEnded = true
    })
    await setImmediate()
    await setImmediate()
    timers.tick(seconds * 1000 - 1)
    await setImmediate()
    assert.equal(hasEnded, false)
    timers.tick(1)
    await handled
    assert.equal(sent.isReadableAnywhere, false)
  }
})

test("64 responses wait at the same time, and no longer than their connection lasts", async () => {
  const receivers = openWithAccount()
  receivers.of(1).respondWith({ status: 200, delaySeconds: 30 })
  for (const round of [1, 2]) {
    const waiting = Array.from({ length: 64 }, () => message("1"))
    let responses = 0
    const handled = waiting.map(async (each) => {
      await receivers.handle(each)
      responses++
    })
    await setImmediate()
    await setImmediate()
    await receivers.handle(message("1"))
    assert.equal(responses, 0)
    for (const each of waiting) each.response.emit("close")
    await Promise.all(handled)
    assert.equal(receivers.of(1).messages().length, Math.min(100, 65 * round))
  }
})
