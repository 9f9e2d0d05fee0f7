import assert from "node:assert/strict"
import { test } from "node:test"
import { firstKey } from "./greeting.ts"

test("the first key is shown at a terminal; where output is collected, only the file that holds it is", () => {
  const [secret, file] = ["psk_secret", "/data/first-admin-key.txt"]
  assert.ok(firstKey(secret, file, true).includes(secret))
  assert.ok(!firstKey(secret, file, false).includes(secret))
  for (const isTerminal of [true, false]) assert.ok(firstKey(secret, file, isTerminal).includes(file))
})
