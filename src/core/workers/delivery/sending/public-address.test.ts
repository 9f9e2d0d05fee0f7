import assert from "node:assert/strict"
import { test } from "node:test"
import { isPublic } from "./public-address.ts"

test("only plain addresses of the public internet are public", () => {
  for (const address of [
    "8.8.8.8",
    "1.1.1.1",
    "192.0.1.1",
    "2606:4700::1111",
    "2a00:1450:4001::1",
    "3ffd::1",
    "2003::1",
  ])
    assert.equal(isPublic(address), true, address)
  for (const address of [
    ...["", "text", "a:b", ":", "8.8.8", "8.8.8.8.8", "010.8.8.8", "0x8.8.8.8", "134744072", "8.8.8.8 ", "256.1.1.1"],
    ...["10.0.0.1", "127.0.0.1", "169.254.1.1", "172.16.0.1", "192.168.1.1", "100.64.0.1", "0.0.0.0", "224.0.0.1"],
    ...["168.63.129.16", "192.0.0.1", "192.31.196.1", "192.52.193.1", "192.88.99.1", "192.175.48.1", "198.18.0.1"],
    ...["::", "::1", "fe80::1", "fe80::1%eth0", "fc00::1", "ff02::1", "1fff::1", "4000::1", "::ffff:8.8.8.8"],
    ...["64:ff9b::808:808", "2001::1", "2001:db8::1", "2002:808:808::1", "2620:4f:8000::1", "3ffe::1", "3fff::1"],
  ])
    assert.equal(isPublic(address), false, address)
})
