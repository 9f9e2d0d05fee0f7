import assert from "node:assert/strict"
import { test } from "node:test"
import { fromBase64, toBase64 } from "./base64.ts"

test("bytes of every value and length round-trip, padded or not, as in Node's own encoding", () => {
  const bytes = Uint8Array.from({ length: 256 }, (_, n) => n)
  for (let length = 0; length <= bytes.length; length++) {
    const some = bytes.subarray(0, length)
    const text = toBase64(some)
    assert.equal(text, Buffer.from(some).toString("base64"))
    assert.deepEqual(fromBase64(text), some)
    assert.deepEqual(fromBase64(text.replaceAll("=", "")), some)
  }
  assert.throws(() => fromBase64("a"))
  assert.throws(() => fromBase64("é="))
})
