import assert from "node:assert/strict"
import { globSync, readFileSync } from "node:fs"
import { basename, join } from "node:path"
import { test } from "node:test"
import { readRecipe } from "./harness/read-recipe.ts"

const root = join(import.meta.dirname, "..")
const pages = globSync("docs/recipes/*.md", { cwd: root })
  .map((file) => basename(file, ".md"))
  .filter((name) => name !== "README")

test("every recipe is in the list of recipes, and a test runs it", () => {
  const list = readFileSync(join(root, "docs", "recipes", "README.md"), "utf8")
  const tests = globSync("test/slow/*.test.ts", { cwd: root })
    .map((file) => readFileSync(join(root, file), "utf8"))
    .join("")
  assert.ok(pages.length >= 12)
  assert.deepEqual(
    pages.filter((name) => !list.includes(`(${name}.md)`)),
    [],
  )
  assert.deepEqual(
    pages.filter((name) => !new RegExp(`(openRecipe|testReceiver)\\("${name}"`).test(tests)),
    [],
  )
})

test("every block of a recipe is a file, commands or output", () => {
  for (const name of pages) assert.ok(readRecipe(name, {}).commands.length > 0, name)
  assert.throws(() => readRecipe("../webhooks", {}), /no file is named before a block in js/)
})

test("the code of a recipe says whether it is CommonJS or an ES module, so that it runs in the project of any reader", () => {
  const files = ["../testing", ...pages].flatMap((name) => readRecipe(name, {}).files.map(([file]) => file))
  const code = files.filter((file) => /\.[cm]?[jt]s$/.test(file))
  assert.ok(code.length >= 15)
  assert.deepEqual(
    code.filter((file) => !/\.[cm][jt]s$/.test(file)),
    [],
  )
})
