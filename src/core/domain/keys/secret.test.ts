import assert from "node:assert/strict"
import { randomBytes } from "node:crypto"
import { test } from "node:test"
import { crc32 } from "node:zlib"
import { looksMinted, mintSecret } from "./secret.ts"

test("a new key has the documented form and a valid checksum", () => {
  const secret = mintSecret(randomBytes)
  assert.match(secret, /^psk_[0-9A-Za-z]{43}[0-9A-Za-z]{6}$/)
  assert.ok(looksMinted(secret))
})

test("every single wrong or missing character is detected", () => {
  const secret = mintSecret(randomBytes)
  for (let n = 4; n < secret.length; n++) {
    const wrong = secret[n] === "x" ? "y" : "x"
    assert.ok(!looksMinted(secret.slice(0, n) + wrong + secret.slice(n + 1)), `position ${n}`)
    assert.ok(!looksMinted(secret.slice(0, n) + secret.slice(n + 1)), `without position ${n}`)
  }
})

test("the checksum is CRC-32 (ISO 3309) in base62", () => {
  const random = "0".repeat(43)
  assert.equal(crc32(random), 2018072207)
  assert.equal(
    mintSecret((count) => new Uint8Array(count)),
    `psk_${random}2CZclj`,
  )
})

test("every character is as likely: bytes that would favour some are left out, and others requested", () => {
  const requests: number[] = []
  const secret = mintSecret((count) => {
    requests.push(count)
    return Uint8Array.from(
      { length: count },
      (_, n) => (requests.length === 1 ? [248, 255, 247, 61, 62][n % 5] : 1) ?? 0,
    )
  }, "pss_")
  const first = "zz0".repeat(9).slice(0, 25)
  assert.equal(secret.slice(0, 47), `pss_${first}${"1".repeat(43 - first.length)}`)
  assert.deepEqual(requests, [43, 43])
  assert.ok(looksMinted(secret, "pss_") && !looksMinted(secret))
  assert.ok(!looksMinted(`${secret}0`, "pss_"))
})
