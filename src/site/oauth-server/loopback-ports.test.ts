import assert from "node:assert/strict"
import { test } from "node:test"
import type { Client, Provider } from "oidc-provider"
import { allowEveryLoopbackPort, isSameButForPort } from "./loopback-ports.ts"

test("addresses of loopback are the same but for their port", () => {
  const known = "http://127.0.0.1:3000/callback?a=b"
  for (const uri of ["http://127.0.0.1/callback?a=b", "http://127.0.0.1:9/callback?a=b", known])
    assert.equal(isSameButForPort(known, uri), true, uri)
  for (const uri of [
    "http://127.0.0.1:3000/other?a=b",
    "http://127.0.0.1:3000/callback",
    "http://localhost:3000/callback?a=b",
    "https://127.0.0.1:3000/callback?a=b",
    "no address",
  ])
    assert.equal(isSameButForPort(known, uri), false, uri)
  assert.equal(isSameButForPort("https://shop.example:1/", "https://shop.example:2/"), false)
  assert.equal(isSameButForPort("http://shop.example:1/", "http://shop.example:2/"), false)
  assert.equal(isSameButForPort("x", "y"), false)
})

test("some clients may use every port of their loopback addresses, and the others only what they registered", () => {
  class Registered {
    readonly redirectUris: string[] | undefined
    readonly isNative: boolean
    constructor(redirectUris: string[] | undefined, isNative: boolean) {
      this.redirectUris = redirectUris
      this.isNative = isNative
    }
    redirectUriAllowed(uri: string): boolean {
      return this.redirectUris?.includes(uri) ?? false
    }
  }
  const isAllowed = (client: Client) => (client as unknown as Registered).isNative
  allowEveryLoopbackPort({ Client: Registered } as unknown as Provider, isAllowed)
  const uris = ["http://127.0.0.1:1/cb", "https://shop.example/cb"]
  const allowed = (isNative: boolean, uri: string) => new Registered(uris, isNative).redirectUriAllowed(uri)
  for (const uri of uris) assert.deepEqual([allowed(true, uri), allowed(false, uri)], [true, true])
  const other = "http://127.0.0.1:2/cb"
  assert.deepEqual([allowed(true, other), allowed(false, other)], [true, false])
  assert.equal(allowed(true, "http://127.0.0.1:2/other"), false)
  assert.equal(new Registered(undefined, true).redirectUriAllowed(other), false)
})
