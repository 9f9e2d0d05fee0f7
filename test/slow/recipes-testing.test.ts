import assert from "node:assert/strict"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { describe, test } from "node:test"
import { serverUrl } from "../harness/database.ts"
import { openRecipe } from "../harness/recipe.ts"

const page = () => openRecipe("../testing", "http://127.0.0.1:9")

describe("docs/testing.md", { skip: serverUrl && "named sandboxes need SQLite" }, () => {
  test("its tests pass in the project that npm init makes, which is CommonJS", async () => {
    await using recipe = await page()
    await recipe.run("npm init -y")
    assert.equal(JSON.parse(readFileSync(join(recipe.path, "package.json"), "utf8")).type, "commonjs")
    assert.match(await recipe.run("node --test pets.test.mjs"), /pass 1\n/)
    assert.match(await recipe.run("node --test sandbox.test.mjs"), /pass 3\n/)
    // The package is there already, as npm install would unpack it.
    assert.deepEqual(recipe.remaining(), ["npm install --save-dev ./petstore-service-petstore-0.2.0.tgz"])
  })

  test("its tests find a program that repeats a request with another key", async () => {
    const other = {
      '"idempotency-key": randomUUID() }\n': "}\n",
      "headers, body:": 'headers: { ...headers, "idempotency-key": randomUUID() }, body:',
    }
    await using recipe = await openRecipe("../testing", "http://127.0.0.1:9", other)
    await assert.rejects(recipe.run("node --test sandbox.test.mjs"), /✖ a lost response is repeated with the same key/)
  })
})
