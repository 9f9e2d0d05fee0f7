// Runs alone.
import assert from "node:assert/strict"
import { test } from "node:test"
import { type Spawned, spawnPetstore } from "../harness/spawn.ts"

test("a restart half-way admits no more; a crash admits no more than what it forgot", async () => {
  await using petstore = await spawnPetstore({ env: { PETSTORE_PLAN_FREE: "1000/minute, 60/day" } })
  assert.equal(await admitted(petstore, 40), 40)
  await petstore.kill("SIGTERM")
  await petstore.restart()
  assert.equal(await admitted(petstore, 5), 5)
  await petstore.kill("SIGKILL")
  await petstore.restart()
  const more = await admitted(petstore, 50)
  assert.ok(more >= 15 && more <= 20, `${more} admitted`)
})

/** How many of so many requests at once are admitted. */
async function admitted(petstore: Spawned, times: number): Promise<number> {
  const free = petstore.as("free-key")
  const asked = Array.from({ length: times }, () => free.getPetById({ params: { petId: 1 } }))
  return (await Promise.allSettled(asked)).filter(({ status }) => status === "fulfilled").length
}
