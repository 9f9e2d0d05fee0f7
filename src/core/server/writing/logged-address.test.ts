import assert from "node:assert/strict"
import { test } from "node:test"
import { loggedAddress } from "./logged-address.ts"

const truncated: [address: string, logged: string][] = [
  ["192.0.2.77", "192.0.2.0"],
  ["::ffff:192.0.2.77", "192.0.2.0"],
  ["2001:db8:a:b:c:d:e:f", "2001:db8:a::"],
  ["fe80::1%eth0", "fe80:0:0::"],
  ["", ""],
]

for (const [address, logged] of truncated)
  test(`the address ${JSON.stringify(address)} is truncated to ${JSON.stringify(logged)}`, () => {
    const { "client.address": found } = JSON.parse(`{"level":30${loggedAddress("truncated")(address)}}`)
    assert.equal(found, logged)
  })

test("a line is one JSON object for every address", () => {
  const hostile = 'fe80::1%"},{"level":50'
  const line = JSON.parse(`{"level":30${loggedAddress("full")(hostile)}}`)
  assert.deepEqual(line, { level: 30, "client.address": hostile })
})

test("an address is left out on request", () => assert.equal(loggedAddress("none")("192.0.2.77"), ""))
