import assert from "node:assert/strict"
import { IncomingMessage } from "node:http"
import { Socket } from "node:net"
import { test } from "node:test"
import { clientAddress } from "./client-address.ts"

function addressOf(remoteAddress: string, forwarded: string | undefined) {
  const socket = Object.defineProperty(new Socket(), "remoteAddress", { value: remoteAddress })
  const headers = { "x-forwarded-for": forwarded }
  return clientAddress(["10.0.0.0/8", "fd00::/8"])(Object.assign(new IncomingMessage(socket), { headers }))
}

const cases: { from: string; forwarded?: string; is: string }[] = [
  { from: "192.0.2.1", is: "192.0.2.1" },
  { from: "192.0.2.1", forwarded: "203.0.113.9", is: "192.0.2.1" },
  { from: "10.0.0.1", forwarded: "203.0.113.9", is: "203.0.113.9" },
  { from: "::ffff:10.0.0.1", forwarded: "203.0.113.9", is: "203.0.113.9" },
  { from: "10.0.0.1", forwarded: "203.0.113.9:4711", is: "203.0.113.9" },
  { from: "10.0.0.1", forwarded: "[2001:db8::1]:4711", is: "2001:db8::1" },
  { from: "10.0.0.1", forwarded: "[2001:db8::1]", is: "2001:db8::1" },
  { from: "10.0.0.1", forwarded: "2001:db8::1", is: "2001:db8::1" },
  { from: "10.0.0.1", forwarded: "203.0.113.9, 10.0.0.2:80, fd00::1", is: "203.0.113.9" },
  { from: "10.0.0.1", forwarded: "6.6.6.6, 203.0.113.9, 10.0.0.2", is: "203.0.113.9" },
  { from: "10.0.0.1", forwarded: "203.0.113.9, nonsense", is: "10.0.0.1" },
  { from: "10.0.0.1", forwarded: "203.0.113.9, nonsense, 10.0.0.2", is: "10.0.0.2" },
  { from: "10.0.0.1", forwarded: "", is: "10.0.0.1" },
  { from: "10.0.0.1", forwarded: "10.0.0.3, 10.0.0.2", is: "10.0.0.3" },
]

for (const { from, forwarded, is } of cases)
  test(`a request from ${from} with X-Forwarded-For: ${forwarded ?? "none"} comes from ${is}`, () =>
    assert.equal(addressOf(from, forwarded), is))
