import assert from "node:assert/strict"
import { readdirSync } from "node:fs"
import { join } from "node:path"
import { test } from "node:test"
import { parseRunMode, plainFiles, root } from "./harness/together.ts"

test("each group of test files has an entry that runs it", () => {
  const groups = [...plainFiles().keys()].filter((group) => group !== undefined)
  assert.ok(plainFiles().get("surface")?.includes("test/together.test.ts"))
  const entries = groups.map((group) => `${group}.ts`)
  assert.deepEqual(readdirSync(join(root, "test", "together")).sort(), entries.sort())
})

test("the first line of a test file states how it runs", () => {
  assert.equal(parseRunMode('import { test } from "node:test"\n// Runs alone.\n'), "together")
  assert.equal(parseRunMode("// Runs alone.\n"), "alone")
  assert.throws(() => parseRunMode("// Runs allone.\n"), /unknown way to run/)
})
