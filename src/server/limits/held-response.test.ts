import assert from "node:assert/strict"
import type { Socket } from "node:net"
import { test } from "node:test"
import { HeldResponse, Share } from "./held-response.ts"

const kibibyte = 1024

/** A connection of which the test says how much is written and not yet taken. */
function connection() {
  const state = { bytesWritten: 0, writableLength: 0, isDestroyed: false }
  const socket = Object.assign(state, {
    destroy() {
      state.isDestroyed = true
    },
  })
  return {
    socket: socket as unknown as Socket,
    write(bytes: number) {
      state.bytesWritten += bytes
      state.writableLength += bytes
    },
    take(bytes: number) {
      state.writableLength -= bytes
    },
    isClosed: () => state.isDestroyed,
  }
}

function held(bytesMax = Number.POSITIVE_INFINITY) {
  const [own, all] = [new Share(100), new Share(200)]
  const client = connection()
  return { own, all, client, response: new HeldResponse(client.socket, [own, all], bytesMax) }
}

test("a share has space up to its last byte", () => {
  const { own, response } = held()
  response.chargeWhole(60)
  assert.deepEqual(
    [40, 41].map((bytes) => own.hasSpaceFor(bytes)),
    [true, false],
  )
})

test("a whole response is charged to both shares until it is released", () => {
  const { own, all, client, response } = held()
  response.chargeWhole(60)
  response.follow(0, false)
  client.write(60)
  client.take(60)
  response.update(1)
  assert.deepEqual([own.bytes, all.bytes, own.unread.size], [60, 60, 1])
  response.release()
  assert.deepEqual([own.bytes, all.bytes, own.unread.size, all.unread.size], [0, 0, 0, 0])
})

test("of a stream only what is unread is charged, from its start, and it is unread only while it is", () => {
  const { own, client, response } = held()
  response.follow(0, false)
  assert.deepEqual([own.bytes, own.unread.size], [0, 0])
  client.write(1)
  response.update(1)
  assert.deepEqual([own.bytes, own.unread.size], [1, 1])
  client.take(1)
  response.update(2)
  assert.deepEqual([own.bytes, own.unread.size], [0, 0])
  const started = held()
  started.client.write(50)
  started.response.follow(0, false)
  assert.deepEqual([started.own.bytes, started.own.unread.size], [50, 1])
})

test("the connection that is closed is that which has taken nothing for longest, and for a second", () => {
  const [own, all] = [new Share(100), new Share(200)]
  const clients = Array.from({ length: 2 }, () => {
    const client = connection()
    const response = new HeldResponse(client.socket, [own, all], Number.POSITIVE_INFINITY)
    response.follow(0, false)
    client.write(20)
    response.update(0)
    return { ...client, response }
  })
  const [first, second] = clients as [(typeof clients)[0], (typeof clients)[0]]
  first.take(5)
  for (const at of [500, 900]) for (const { response } of [second, first]) response.update(at)
  assert.equal(own.closeLongestUnread(999), false)
  assert.equal(own.closeLongestUnread(1000), true)
  assert.deepEqual([first.isClosed(), second.isClosed()], [false, true])
  assert.equal(own.closeLongestUnread(1499), false)
  assert.equal(own.closeLongestUnread(1500), true)
  assert.equal(own.closeLongestUnread(9999), false, "nothing is unread")
})

test("a response that starts to be written has not stalled", () => {
  const { own, client, response } = held()
  client.write(20)
  response.follow(5_000, false)
  assert.equal(own.closeLongestUnread(5_999), false)
  assert.equal(own.closeLongestUnread(6_000), true)
})

test("a stream with more unread than it may have is closed", () => {
  const { client, response } = held(50)
  response.follow(0, false)
  client.write(50)
  response.update(1)
  assert.equal(client.isClosed(), false)
  client.write(1)
  response.update(2)
  assert.equal(client.isClosed(), true)
})

test("a paced response has ten seconds, and one more for every 64 KiB taken since its start", () => {
  const { client, response } = held()
  client.write(64 * kibibyte)
  client.take(64 * kibibyte)
  response.chargeWhole(kibibyte * kibibyte)
  response.follow(500, true)
  client.write(kibibyte * kibibyte)
  client.take(128 * kibibyte)
  response.update(12_500)
  assert.equal(client.isClosed(), false)
  response.update(12_501)
  assert.equal(client.isClosed(), true)
})
