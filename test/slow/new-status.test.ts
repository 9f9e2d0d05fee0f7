import assert from "node:assert/strict"
import { test } from "node:test"
import { allItems } from "../../src/client/pages.ts"
import { createMigratedDatabase, serverUrl, settingsFor } from "../harness/database.ts"
import { temporaryDirectory } from "../harness/directory.ts"
import { makeVersion } from "../harness/newer-version.ts"
import { startPetstore } from "../harness/petstore.ts"
import { spawnPetstore } from "../harness/spawn.ts"

/** A status that the types of this version do not know. */
const adopted = "adopted" as "sold"
const every = ["available", "pending", "sold", adopted] as const

test("a status added only to PetStatus works in every list and in the inventory", async () => {
  using directory = temporaryDirectory()
  const shared = serverUrl === undefined ? {} : settingsFor(await createMigratedDatabase(serverUrl))
  const env = { ...shared, PETSTORE_DATA_DIR: directory.path }
  const before = await startPetstore({ env })
  const { value: inventory } = await before.as("special-key").getInventory()
  await before[Symbol.asyncDispose]()

  using version = makeVersion((change) =>
    change("src/core/domain/pets/contract.ts", (text) =>
      text.replace('"pending", "sold"]', '"pending", "sold", "adopted"]'),
    ),
  )
  await using petstore = await spawnPetstore({ dataDir: directory.path, tree: version.path, env: shared })
  const store = petstore.as("special-key")
  const assertInventory = async (available: number, sold: number, adopted: number) =>
    assert.deepEqual((await store.getInventory()).value, {
      available: inventory.available + available,
      pending: inventory.pending,
      sold: inventory.sold + sold,
      adopted,
    })
  await assertInventory(0, 0, 0)

  const add = async (name: string, status: (typeof every)[number], tags: string[]) => {
    const body = { name, photoUrls: [], status, category: { name: "Ferrets" }, tags: tags.map((name) => ({ name })) }
    return (await store.addPet({ body })).value.id
  }
  const [first, second] = [await add("Zoë", adopted, ["calm"]), await add("zoltan", "available", ["calm", "young"])]
  const last = await add("Zuzu", adopted, ["young"])
  const ids = async (list: AsyncIterable<{ id: number }>) => {
    const found = (await Array.fromAsync(list)).map(({ id }) => id)
    return found.filter((id) => id >= first)
  }

  const all = [last, second, first]
  for (const limit of [1, 100]) {
    const list = (query: object) => ids(allItems(store.listPets, { query: { limit, ...query } }))
    assert.deepEqual(await list({}), all)
    assert.deepEqual(await list({ sort: "id" }), all.toReversed())
    assert.deepEqual(await list({ status: every }), all)
    assert.deepEqual(await list({ status: [adopted] }), [last, first])
    assert.deepEqual(await list({ sort: "name" }), [second, first, last])
    assert.deepEqual(await list({ sort: "-name", status: [adopted, "sold"] }), [last, first])
    assert.deepEqual(await list({ name: "zO" }), [second, first])
    assert.deepEqual(await list({ category: ["Ferrets"] }), all)
    assert.deepEqual(await list({ category: ["Ferrets", "Dogs"], status: [adopted] }), [last, first])
    assert.deepEqual(await list({ tag: ["calm"] }), [second, first])
    assert.deepEqual(await list({ tag: ["young", "calm"], status: [adopted] }), [last, first])
    const query = { limit, status: [adopted] }
    assert.deepEqual(await ids(allItems(store.findPetsByStatus, { query })), [last, first])
    assert.deepEqual(await ids(allItems(store.findPetsByTags, { query: { limit, tags: ["young", "calm"] } })), all)
  }

  await assertInventory(1, 0, 2)
  await store.patchPet({ params: { petId: second }, body: { status: adopted } })
  await assertInventory(0, 0, 3)
  await store.patchPet({ params: { petId: first }, body: { status: "sold" } })
  await assertInventory(0, 1, 2)
  await store.deletePet({ params: { petId: last } })
  await assertInventory(0, 1, 1)
})
