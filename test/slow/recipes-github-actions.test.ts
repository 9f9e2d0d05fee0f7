// Runs in a process of its own.
import assert from "node:assert/strict"
import { readFileSync, symlinkSync } from "node:fs"
import { join } from "node:path"
import { test } from "node:test"
import { actionlint, runTool } from "../harness/foreign-tools.ts"
import { freePort } from "../harness/free-port.ts"
import { openRecipe } from "../harness/recipe.ts"
import { root } from "../harness/together.ts"

const linter = await actionlint()
const workflow = ".github/workflows/test.yml"

test("the steps of docs/recipes/github-actions.md start the service, run the tests and keep the journal", async () => {
  await using recipe = await openRecipe("github-actions", `http://127.0.0.1:${await freePort()}`)
  symlinkSync(root, join(recipe.path, "petstore"))
  // In the foreground, so that it ends with the test.
  recipe.start("./petstore/petstore serve", { " &": "" })
  await recipe.run("curl")
  assert.match(await recipe.run("node --test"), /pass 1\n/)
  await recipe.run("./petstore/petstore logs")
  const journal = readFileSync(join(recipe.path, "journal.ndjson"), "utf8").trim().split("\n")
  assert.deepEqual(
    journal.map((line) => JSON.parse(line).operation),
    ["addPet", "getPetById"],
  )
  assert.match(readFileSync(join(recipe.path, "petstore.log"), "utf8"), /"msg":"listening"/)
  assert.match(await recipe.run("PETSTORE_URL"), /pass 1\n/)
  assert.deepEqual(recipe.remaining(), [])
})

test("its workflow is valid, and a misspelt input of an action would be found", {
  skip: linter.missing ?? false,
}, async () => {
  const check = async (replaced: Record<string, string>) => {
    await using recipe = await openRecipe("github-actions", "http://127.0.0.1:9", replaced)
    return await runTool(join(linter.path as string, "actionlint"), ["-no-color", workflow], recipe.path)
  }
  assert.equal(await check({}), "")
  await assert.rejects(check({ "node-version:": "node-versoin:" }), /input "node-versoin" is not defined/)
})
