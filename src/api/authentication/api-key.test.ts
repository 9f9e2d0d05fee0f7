import assert from "node:assert/strict"
import { randomBytes } from "node:crypto"
import { test } from "node:test"
import { mintSecret } from "../../domain/keys/secret.ts"
import type { Store } from "../../domain/ports/store.ts"
import { principalOfKey, requireKeyForm } from "./api-key.ts"

const account = { id: 3, name: "a", plan: "free" }
const key = {
  id: 7,
  scopes: ["read:pets"],
  userId: undefined,
  expiresAt: undefined,
  allowedCidrs: [],
  rotatedAt: undefined,
}

const principalOf = async (more: object, role?: string) => {
  const found = { account, key: { ...key, ...more }, role }
  return principalOfKey({ keys: { byHash: async () => found } } as unknown as Store, "h")
}

test("a key has up to 255 characters, and those that are minted are complete", () => {
  const minted = mintSecret(randomBytes)
  for (const secret of [minted, "special-key", "x".repeat(255), "x-psk_", ""]) requireKeyForm(secret)
  for (const secret of ["x".repeat(256), minted.slice(0, -1), "psk_a"])
    assert.throws(() => requireKeyForm(secret), { code: "unauthorized", detail: /not complete/ })
})

test("a key of a person has no scope that the person's role lacks", async () => {
  for (const [scopes, role, isFound] of [
    [["read:pets", "write:pets"], undefined, true],
    [["read:pets", "write:pets"], "staff", true],
    [["read:pets", "write:pets"], "customer", false],
    [["write:pets"], "customer", false],
    [[], "customer", true],
  ] as const)
    assert.equal((await principalOf({ scopes }, role)) !== undefined, isFound, `${scopes} ${role}`)
})

test("a key is used from its addresses until it expires, and says since when it is replaced", async () => {
  const facts = async (more: object) => {
    const { expiresAt, allows, ending, caller } = (await principalOf(more)) ?? {}
    return [expiresAt, allows?.("192.0.2.1"), allows?.("198.51.100.1"), ending, caller?.bounds]
  }
  const bounds = { userId: undefined, endsAt: undefined, allowedCidrs: [] }
  assert.deepEqual(await facts({}), [undefined, undefined, undefined, undefined, bounds])
  const allowedCidrs = ["192.0.2.0/24"]
  assert.deepEqual(await facts({ allowedCidrs }), [undefined, true, false, undefined, { ...bounds, allowedCidrs }])
  assert.deepEqual((await facts({ rotatedAt: 1_999 }))[3], { deprecation: "@1" })
  assert.deepEqual(await facts({ rotatedAt: 0, expiresAt: 60_000 }), [
    60_000,
    undefined,
    undefined,
    { deprecation: "@0", sunset: "Thu, 01 Jan 1970 00:01:00 GMT" },
    { ...bounds, endsAt: 60_000 },
  ])
})
