import assert from "node:assert/strict"
import { randomBytes } from "node:crypto"
import { readFileSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { test } from "node:test"
import { mintSecret } from "../../src/core/domain/keys/secret.ts"
import { temporaryDirectory } from "../harness/directory.ts"
import { refusedAs } from "../harness/petstore.ts"
import { runPetstore, spawnPetstore } from "../harness/spawn.ts"

const env = { PETSTORE_PROFILE: "production", PETSTORE_PUBLIC_URL: "https://petstore.example/" }

test("production starts empty, writes its first key to a file, and does not accept the sandbox's keys", async () => {
  await using petstore = await spawnPetstore({ env })
  const secret = petstore.firstKey
  assert.match(secret, /^psk_[0-9A-Za-z]{49}$/)
  assert.match(petstore.stdout, /The first API key, .+ is in .+first-admin-key\.txt/)
  assert.doesNotMatch(petstore.stdout + petstore.stderr, /psk_/)

  const params = { petId: 1 }
  await assert.rejects(petstore.as(secret).getPetById({ params }), refusedAs("pet-not-found"))
  for (const known of ["special-key", "pro-key", "free-key"])
    await assert.rejects(petstore.as(known).getPetById({ params }), refusedAs("unauthorized"))
  const { value } = await petstore.as(secret).addPet({ body: { name: "first", photoUrls: [] } })
  assert.equal(value.id, 1)

  await petstore.kill()
  rmSync(join(petstore.dataDir, "first-admin-key.txt"))
  await petstore.restart()
  assert.doesNotMatch(petstore.stdout, /psk_|first-admin-key/)
  assert.deepEqual((await petstore.as(secret).getPetById({ params })).value, value)
})

test("a first key in its file that was not stored, because the start was killed, is used", async () => {
  using directory = temporaryDirectory()
  const secret = mintSecret(randomBytes)
  const file = join(directory.path, "first-admin-key.txt")
  writeFileSync(file, `${secret}\n`)
  await using petstore = await spawnPetstore({ env, dataDir: directory.path })
  assert.equal(petstore.firstKey, secret)
  assert.deepEqual((await petstore.as(secret).findPetsByStatus()).value, [])
})

test("a first-key file with other content is never overwritten", async () => {
  using directory = temporaryDirectory()
  const file = join(directory.path, "first-admin-key.txt")
  writeFileSync(file, "shopping list")
  const { code, stderr } = await runPetstore({ env, dataDir: directory.path })
  assert.match(stderr, /^petstore: .+first-admin-key\.txt is the file of .+ holds something else[^\n]+\n$/)
  assert.deepEqual({ code, content: readFileSync(file, "utf8") }, { code: 1, content: "shopping list" })
})
