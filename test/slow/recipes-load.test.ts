// Runs beside one other file at most.
import assert from "node:assert/strict"
import { describe, test } from "node:test"
import { steadyClock, systemClock } from "../../src/kernel/clock.ts"
import { missingProgram } from "../harness/installed.ts"
import { openRecipe } from "../harness/recipe.ts"
import { use, usePetstore } from "../harness/use.ts"

describe("docs/recipes/load-testing.md", { skip: missingProgram("wrk") }, () => {
  const petstore = usePetstore({ clock: systemClock, steady: steadyClock })
  const recipe = use(() => openRecipe("load-testing", petstore.url))
  const command = (index: number) => recipe.commands[index] as string
  const requestsIn = (said: string) => Number(/(\d+) requests in/.exec(said)?.[1])
  const refusedIn = (said: string) => Number(/Non-2xx or 3xx responses: (\d+)/.exec(said)?.[1] ?? 0)

  test("loads without refusals where there is no limit, and admits what the plan allows where there is one", async () => {
    for (const index of [0, 1]) {
      const said = await recipe.run(command(index))
      assert.ok(requestsIn(said) > 100, said)
      assert.equal(refusedIn(said), 0, said)
      assert.match(said, /99%/)
    }
    await recipe.run(command(2))

    const limited = await recipe.run(command(3))
    assert.ok(requestsIn(limited) > 100, limited)
    const admitted = requestsIn(limited) - refusedIn(limited)
    // Connections whose last response wrk no longer counts.
    assert.ok(admitted <= 60 && admitted >= 56, limited)
    const refused = await recipe.run(command(4))
    assert.match(refused, /^HTTP\/1.1 429/)
    for (const header of ["Retry-After", "RateLimit", "RateLimit-Policy"])
      assert.match(refused, new RegExp(`^${header}: `, "im"))
    assert.deepEqual(recipe.remaining(), [])
  })
})
