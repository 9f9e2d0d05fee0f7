import assert from "node:assert/strict"
import { test } from "node:test"
import { openRecipe } from "../harness/recipe.ts"
import { use, usePetstore } from "../harness/use.ts"

const petstore = usePetstore()
const recipe = use(() => openRecipe("seeding", petstore.url))
const names = async () => {
  const { value } = await petstore.as("special-key").listPets({ query: { sort: "id", limit: 1000 } })
  return value.map(({ id, name }) => `${id} ${name}`)
}
const own = ["101 Rex", "102 Mia", "103 Kim"]

test("the commands of docs/recipes/seeding.md, run in order, seed as described", async () => {
  const { commands } = recipe
  const counts: number[] = []
  for (const command of commands) {
    const output = await recipe.run(command)
    if (command.startsWith("npx @petstore-service/petstore pets list")) assert.match(output, /103 .*Kim/)
    counts.push((await names()).length)
  }
  assert.deepEqual(counts, [300, 0, 0, 0, 3, 3, 0, 3, 3, 0, 3])
  assert.deepEqual(await names(), own)
})
