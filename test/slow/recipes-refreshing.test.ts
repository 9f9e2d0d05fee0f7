// Runs beside two other files at most.
import assert from "node:assert/strict"
import { describe, test } from "node:test"
import { serverUrl } from "../harness/database.ts"
import { openRecipe, secondsMs } from "../harness/recipe.ts"

describe("docs/recipes/refreshing-tokens.md", { skip: serverUrl && "named sandboxes need SQLite" }, () => {
  test("an hour passes three times in seconds", async () => {
    await using recipe = await openRecipe("refreshing-tokens", "http://127.0.0.1:8080")
    const startedAt = performance.now()
    assert.match(await recipe.run("node --test"), /pass 3\n/)
    assert.ok(performance.now() - startedAt < secondsMs)
    assert.deepEqual(recipe.remaining(), [])
  })

  test("its test finds a program in which each request refreshes by itself", async () => {
    const alone = { "refreshing ??= refresh()": "refreshing = refresh()" }
    await using recipe = await openRecipe("refreshing-tokens", "http://127.0.0.1:8080", alone)
    await assert.rejects(recipe.run("node --test"), /✖ refreshes once for many concurrent requests[\s\S]*invalid_grant/)
  })
})
