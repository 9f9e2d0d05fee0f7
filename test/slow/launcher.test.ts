import assert from "node:assert/strict"
import { readFileSync } from "node:fs"
import { test } from "node:test"
import { spawnPetstore } from "../harness/spawn.ts"

for (const signal of ["SIGTERM", "SIGINT"] as const)
  test(`${signal} to the process of npm start stops the service gracefully`, async () => {
    await using petstore = await spawnPetstore({ launcher: true })
    const { value } = await petstore.as("special-key").addPet({ body: { name: "kept", photoUrls: [] } })
    assert.deepEqual(await petstore.kill(signal), { code: 0, signal: null })
    await petstore.logged({ msg: "stopped" })

    await petstore.restart()
    const { value: kept } = await petstore.as("special-key").getPetById({ params: { petId: value.id } })
    assert.deepEqual(kept, value)
  })

test("Ctrl-C, which a terminal sends to the whole process group, stops the service gracefully", async () => {
  await using petstore = await spawnPetstore({ launcher: true, ownGroup: true })
  process.kill(-petstore.pid, "SIGINT")
  assert.deepEqual(await petstore.ended, { code: 0, signal: null })
  await petstore.logged({ msg: "stopped" })
})

test("the launcher is replaced by the service, with the flag that doubles its speed and few memory arenas", async () => {
  await using petstore = await spawnPetstore({ launcher: true })
  assert.match(readFileSync(`/proc/${petstore.pid}/cmdline`, "utf8"), /node\0--no-allocation-site-pretenuring\0/)
  assert.match(readFileSync(`/proc/${petstore.pid}/environ`, "utf8"), /(^|\0)MALLOC_ARENA_MAX=2\0/)
})
