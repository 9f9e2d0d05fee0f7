import assert from "node:assert/strict"
import { hash } from "node:crypto"
import { after, before, test } from "node:test"
import { refusedAs, startPetstore } from "../../../test/harness/petstore.ts"

let petstore: Awaited<ReturnType<typeof startPetstore>>
before(async () => {
  petstore = await startPetstore()
})
after(() => petstore[Symbol.asyncDispose]())

test("a key revoked in storage is refused as soon as the signal has been heard", async () => {
  const { store, signals } = petstore
  const free = petstore.as("free-key")
  await free.getPetById({ params: { petId: 1 } })
  const found = await store.keys.byHash(hash("sha256", "free-key"))
  assert.ok(found && (await store.transaction((tx) => tx.keys.revoke(found.key.id, found.account.id, 0))))
  await signals.announce({ kind: "credentials-changed", accountId: found.account.id })
  await assert.rejects(free.getPetById({ params: { petId: 1 } }), refusedAs("unauthorized"))
})
