// Runs beside two other files at most.
import assert from "node:assert/strict"
import { describe, test } from "node:test"
import { steadyClock, systemClock } from "../../src/core/kernel/clock.ts"
import { serverUrl } from "../harness/database.ts"
import { openRecipe, secondsMs } from "../harness/recipe.ts"
import { usePetstore } from "../harness/use.ts"

describe("docs/recipes/time.md", { skip: serverUrl && "named sandboxes need SQLite" }, () => {
  const petstore = usePetstore({ clock: systemClock, steady: steadyClock })

  test("tests a client through a day, a month and a forged webhook in seconds", async () => {
    await using recipe = await openRecipe("time", petstore.url)
    const startedAt = performance.now()
    assert.match(await recipe.run("node --test shop.test.mts"), /pass 3\n/)
    assert.ok(performance.now() - startedAt < secondsMs)
    assert.deepEqual(recipe.remaining(), [])
  })

  test("its tests detect a receiver that accepts forged webhooks", async () => {
    const broken = {
      "genuine ? 204 : 400": "204",
      'genuine?.event.event ?? "forged"': "JSON.parse(String(body)).event",
    }
    await using recipe = await openRecipe("time", petstore.url, broken)
    await assert.rejects(recipe.run("node --test shop.test.mts"), /✖ a webhook with a forged signature/)
  })
})
