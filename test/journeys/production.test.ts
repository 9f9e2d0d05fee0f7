import assert from "node:assert/strict"
import { test } from "node:test"
import { refusedAs } from "../harness/petstore.ts"
import { spawnPetstore } from "../harness/spawn.ts"

const env = { PETSTORE_PROFILE: "production", PETSTORE_PUBLIC_URL: "https://petstore.example/" }

test("production starts empty, shows its first key once, and knows none of the sandbox's", async () => {
  await using petstore = await spawnPetstore({ env })
  const [secret = "", ...more] = petstore.stdout.match(/psk_\w+/g) ?? []
  assert.match(secret, /^psk_[0-9A-Za-z]{49}$/)
  assert.deepEqual(more, [])
  assert.ok(!JSON.stringify(await petstore.logged({ msg: "listening" })).includes(secret))

  const params = { petId: 1 }
  await assert.rejects(petstore.as(secret).getPetById({ params }), refusedAs("pet-not-found"))
  for (const known of ["special-key", "pro-key", "free-key"])
    await assert.rejects(petstore.as(known).getPetById({ params }), refusedAs("unauthorized"))
  const { value } = await petstore.as(secret).createPet({ body: { name: "first", photoUrls: [] } })
  assert.equal(value.id, 1)

  await petstore.kill()
  await petstore.restart()
  assert.doesNotMatch(petstore.stdout, /psk_/)
  assert.deepEqual((await petstore.as(secret).getPetById({ params })).value, value)
})

test("the first key still works when production is killed right after its first start", async () => {
  await using petstore = await spawnPetstore({ env })
  const [secret = ""] = petstore.stdout.match(/psk_\w+/) ?? []
  await petstore.kill("SIGKILL")
  await petstore.restart()
  const { value } = await petstore.as(secret).findPetsByStatus()
  assert.deepEqual(value, [])
})
