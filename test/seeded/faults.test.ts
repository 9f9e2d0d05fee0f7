import assert from "node:assert/strict"
import { spawnSync } from "node:child_process"
import { existsSync, globSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { test } from "node:test"
import { readSeededFaults } from "./faults.ts"

const root = join(import.meta.dirname, "..", "..")
const faults = readSeededFaults()
const written = globSync(["src/**/*.test.ts", "test/**/*.{ts,http}"], { cwd: root, exclude: ["**/node_modules/**"] })

test("each seeded fault applies to the source, is of three lines at most, and names two tests that exist", () => {
  const texts = written.map((file) => readFileSync(join(root, file), "utf8"))
  for (const { name, patch, tests } of faults) {
    const { status, stderr } = spawnSync("git", ["apply", "--check", patch], { cwd: root, encoding: "utf8" })
    assert.deepEqual([status, stderr], [0, ""], name)
    assert.ok((readFileSync(patch, "utf8").match(/^\+(?!\+\+ )/gm) ?? []).length <= 3, name)
    assert.ok(tests.length >= 2, name)
    for (const { file, title } of tests) {
      assert.ok(existsSync(join(root, file)), `${name}: ${file}`)
      const titled = new RegExp(`${RegExp.escape(title)}(?:["\`]|$)`, "m")
      assert.ok(
        texts.some((text) => titled.test(text)),
        `${name}: ${title}`,
      )
    }
  }
})
