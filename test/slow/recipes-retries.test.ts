import assert from "node:assert/strict"
import { test } from "node:test"
import { openRecipe } from "../harness/recipe.ts"

const nowhere = "http://127.0.0.1:9"

test("the commands of docs/recipes/testing-retries.md test retries as described", async () => {
  await using recipe = await openRecipe("testing-retries", nowhere)
  assert.match(await recipe.run("node --test"), /pass 8\n/)
  assert.deepEqual(recipe.remaining(), [])
})

test("the tests of docs/recipes/testing-retries.md detect a retry without its key", async () => {
  await using recipe = await openRecipe("testing-retries", nowhere, { '"idempotency-key": randomUUID()': "" })
  await assert.rejects(recipe.run("node --test"), /✖ after fault=lose/)
})
