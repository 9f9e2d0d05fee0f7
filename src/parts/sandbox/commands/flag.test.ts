import assert from "node:assert/strict"
import { test } from "node:test"
import { UsageError } from "../../../cli/command/command.ts"
import { sandboxFlag } from "./flag.ts"

test("--sandbox adds a name to an address, or replaces the one that it has", () => {
  assert.equal(sandboxFlag.locate?.("http://a", "two"), "http://a/s/two")
  assert.equal(sandboxFlag.locate?.("https://a/shop/s/one", "two"), "https://a/shop/s/two")
  const message = '--sandbox is "a/b"; a name must have 1 to 64 letters, digits and . _ -, not only dots'
  assert.throws(() => sandboxFlag.locate?.("http://a", "a/b"), new UsageError(message))
})
