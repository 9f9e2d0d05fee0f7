import assert from "node:assert/strict"
import { type TestContext, test } from "node:test"
import type { Logger } from "pino"
import { locationOfData } from "../kernel/network/database-hosts.ts"
import {
  addressOf,
  firstKey,
  reportImages,
  reportStorage,
  warnOfAnonymous,
  warnOfExposure,
  welcome,
} from "./greeting.ts"

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

test("the welcome names the addresses and the location of the data", () => {
  const text = welcome("http://localhost:8080", "/d/petstore.db")
  for (const line of [
    "    Store      http://localhost:8080\n",
    "    Console    http://localhost:8080/console, user admin, password admin\n",
    "    Reference  http://localhost:8080/docs\n",
    "    API        http://localhost:8080/api/v3\n",
    "    Data       /d/petstore.db\n",
    "    curl -H 'api_key: special-key' http://localhost:8080/api/v3/pet/1\n",
  ])
    assert.ok(text.includes(line), line)
})

/** A log that keeps its lines. */
function logOf() {
  const lines: unknown[][] = []
  const at =
    (level: string) =>
    (...line: unknown[]) =>
      lines.push([level, ...line])
  return { lines, log: { warn: at("warn"), error: at("error") } as unknown as Logger }
}

test("a sandbox that other machines can reach warns on standard error and in the log", (t: TestContext) => {
  const { lines, log } = logOf()
  const { mock } = t.mock.method(process.stderr, "write", () => true)
  warnOfExposure("0.0.0.0", log)
  assert.match(String(mock.calls[0]?.arguments[0]), /WARNING .*The sandbox listens on 0\.0\.0\.0, beyond this machine/s)
  assert.deepEqual(lines, [
    ["warn", { host: "0.0.0.0" }, "the sandbox, whose keys are public, listens beyond this machine"],
  ])
})

test("a sandbox without credentials warns in the log", () => {
  const { lines, log } = logOf()
  warnOfAnonymous("free-key", log)
  assert.deepEqual(lines, [["warn", "PETSTORE_ANONYMOUS is set: requests without a valid credential act for free-key"]])
})

test("a dependency is reported when it fails, with the reason, and when it works again", () => {
  const { lines, log } = logOf()
  for (const reason of ["away", undefined]) {
    reportImages(log)(reason)
    reportStorage(log)("flush", reason)
    reportStorage(log)("checkpoint", reason)
  }
  assert.deepEqual(lines, [
    [
      "warn",
      { reason: "away" },
      "images are unavailable: uploads and downloads return 503, and all other requests continue",
    ],
    ["error", { reason: "away" }, "nothing can be written until the disk responds"],
    ["error", { reason: "away" }, "the write-ahead log cannot be copied into the database, and grows"],
    ["warn", "images are available again"],
    ["warn", "the disk responds: writes are accepted again"],
    ["warn", "the write-ahead log is copied into the database again"],
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
