import assert from "node:assert/strict"
import { once } from "node:events"
import { Server } from "node:http"
import { connect, type Socket } from "node:net"
import { test } from "node:test"
import { quickPauses } from "../../../test/harness/quick-pauses.ts"
import { Missed } from "../verdict.ts"
import { openReceiver } from "./receiver.ts"

const missing = new Missed("no such message arrived within 5 seconds")

test("a receiver has the first message that is sought, which may take almost five seconds", async (t) => {
  await using receiver = await openReceiver()
  const post = (body: string, id = "evt_1") =>
    fetch(receiver.url, { method: "POST", headers: { "webhook-id": id }, body })
  const idOf = async (sought: string) => (await receiver.message((body) => body.includes(sought))).headers["webhook-id"]
  assert.equal((await post("a pet")).status, 204)
  await post("a cat", "evt_2")
  await post("another cat", "evt_3")
  const { headers, body } = await receiver.message((text) => text.endsWith("cat"))
  assert.deepEqual([headers["webhook-id"], body], ["evt_2", "a cat"])

  quickPauses(t, (ms) => ms === 4980 && post("late", "evt_4"))
  assert.equal(await idOf("late"), "evt_4")
  await assert.rejects(idOf("a dog"), missing)
})

test("a message that takes five seconds is none", async (t) => {
  await using receiver = await openReceiver()
  quickPauses(t, (ms) => ms === 5000 && fetch(receiver.url, { method: "POST", body: "late" }))
  await assert.rejects(
    receiver.message(() => true),
    missing,
  )
})

/** A connection to a receiver that has half of a message. */
async function sendHalf(url: string): Promise<Socket> {
  const socket = connect(Number(new URL(url).port), "127.0.0.1")
  socket.on("error", () => undefined)
  socket.write("POST / HTTP/1.1\r\nhost: a\r\ncontent-length: 9\r\nexpect: 100-continue\r\n\r\n")
  await once(socket, "data")
  return socket
}

test("a message whose connection breaks is none", async (t) => {
  await using receiver = await openReceiver()
  const half = await sendHalf(receiver.url)
  half.destroy()
  await fetch(receiver.url, { method: "POST", body: "whole" })
  assert.equal((await receiver.message(() => true)).body, "whole")
  quickPauses(t)
  await assert.rejects(
    receiver.message((body) => body !== "whole"),
    missing,
  )
})

test("a receiver ends with the connections to it", async (t) => {
  let hasEnded = false
  const { close } = Server.prototype
  t.mock.method(Server.prototype, "close", function (this: Server) {
    this.once("close", () => {
      hasEnded = true
    })
    return close.call(this)
  })
  const receiver = await openReceiver()
  const socket = await sendHalf(receiver.url)
  const closed = new Promise((resolve) => socket.once("close", resolve))
  await receiver[Symbol.asyncDispose]()
  assert.equal(hasEnded, true)
  await closed
})
