import assert from "node:assert/strict"
import { test } from "node:test"
import type { ShownKey } from "../../../../domain/keys/contract.ts"
import { keyState } from "./key-state.ts"

test("a key is active until it is rotated, and until it expires", () => {
  const now = Date.UTC(2026, 0, 1)
  const stateOf = (key: Partial<ShownKey>) => keyState(key as ShownKey, now)
  const at = (ms: number) => new Date(now + ms).toISOString()
  assert.equal(stateOf({}), "active")
  assert.equal(stateOf({ rotatedAt: at(-1) }), "rotated")
  assert.deepEqual([stateOf({ expiresAt: at(1) }), stateOf({ expiresAt: at(0) })], ["active", "expired"])
  assert.deepEqual(
    [stateOf({ expiresAt: at(1), rotatedAt: at(-1) }), stateOf({ expiresAt: at(0), rotatedAt: at(-1) })],
    ["rotated", "expired"],
  )
})
