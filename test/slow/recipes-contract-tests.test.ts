import assert from "node:assert/strict"
import { test } from "node:test"
import { openRecipe } from "../harness/recipe.ts"

const nowhere = "http://127.0.0.1:9"

test("the commands of docs/recipes/contract-tests.md test a client as described", async () => {
  await using recipe = await openRecipe("contract-tests", nowhere)
  assert.match(await recipe.run("node --test"), /pass 4\n/)
  assert.deepEqual(recipe.remaining(), [])
})

test("the tests of docs/recipes/contract-tests.md detect a client that sends an unknown parameter", async () => {
  await using recipe = await openRecipe("contract-tests", nowhere, { "?status=": "?state=" })
  await assert.rejects(recipe.run("node --test"), /fail [1-9]/)
})
