import assert from "node:assert/strict"
import { test } from "node:test"
import { createKeyUses } from "../../src/core/api/authentication/key-usage.ts"
import type { KeyDraft } from "../../src/core/domain/keys/contract.ts"
import { refusedAs } from "../harness/petstore.ts"
import { usePetstore } from "../harness/use.ts"

const petstore = usePetstore()
const admin = petstore.as("special-key")

const draft = (more: Partial<KeyDraft> = {}): { body: KeyDraft } => ({
  body: { name: "test", scopes: ["read:pets", "manage:keys"], ...more },
})
const pet = { params: { petId: 1 } }

test("neither the database nor the log contains a usable key", async () => {
  const { value: key } = await admin.createKey(draft())
  const stored = await petstore.store.keys.read(key.id)
  assert.ok(stored && !JSON.stringify([stored, petstore.lines]).includes(key.secret))
  await assert.rejects(petstore.as(stored.hash).getPetById(pet), refusedAs("unauthorized"))
})

test("no request sent after the response to a revocation is admitted", async () => {
  const { value: key } = await admin.createKey(draft())
  const client = petstore.as(key.secret)
  const racing = Array.from({ length: 50 }, () => client.getPetById(pet).catch(() => undefined))
  await admin.revokeKey({ params: { id: key.id } })
  const after = Array.from({ length: 50 }, () => assert.rejects(client.getPetById(pet), refusedAs("unauthorized")))
  await Promise.all([...racing, ...after])
})

test("without an overlap the old key is refused at once; concurrent rotations create one successor", async () => {
  const { value: old } = await admin.createKey(draft())
  await petstore.as(old.secret).getPetById(pet)
  const rotate = () => admin.rotateKey({ params: { id: old.id }, query: { overlapSeconds: 0 } })
  const results = await Promise.allSettled([rotate(), rotate(), rotate()])
  assert.equal(results.filter(({ status }) => status === "fulfilled").length, 1)
  await assert.rejects(petstore.as(old.secret).getPetById(pet), refusedAs("unauthorized"))
})

test("several keys of an account share its quota", async () => {
  const { value: account } = await admin.createAccount({ body: { name: "other", plan: "free" } })
  const { value: key } = await admin.createKey(draft({ accountId: account.id }))
  const client = petstore.as(key.secret)
  const secrets = [key.secret]
  for (let n = 0; n < 4; n++) secrets.push((await client.createKey(draft())).value.secret)
  const asked = secrets.flatMap((secret) =>
    Array.from({ length: 20 }, () =>
      petstore
        .as(secret)
        .getPetById(pet)
        .then(
          () => 1,
          () => 0,
        ),
    ),
  )
  // Creating the four keys counted too.
  assert.equal(
    (await Promise.all(asked)).reduce<number>((sum, one) => sum + one, 0),
    56,
  )
})

test("the last use is recorded to the minute, once for many requests", async () => {
  const { store, clock } = petstore
  const uses = createKeyUses(store, clock, (error) => assert.fail(String(error)))
  const { value: key } = await admin.createKey(draft())
  clock.advance(90_500)
  for (let n = 0; n < 100; n++) uses.record(key.id)
  await uses.flush()
  const { value: read } = await admin.getKey({ params: { id: key.id } })
  assert.equal(read.lastUsedAt, new Date(clock.now() - 30_500).toISOString())
})
