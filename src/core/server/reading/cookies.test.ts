import assert from "node:assert/strict"
import { test } from "node:test"
import { cookieOf, setCookie } from "./cookies.ts"

test("a cookie is strict and hidden from scripts; its lifetime, lax and secure are optional", () => {
  const cookie = { name: "a", value: "1", path: "/", secure: false }
  assert.equal(setCookie(cookie), "a=1; path=/; samesite=strict; httponly")
  assert.equal(
    setCookie({ ...cookie, maxAgeSeconds: 0, sameSite: "lax", secure: true }),
    "a=1; path=/; max-age=0; samesite=lax; secure; httponly",
  )
})

test("a cookie is found by its whole name", () => {
  for (const [header, value] of [
    ["a=1", "1"],
    ["ba=1; a=2=3; a=4", "2=3"],
    ["ab=1; b=a=1", undefined],
    ["a=", ""],
    [undefined, undefined],
  ] as const)
    assert.equal(cookieOf(header, "a"), value, `${header}`)
})
