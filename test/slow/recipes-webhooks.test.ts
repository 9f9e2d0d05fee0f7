import assert from "node:assert/strict"
import { test } from "node:test"
import { steadyClock, systemClock } from "../../src/core/kernel/clock.ts"
import { freePort } from "../harness/free-port.ts"
import { openRecipe } from "../harness/recipe.ts"
import { use, usePetstore } from "../harness/use.ts"
import { testReceiver } from "../harness/webhook-receiver.ts"

testReceiver("receiving-webhooks", "node", "WEBHOOK_SECRET=")
testReceiver("receiving-webhooks-in-python", "python3", "WEBHOOK_SECRET=")
testReceiver("receiving-webhooks-in-go", "go", "WEBHOOK_SECRET=")
testReceiver("receiving-webhooks-in-php", "php", "WEBHOOK_SECRET=")
testReceiver("receiving-webhooks-in-ruby", "ruby", "WEBHOOK_SECRET=")

const petstore = usePetstore({ clock: systemClock, steady: steadyClock })
const recipe = use(async () => openRecipe("receiving-webhooks", petstore.url, { 3000: String(await freePort()) }))

test("the commands of the page about receiving webhooks work in any order", async () => {
  const listening = recipe.start("npx @petstore-service/petstore listen")
  await recipe.run("npx @petstore-service/petstore trigger")
  await listening.waitForOutput("pet.created")
  await recipe.run("npx @petstore-service/petstore webhooks create")
  const receiver = recipe.start("WEBHOOK_SECRET=")
  await receiver.waitForOutput("listening")
  await recipe.run("npx @petstore-service/petstore trigger")
  await receiver.waitForOutput("pet.created")
  assert.deepEqual(recipe.remaining(), [])
})
