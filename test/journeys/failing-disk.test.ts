import assert from "node:assert/strict"
import { join } from "node:path"
import { test } from "node:test"
import { examine } from "../harness/consistency.ts"
import { spawnPetstore } from "../harness/spawn.ts"

const failingDisk = join(import.meta.dirname, "..", "harness", "failing-disk.ts")

test("when the disk does not take a commit the service says so and ends, acknowledges nothing more, and starts again", async () => {
  await using petstore = await spawnPetstore({ env: { NODE_OPTIONS: `--import=${failingDisk}` } })
  const create = async (name: string) =>
    (await petstore.as("special-key").addPet({ body: { name, photoUrls: [] } })).value
  const acknowledged = [await create("before"), await create("before, too")]

  process.kill(petstore.pid, "SIGUSR2")
  await petstore.logged({ msg: "disk fails from now on" })
  await assert.rejects(create("unknown"), /fetch failed|terminated/)
  assert.deepEqual(await petstore.ended, { code: 1, signal: null })
  const { level, err } = await petstore.logged({ msg: "ended by an error" })
  assert.equal(level, 50)
  assert.match((err as { message: string }).message, /^the disk failed/)

  await petstore.restart()
  acknowledged.push(await create("after"))
  await petstore.kill("SIGTERM")
  const { pets, contradictions } = examine(petstore.databaseFile)
  assert.deepEqual(contradictions, [])
  for (const pet of acknowledged) assert.deepEqual(pets.get(pet.id), pet)
})
