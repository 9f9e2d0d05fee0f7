import assert from "node:assert/strict"
import { describe, test } from "node:test"
import { serverUrl } from "../harness/database.ts"
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

describe("docs/recipes/certain-races.md", { skip: serverUrl && "named sandboxes need SQLite" }, () => {
  test("its tests decide which of two requests comes first", async () => {
    await using recipe = await openRecipe("certain-races", nowhere)
    assert.match(await recipe.run("node --test"), /pass 2\n/)
    assert.deepEqual(recipe.remaining(), [])
  })

  test("its tests detect a lost update and a second order", async () => {
    const careless = { '"if-match":': '"x-match":', '"idempotency-key":': '"x-key":' }
    await using recipe = await openRecipe("certain-races", nowhere, careless)
    await assert.rejects(recipe.run("node --test"), /fail 2\n/)
  })
})
