// Runs beside two other files at most.
import assert from "node:assert/strict"
import { describe, test } from "node:test"
import { steadyClock, systemClock } from "../../src/core/kernel/clock.ts"
import { missingProgram } from "../harness/installed.ts"
import { openRecipe } from "../harness/recipe.ts"
import { use, usePetstore } from "../harness/use.ts"

describe("docs/recipes/load-testing.md", { skip: missingProgram("wrk") }, () => {
  const petstore = usePetstore({ clock: systemClock, steady: steadyClock })
  const recipe = use(() => openRecipe("load-testing", petstore.url))
  const command = (index: number) => recipe.commands[index] as string
  const requestsIn = (output: string) => Number(/(\d+) requests in/.exec(output)?.[1])
  const refusedIn = (output: string) => Number(/Non-2xx or 3xx responses: (\d+)/.exec(output)?.[1] ?? 0)

  test("without a limit no request is refused, and with a limit the plan's number of requests is admitted", async () => {
    for (const index of [0, 1]) {
      const output = await recipe.run(command(index))
      assert.ok(requestsIn(output) > 100, output)
      assert.equal(refusedIn(output), 0, output)
      assert.match(output, /99%/)
    }
    await recipe.run(command(2))

    const limited = await recipe.run(command(3))
    assert.ok(requestsIn(limited) > 100, limited)
    const admitted = requestsIn(limited) - refusedIn(limited)
    // wrk does not count the last response of some connections.
    assert.ok(admitted <= 60 && admitted >= 56, limited)
    const refused = await recipe.run(command(4))
    assert.match(refused, /^HTTP\/1.1 429/)
    for (const header of ["Retry-After", "RateLimit", "RateLimit-Policy"])
      assert.match(refused, new RegExp(`^${header}: `, "im"))
    assert.deepEqual(recipe.remaining(), [])
  })
})
