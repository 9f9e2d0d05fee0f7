import assert from "node:assert/strict"
import { test } from "node:test"
import { addressesIn, blocksWithin, commonBlocks, isCidr, isLoopback, networkOf, parseAddress } from "./ip-address.ts"

test("a block or a single address is accepted, anything else is not", () => {
  for (const text of ["10.0.0.0/8", "192.0.2.1", "0.0.0.0/0", "2001:db8::/32", "::1", "::ffff:10.0.0.0/104"])
    assert.ok(isCidr(text), text)
  for (const text of [
    "",
    "/8",
    "10.0.0.0/33",
    "10.0.0.0/-1",
    "10.0.0.0/",
    "10.0.0.0/8/8",
    "10/8",
    "0x7f.1",
    "::/129",
    "x",
  ])
    assert.ok(!isCidr(text), text)
})

test("an address is in a block of its own family only, however it is spelled", () => {
  const isIn = addressesIn(["10.0.0.0/8", "2001:db8::/32"])
  for (const text of ["10.1.2.3", "::ffff:10.1.2.3", "2001:db8::1", "2001:db8::1%eth0"]) assert.ok(isIn(text), text)
  for (const text of ["11.0.0.1", "::1", "2001:db9::1", "", "10.1.2.3:80", "nonsense"]) assert.ok(!isIn(text), text)
  assert.ok(addressesIn(["::ffff:10.0.0.0/104"])("10.9.9.9"))
  assert.equal(parseAddress("127.1"), undefined)
})

test("addresses of one /64 are one party, addresses of IPv4 are one each, however they are spelled", () => {
  assert.equal(networkOf("2001:db8::1"), networkOf("2001:db8:0:0:ffff::2"))
  assert.notEqual(networkOf("2001:db8::1"), networkOf("2001:db8:0:1::1"))
  assert.equal(networkOf("::ffff:192.0.2.1"), networkOf("192.0.2.1"))
  assert.notEqual(networkOf("192.0.2.1"), networkOf("192.0.2.2"))
  assert.equal(networkOf("unknown"), undefined)
})

test("a block lies within others when every address of it does, in its own family only", () => {
  const table: [string, string[], boolean][] = [
    ["10.1.0.0/16", ["10.0.0.0/8"], true],
    ["10.0.0.0/8", ["10.0.0.0/8"], true],
    ["10.0.0.0/7", ["10.0.0.0/8"], false],
    ["11.0.0.0/16", ["10.0.0.0/8"], false],
    ["10.1.2.3", ["10.1.2.3/32"], true],
    ["10.9.9.9/8", ["10.0.0.0/8"], true],
    ["10.0.0.0/8", ["10.9.9.9/8"], true],
    ["0.0.0.0/0", ["0.0.0.0/1", "128.0.0.0/1"], true],
    ["0.0.0.0/0", ["0.0.0.0/1", "128.0.0.0/2", "192.0.0.0/2"], true],
    ["0.0.0.0/0", ["0.0.0.0/1", "128.0.0.0/2"], false],
    ["::ffff:10.1.0.0/112", ["10.0.0.0/8"], true],
    ["10.1.0.0/16", ["::ffff:10.0.0.0/104"], true],
    ["10.0.0.0/8", ["::/0"], false],
    ["::/0", ["0.0.0.0/0"], false],
    ["::/0", ["::/1", "8000::/1"], true],
    ["2001:db8:1::/48", ["2001:db8::/32"], true],
    ["2001:db8::/31", ["2001:db8::/32"], false],
    ["2001:db8::1", ["2001:db8::/127", "::/0"], true],
    ["::", ["::/128"], true],
    ["10.0.0.0/8", [], false],
    ["nonsense", ["0.0.0.0/0", "::/0"], false],
  ]
  for (const [inner, outer, expected] of table)
    assert.equal(blocksWithin(outer)(inner), expected, `${inner} within ${outer}`)
})

test("what two lists of blocks have in common are the narrower ones; an empty list stands for everything", () => {
  const table: [string[], string[], string[] | undefined][] = [
    [[], [], []],
    [["10.0.0.0/8"], [], ["10.0.0.0/8"]],
    [[], ["::/0"], ["::/0"]],
    [
      ["10.0.0.0/8", "::/0"],
      ["10.1.0.0/16", "2001:db8::/32"],
      ["10.1.0.0/16", "2001:db8::/32"],
    ],
    [["10.0.0.0/8"], ["10.0.0.0/9", "10.128.0.0/9"], ["10.0.0.0/9", "10.128.0.0/9"]],
    [["10.0.0.0/8"], ["::ffff:10.1.2.3"], ["::ffff:10.1.2.3"]],
    [["10.0.0.0/8"], ["11.0.0.0/8", "::/0"], undefined],
  ]
  for (const [some, others, expected] of table) {
    assert.deepEqual(commonBlocks(some, others), expected)
    assert.deepEqual(commonBlocks(others, some)?.toSorted(), expected?.toSorted())
  }
})

test("this machine is told from names that only look like it", () => {
  for (const host of ["127.0.0.1", "127.8.8.8", "::1", "[::1]", "localhost", "LOCALHOST", "app.localhost"])
    assert.ok(isLoopback(host), host)
  for (const host of ["0.0.0.0", "::", "192.168.0.1", "127.0.0.1.example", "localhost.example", "notlocalhost", ""])
    assert.ok(!isLoopback(host), host)
})
