import assert from "node:assert/strict"
import { test } from "node:test"
import { steadyClock, systemClock } from "../../src/core/kernel/clock.ts"
import { freePort } from "../harness/free-port.ts"
import { missingProgram } from "../harness/installed.ts"
import { person } from "../harness/person.ts"
import { openRecipe } from "../harness/recipe.ts"
import { usePetstore } from "../harness/use.ts"

const petstore = usePetstore({ clock: systemClock, steady: steadyClock })

test("docs/recipes/oauth.md gets, uses, refreshes, inspects and revokes a token, with the responses it shows", {
  skip: missingProgram("jq"),
}, async () => {
  await using recipe = await openRecipe("oauth", petstore.url, { 3000: String(await freePort()) })
  const signingIn = recipe.start("node sign-in.mjs")
  await signingIn.waitForOutput("Open ")
  const visitor = person(petstore.url)
  await visitor.go(signingIn.output().trim().replace("Open ", ""))
  await visitor.signIn("user1", "password1")
  const { url: back } = await visitor.allow()
  assert.equal(await (await fetch(back)).text(), "Back to the terminal.")
  await signingIn.waitForEnd()

  // What needs a package is in recipes-oauth.test.ts.
  const offline = recipe.commands.indexOf("npm install openid-client@5.7.1")
  for (const command of recipe.commands.slice(1, offline)) await recipe.run(command)
  assert.equal(recipe.remaining().length, 2)
})
