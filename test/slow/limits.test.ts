import assert from "node:assert/strict"
import { test } from "node:test"
import { reportEffort } from "../harness/report-effort.ts"
import { type Spawned, spawnPetstore } from "../harness/spawn.ts"

test("a restart within a window admits no additional requests; a crash admits only those it lost", async (t) => {
  await using petstore = await spawnPetstore({ env: { PETSTORE_PLAN_FREE: "1000/minute, 60/day" } })
  assert.equal(await admitted(petstore, 40), 40)
  await petstore.kill("SIGTERM")
  await petstore.restart()
  assert.equal(await admitted(petstore, 5), 5)
  await petstore.kill("SIGKILL")
  await petstore.restart()
  const more = await admitted(petstore, 50)
  reportEffort(t, { kills: 1, calls: 95, "admitted after the kill": more, "that fit": 15 })
  assert.ok(more >= 15 && more <= 20, `${more} admitted`)
})

/** The number of admitted requests among this number of concurrent ones. */
async function admitted(petstore: Spawned, times: number): Promise<number> {
  const free = petstore.as("free-key")
  const requests = Array.from({ length: times }, () => free.getPetById({ params: { petId: 1 } }))
  return (await Promise.allSettled(requests)).filter(({ status }) => status === "fulfilled").length
}
