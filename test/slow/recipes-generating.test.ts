import assert from "node:assert/strict"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { test } from "node:test"
import { openRecipe } from "../harness/recipe.ts"
import { use, usePetstore } from "../harness/use.ts"

const petstore = usePetstore()
const recipe = use(() => openRecipe("generating-a-client", petstore.url))
const page = readFileSync(join(import.meta.dirname, "..", "..", "docs", "recipes", "generating-a-client.md"), "utf8")

test("docs/recipes/generating-a-client.md generates a client that type-checks and prints the documented output", async (t) => {
  for (const command of recipe.commands.slice(0, -1))
    try {
      await recipe.run(command)
    } catch (error) {
      if (!/E(NOTFOUND|AI_AGAIN|CONNREFUSED|TIMEDOUT)/.test(String(error))) throw error
      return t.skip(`NOT TESTED, the registry does not answer: ${error}`)
    }
  const [, expected = ""] = /```text\n(.*?)```/s.exec(page) ?? []
  assert.ok((await recipe.run("node adopt.mts")).includes(expected))
  assert.deepEqual(recipe.remaining(), [])
})
