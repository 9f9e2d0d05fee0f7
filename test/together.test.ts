import assert from "node:assert/strict"
import { readdirSync } from "node:fs"
import { join } from "node:path"
import { test } from "node:test"
import { filesOf, groups, root } from "./harness/together.ts"

test("a file of tests is in one group at most, and what is in one is run", () => {
  const files = Object.values(groups).flatMap(filesOf)
  assert.equal(new Set(files).size, files.length)
  assert.ok(files.includes("test/together.test.ts"))
  for (const [group, patterns] of Object.entries(groups)) assert.ok(filesOf(patterns).length > 0, group)
  const entries = Object.keys(groups).map((group) => `${group}.ts`)
  assert.deepEqual(readdirSync(join(root, "test", "together")).sort(), entries.sort())
})
