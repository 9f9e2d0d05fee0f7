import assert from "node:assert/strict"
import { test } from "node:test"
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
