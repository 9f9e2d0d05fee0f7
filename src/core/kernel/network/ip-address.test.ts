import assert from "node:assert/strict"
import { test } from "node:test"
import {
  addressesIn,
  blocksWithin,
  commonBlocks,
  isCidr,
  isLoopback,
  networkBudgets,
  networkOf,
  parseAddress,
} from "./ip-address.ts"

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

test("an address is only in blocks of its own family, in any spelling", () => {
  const isIn = addressesIn(["10.0.0.0/8", "2001:db8::/32"])
  for (const text of ["10.1.2.3", "::ffff:10.1.2.3", "2001:db8::1", "2001:db8::1%eth0"]) assert.ok(isIn(text), text)
  for (const text of ["11.0.0.1", "::1", "2001:db9::1", "", "10.1.2.3:80", "nonsense"]) assert.ok(!isIn(text), text)
  assert.ok(addressesIn(["::ffff:10.0.0.0/104"])("10.9.9.9"))
  assert.equal(parseAddress("127.1"), undefined)
})

test("addresses of one /64 are one party, IPv4 addresses one each, in any spelling", () => {
  assert.equal(networkOf("2001:db8::1"), networkOf("2001:db8:0:0:ffff::2"))
  assert.notEqual(networkOf("2001:db8::1"), networkOf("2001:db8:0:1::1"))
  assert.equal(networkOf("::ffff:192.0.2.1"), networkOf("192.0.2.1"))
  assert.notEqual(networkOf("192.0.2.1"), networkOf("192.0.2.2"))
  assert.equal(networkOf("unknown"), undefined)
})

test("a /48 of IPv6 has eight times the budget of a /64 in it; other addresses have one budget", () => {
  const nameOf = (network: string) => `of ${network}`
  assert.deepEqual(networkBudgets("2001:db8:1:2::3", 10, nameOf), [
    { name: "of 20010db800010002::/64", max: 10 },
    { name: "of 20010db80001::/48", max: 80 },
  ])
  assert.deepEqual(networkBudgets("::ffff:192.0.2.1", 10, nameOf), [{ name: "of 192.0.2.1", max: 10 }])
  assert.deepEqual(networkBudgets("unknown", 10, nameOf), [{ name: "of unknown", max: 10 }])
})

test("a block lies within others when every address of it does, in its own family only", () => {
  const cases: { inner: string; outer: string[]; isWithin: boolean }[] = [
    { inner: "10.1.0.0/16", outer: ["10.0.0.0/8"], isWithin: true },
    { inner: "10.0.0.0/8", outer: ["10.0.0.0/8"], isWithin: true },
    { inner: "10.0.0.0/7", outer: ["10.0.0.0/8"], isWithin: false },
    { inner: "11.0.0.0/16", outer: ["10.0.0.0/8"], isWithin: false },
    { inner: "10.1.2.3", outer: ["10.1.2.3/32"], isWithin: true },
    { inner: "10.9.9.9/8", outer: ["10.0.0.0/8"], isWithin: true },
    { inner: "10.0.0.0/8", outer: ["10.9.9.9/8"], isWithin: true },
    { inner: "0.0.0.0/0", outer: ["0.0.0.0/1", "128.0.0.0/1"], isWithin: true },
    { inner: "0.0.0.0/0", outer: ["0.0.0.0/1", "128.0.0.0/2", "192.0.0.0/2"], isWithin: true },
    { inner: "0.0.0.0/0", outer: ["0.0.0.0/1", "128.0.0.0/2"], isWithin: false },
    { inner: "::ffff:10.1.0.0/112", outer: ["10.0.0.0/8"], isWithin: true },
    { inner: "10.1.0.0/16", outer: ["::ffff:10.0.0.0/104"], isWithin: true },
    { inner: "10.0.0.0/8", outer: ["::/0"], isWithin: false },
    { inner: "::/0", outer: ["0.0.0.0/0"], isWithin: false },
    { inner: "::/0", outer: ["::/1", "8000::/1"], isWithin: true },
    { inner: "2001:db8:1::/48", outer: ["2001:db8::/32"], isWithin: true },
    { inner: "2001:db8::/31", outer: ["2001:db8::/32"], isWithin: false },
    { inner: "2001:db8::1", outer: ["2001:db8::/127", "::/0"], isWithin: true },
    { inner: "::", outer: ["::/128"], isWithin: true },
    { inner: "10.0.0.0/8", outer: [], isWithin: false },
    { inner: "nonsense", outer: ["0.0.0.0/0", "::/0"], isWithin: false },
  ]
  for (const { inner, outer, isWithin } of cases)
    assert.equal(blocksWithin(outer)(inner), isWithin, `${inner} within ${outer}`)
})

test("the intersection of two lists of blocks has the narrower ones; an empty list means all addresses", () => {
  const cases: { some: string[]; others: string[]; common: string[] | undefined }[] = [
    { some: [], others: [], common: [] },
    { some: ["10.0.0.0/8"], others: [], common: ["10.0.0.0/8"] },
    { some: [], others: ["::/0"], common: ["::/0"] },
    {
      some: ["10.0.0.0/8", "::/0"],
      others: ["10.1.0.0/16", "2001:db8::/32"],
      common: ["10.1.0.0/16", "2001:db8::/32"],
    },
    { some: ["10.0.0.0/8"], others: ["10.0.0.0/9", "10.128.0.0/9"], common: ["10.0.0.0/9", "10.128.0.0/9"] },
    { some: ["10.0.0.0/8"], others: ["::ffff:10.1.2.3"], common: ["::ffff:10.1.2.3"] },
    { some: ["10.0.0.0/8"], others: ["11.0.0.0/8", "::/0"], common: undefined },
  ]
  for (const { some, others, common } of cases) {
    assert.deepEqual(commonBlocks(some, others), common)
    assert.deepEqual(commonBlocks(others, some)?.toSorted(), common?.toSorted())
  }
})

test("this machine is distinguished from names that only look like it", () => {
  for (const host of ["127.0.0.1", "127.8.8.8", "::1", "[::1]", "localhost", "LOCALHOST", "app.localhost"])
    assert.ok(isLoopback(host), host)
  for (const host of ["0.0.0.0", "::", "192.168.0.1", "127.0.0.1.example", "localhost.example", "notlocalhost", ""])
    assert.ok(!isLoopback(host), host)
})
