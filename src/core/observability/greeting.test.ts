import assert from "node:assert/strict"
import { test } from "node:test"
import pino from "pino"
import { locationOfData } from "../kernel/network/database-hosts.ts"
import { addressOf, firstKey, reportImages, reportStorage } from "./greeting.ts"

test("the first key is printed on a terminal; other output shows only the path of its file", () => {
  const key = { secret: "psk_secret", path: "/data/first-admin-key.txt" }
  assert.ok(firstKey(key, true).includes(key.secret))
  assert.ok(!firstKey(key, false).includes(key.secret))
  for (const isTerminal of [true, false]) assert.ok(firstKey(key, isTerminal).includes(key.path))
})

test("the location of the data is shown with every host and without a password", () => {
  const url = "postgres://me:hidden@one:5433,two/petstore"
  assert.equal(locationOfData({ kind: "postgres", url }), "PostgreSQL at one:5433,two")
})

/** A log that keeps its lines. */
function logOf() {
  const lines: unknown[][] = []
  const write = (line: string) => {
    const { level, msg, time: _, ...facts } = JSON.parse(line)
    lines.push([level, facts, msg])
  }
  return { lines, log: pino({ base: null }, { write }) }
}

test("a dependency is reported when it fails, with the reason, and when it works again", () => {
  const { lines, log } = logOf()
  for (const reason of ["away", undefined]) {
    reportImages(log)(reason)
    reportStorage(log)("flush", reason)
    reportStorage(log)("checkpoint", reason)
  }
  assert.deepEqual(lines, [
    [
      40,
      { reason: "away" },
      "images are unavailable: uploads and downloads return 503, and all other requests continue",
    ],
    [50, { reason: "away" }, "nothing can be written until the disk responds"],
    [50, { reason: "away" }, "the write-ahead log cannot be copied into the database, and grows"],
    [40, {}, "images are available again"],
    [40, {}, "the disk responds: writes are accepted again"],
    [40, {}, "the write-ahead log is copied into the database again"],
  ])
})

test("the address of a server that listens on all interfaces is that of this machine", () => {
  for (const [host, address] of [
    ["0.0.0.0", "http://localhost:80"],
    ["::", "http://localhost:80"],
    ["::1", "http://[::1]:80"],
    ["127.0.0.1", "http://127.0.0.1:80"],
  ] as const)
    assert.equal(addressOf({ port: 80 }, host), address)
})
