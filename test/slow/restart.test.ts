import assert from "node:assert/strict"
import { test } from "node:test"
import { spawnPetstore } from "../harness/spawn.ts"

test("after a restart on the same data everything exists", async () => {
  await using petstore = await spawnPetstore()
  const body = { name: "Ünïcødé 🐕‍🦺", photoUrls: ["a"], category: { name: "Dogs" }, tags: [{ name: "new" }] }
  const before = await petstore.as("special-key").addPet({ body })
  assert.deepEqual(await petstore.kill("SIGTERM"), { code: 0, signal: null })

  await petstore.restart()
  const after = await petstore.as("special-key").getPetById({ params: { petId: before.value.id } })
  assert.deepEqual(after.value, before.value)
  assert.equal(after.headers.get("etag"), before.headers.get("etag"))
  const next = await petstore.as("special-key").addPet({ body })
  assert.deepEqual({ id: next.value.id, tags: next.value.tags }, { id: before.value.id + 1, tags: before.value.tags })
})
