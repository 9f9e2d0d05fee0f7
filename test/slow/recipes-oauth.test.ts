import assert from "node:assert/strict"
import { test } from "node:test"
import { steadyClock, systemClock } from "../../src/core/kernel/clock.ts"
import { freePort } from "../harness/free-port.ts"
import { person } from "../harness/person.ts"
import { openRecipe } from "../harness/recipe.ts"
import { usePetstore } from "../harness/use.ts"

const petstore = usePetstore({ clock: systemClock, steady: steadyClock })

test("docs/recipes/oauth.md signs a person in with the defaults of openid-client 5", async () => {
  await using recipe = await openRecipe("oauth", petstore.url, { 3000: String(await freePort()) })
  await recipe.run("npm install")
  const signingIn = recipe.start("node library.mjs")
  await signingIn.waitForOutput("Open ")
  const visitor = person(petstore.url)
  await visitor.go(signingIn.output().trim().replace("Open ", ""))
  await visitor.signIn("user1", "password1")
  const { url: back } = await visitor.allow()
  assert.equal(await (await fetch(back)).text(), "Back to the terminal.")
  await signingIn.waitForEnd()
  assert.match(signingIn.output(), /User \d+ signed in/)
})
