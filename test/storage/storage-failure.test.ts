import assert from "node:assert/strict"
import { statSync, writeFileSync } from "node:fs"
import { test } from "node:test"
import { StoreUnavailable } from "../../src/core/domain/ports/store.ts"
import { samplePet } from "../conformance/store/samples.ts"
import { refusedAs, startPetstore } from "../harness/petstore.ts"

test("a corrupted pet is 503 for its reader, and its request does not stay counted as under way", async () => {
  const petstore = await startPetstore({ load: { requestsMax: 3 } })
  await using opened = new AsyncDisposableStack()
  // Stopping fails when counts are still to be stored, which depends on how long the test took.
  opened.defer(() => petstore[Symbol.asyncDispose]().catch((error) => assert.ok(error instanceof StoreUnavailable)))
  const caller = petstore.as("special-key")
  await petstore.store.transaction(async (tx) => {
    for (let id = 1001; id <= 3000; id++) await tx.pets.add([samplePet(id, { photoUrls: ["x".repeat(500)] })])
  })
  await caller.getPetById({ params: { petId: 1 } })

  for (const file of [petstore.databaseFile, `${petstore.databaseFile}-wal`])
    writeFileSync(file, Buffer.alloc(statSync(file).size, 0xff), { flag: "r+" })
  for (let n = 0; n < 10; n++)
    await assert.rejects(caller.getPetById({ params: { petId: 2500 } }), refusedAs("unavailable"))
})
