import assert from "node:assert/strict"
import { randomBytes } from "node:crypto"
import { test } from "node:test"
import { mintSecret } from "../../domain/keys/secret.ts"
import { requireKeyForm } from "./api-key.ts"

test("a key has up to 255 characters, and those that are minted are complete", () => {
  const minted = mintSecret(randomBytes)
  for (const secret of [minted, "special-key", "x".repeat(255), "x-psk_", ""]) requireKeyForm(secret)
  for (const secret of ["x".repeat(256), minted.slice(0, -1), "psk_a"])
    assert.throws(() => requireKeyForm(secret), { code: "unauthorized", detail: /not complete/ })
})
