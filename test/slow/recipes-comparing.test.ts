// Runs beside two other files at most.
import assert from "node:assert/strict"
import { describe, test } from "node:test"
import { serverUrl } from "../harness/database.ts"
import { openRecipe, secondsMs } from "../harness/recipe.ts"

describe("docs/recipes/comparing-runs.md", { skip: serverUrl && "named sandboxes need SQLite" }, () => {
  test("compares two runs, and a third with a file, in seconds", async () => {
    await using recipe = await openRecipe("comparing-runs", "http://127.0.0.1:8080")
    const startedAt = performance.now()
    assert.match(await recipe.run("node --test --test-update-snapshots"), /pass 2\n/)
    assert.match(await recipe.run("node --test report.test.mts"), /pass 2\n/)
    assert.ok(performance.now() - startedAt < secondsMs)
    assert.deepEqual(recipe.remaining(), [])
  })

  test("its tests find a report that depends on real time", async () => {
    const real = { "[timestamp, id,": "[performance.now(), id," }
    await using recipe = await openRecipe("comparing-runs", "http://127.0.0.1:8080", real)
    await assert.rejects(recipe.run("node --test report.test.mts"), /✖ the report is the same in every run/)
  })
})
