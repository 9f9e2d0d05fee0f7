import assert from "node:assert/strict"
import { describe, test } from "node:test"
import { SealBroken, type Sealing } from "../../../src/core/domain/ports/sealing.ts"
import { recording, testCompleteness } from "../recording.ts"

/** The requirements for every sealing of secrets. `open` creates one with this key of 32 bytes. */
export function sealingConformance(adapter: string, open: (key: Uint8Array) => Sealing): void {
  describe(`${adapter} as a sealing`, () => {
    const recorded = recording()
    const key = new Uint8Array(32).fill(7)
    const sealing = recorded.watch(open(key))

    test("a sealed secret is read back under the same key and purpose", () => {
      for (const plain of ["", "whsec_AAAA", "Geheimnis 🐢", "x".repeat(10_000)])
        assert.equal(open(key).open(sealing.seal(plain, "webhook secret"), "webhook secret"), plain)
      assert.equal(sealing.open(sealing.seal("a", "p"), "p"), "a")
    })

    test("a sealed text reveals nothing of its content, and is never the same twice", () => {
      const sealed = [1, 2, 3].map(() => sealing.seal("the same secret", "p"))
      assert.equal(new Set(sealed).size, 3)
      for (const text of sealed) {
        assert.match(text, /^[\x20-\x7e]+$/, "it is stored as text")
        assert.ok(!Buffer.from(text, "base64url").includes("secret"))
      }
    })

    test("it does not open under another key or purpose", () => {
      const sealed = sealing.seal("a", "signing key")
      assert.throws(() => sealing.open(sealed, "webhook secret"), SealBroken)
      assert.throws(() => open(new Uint8Array(32).fill(8)).open(sealed, "signing key"), SealBroken)
    })

    test("it does not open when it was changed anywhere, truncated, or never sealed", () => {
      const bytes = Buffer.from(sealing.seal("secret", "p"), "base64url")
      for (let at = 0; at < bytes.length; at++) {
        const changed = Buffer.from(bytes)
        changed[at] = (changed[at] as number) ^ 1
        assert.throws(() => sealing.open(changed.toString("base64url"), "p"), SealBroken, `byte ${at}`)
        assert.throws(() => sealing.open(bytes.subarray(0, at).toString("base64url"), "p"), SealBroken, `${at} bytes`)
      }
    })

    testCompleteness(recorded)
  })
}
