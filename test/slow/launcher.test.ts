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

test("Ctrl-C, which a terminal sends to launcher and service, stops the service gracefully", async () => {
  await using petstore = await spawnPetstore({ launcher: true, ownGroup: true })
  process.kill(-petstore.pid, "SIGINT")
  assert.deepEqual(await petstore.ended, { code: 0, signal: null })
  await petstore.logged({ msg: "stopped" })
})

test("after its launcher was killed, the service stops gracefully", async () => {
  await using petstore = await spawnPetstore({ launcher: true })
  await petstore.as("special-key").getPetById({ params: { petId: 1 } })
  assert.deepEqual(await petstore.kill("SIGKILL"), { code: null, signal: "SIGKILL" })
  await petstore.logged({ msg: "stopped" })
  await petstore.restart()
})

test("the launcher starts the service with the flag that doubles its speed, and with few memory arenas", async () => {
  await using petstore = await spawnPetstore({ launcher: true })
  const child = readFileSync(`/proc/${petstore.pid}/task/${petstore.pid}/children`, "utf8").trim()
  assert.match(readFileSync(`/proc/${child}/cmdline`, "utf8"), /--no-allocation-site-pretenuring\0/)
  assert.match(readFileSync(`/proc/${child}/environ`, "utf8"), /(^|\0)MALLOC_ARENA_MAX=2\0/)
})
