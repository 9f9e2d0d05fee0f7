import assert from "node:assert/strict"
import { join } from "node:path"
import { describe, test } from "node:test"
import { serverUrl } from "../harness/database.ts"
import { freePort } from "../harness/free-port.ts"
import { packageName } from "../harness/package.ts"
import { openRecipe } from "../harness/recipe.ts"

const readme = "../../README"
/** The test in it imports the source: packing the package takes longer than everything else. */
const source = { [packageName]: join(import.meta.dirname, "..", "..", "src", "public", "petstore.ts") }

describe("README.md", { skip: serverUrl && "named sandboxes need SQLite" }, () => {
  test("its commands start the service and respond as it shows, from the first to the last", async () => {
    await using recipe = await openRecipe(readme, `http://127.0.0.1:${await freePort()}`, source)
    await recipe.start("npm start").waitForShown()
    for (const command of recipe.remaining()) await recipe.run(command)
    assert.ok(recipe.commands.length >= 9)
    assert.deepEqual(recipe.remaining(), [])
  })

  test("a response that differs from the shown one is found", async () => {
    const other = { ...source, '"id":11': '"id":12' }
    await using recipe = await openRecipe(readme, `http://127.0.0.1:${await freePort()}`, other)
    await recipe.start("npm start").waitForShown()
    await assert.rejects(recipe.run(recipe.remaining()[0] as string), /not as the page shows: {"id":12/)
  })
})
