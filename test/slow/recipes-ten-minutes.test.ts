import assert from "node:assert/strict"
import { test } from "node:test"
import { openRecipe } from "../harness/recipe.ts"
import { usePetstore } from "../harness/use.ts"

const petstore = usePetstore()

test("the commands of docs/recipes/ten-minutes.md respond as the page says", async () => {
  await using recipe = await openRecipe("ten-minutes", petstore.url)
  const curls = recipe.commands.filter((command) => command.startsWith("curl"))
  assert.match(await recipe.run(curls[0] as string), /"Cat 1"/)
  assert.match(await recipe.run(curls[1] as string), /"id":11,/)
  assert.match(await recipe.run("./petstore pets list"), /^11 +Rex +Dogs/m)
  const mistake = JSON.parse(await recipe.run(curls[2] as string))
  assert.deepEqual([mistake.status, mistake.errors.length], [422, 2])

  const listening = recipe.start("./petstore listen")
  await listening.waitForOutput("Listening")
  await recipe.run("./petstore orders place")
  assert.match(await recipe.run("./petstore orders move"), /status +approved/)
  await listening.waitForOutput("order.approved")
  assert.doesNotMatch(listening.output(), /pet\.created/)

  assert.match(await recipe.run(curls[3] as string), /"status":503/)
  assert.equal((await recipe.run("for n")).replaceAll(/ +/g, " "), " 60 200\n")
  assert.match(await recipe.run("curl -sI"), /Retry-After: \d+/)
  assert.match(await recipe.run("./petstore reset"), /ten|10|reset/i)
  assert.deepEqual(recipe.remaining(), [])
})
