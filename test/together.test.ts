import assert from "node:assert/strict"
import { execFile } from "node:child_process"
import { readdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { test } from "node:test"
import { temporaryDirectory } from "./harness/directory.ts"
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

test("an unhandled rejection fails its file", async () => {
  using directory = temporaryDirectory()
  const file = join(directory.path, "rejecting.test.mjs")
  writeFileSync(
    file,
    `import { test } from "node:test"
test("passes", async () => void (async () => Promise.reject(new Error("unhandled")))())`,
  )
  const preloaded = join(root, "test", "harness", "untracked-promises.ts")
  const { NODE_TEST_CONTEXT: _, ...env } = process.env
  const { code, output } = await new Promise<{ code: unknown; output: string }>((resolve) => {
    execFile(process.execPath, ["--import", preloaded, file], { env }, (error, output) =>
      resolve({ code: error?.code, output }),
    )
  })
  assert.equal(code, 1)
  assert.match(output, /Error: unhandled/)
})
