import assert from "node:assert/strict"
import { test } from "node:test"
import { petstoreCommand } from "../harness/command-line.ts"
import { refusedAs } from "../harness/petstore.ts"
import { usePetstore } from "../harness/use.ts"

const petstore = usePetstore()
const store = petstore.as("special-key")

const now = () => new Date(petstore.clock.now()).toISOString()
const add = async (name: string) => (await store.addPet({ body: { name, photoUrls: [] } })).value.id
const timesOf = async (petId: number) => {
  const { createdAt, updatedAt } = (await store.getPetRecord({ params: { petId } })).value
  return { createdAt, updatedAt }
}

test("a record has the times when the pet was added and last changed, by every kind of change", async () => {
  const added = now()
  const id = await add("timed")
  assert.deepEqual(await timesOf(id), { createdAt: added, updatedAt: added })
  const changes: (() => Promise<unknown>)[] = [
    () => store.patchPet({ params: { petId: id }, body: { name: "renamed" } }),
    () => store.updatePet({ body: { id, name: "replaced", photoUrls: [] } }),
    () => store.updatePetWithForm({ params: { petId: id }, body: { status: "available", name: "formed" } }),
    () => store.placeOrder({ body: { petId: id } }),
  ]
  for (const change of changes) {
    petstore.clock.advance(60_000)
    await change()
    assert.deepEqual(await timesOf(id), { createdAt: added, updatedAt: now() })
  }
  petstore.clock.advance(60_000)
  await store.patchPet({ params: { petId: id }, body: {} })
  assert.notEqual((await timesOf(id)).updatedAt, now(), "nothing changed")
})

test("a record is the pet and its times, and the pet itself keeps the classic members", async () => {
  const id = await add("classic")
  const [pet, record] = [
    await store.getPetById({ params: { petId: id } }),
    await store.getPetRecord({ params: { petId: id } }),
  ]
  assert.deepEqual({ ...pet.value, createdAt: now(), updatedAt: now() }, record.value)
  assert.ok(!pet.text.includes("At"))
  await assert.rejects(store.getPetRecord({ params: { petId: 987_654 } }), refusedAs("pet-not-found"))
})

test("records are listed as pets are, in every order, page by page and with the total", async () => {
  for (const query of [
    { limit: 3 },
    { status: ["sold" as const] },
    { name: "cat", sort: "-name" as const },
    { tag: ["tag3"], sort: "id" as const },
  ]) {
    const headers = { prefer: "count=exact" }
    const [pets, records] = [
      await store.listPets({ query }, { headers }),
      await store.listPetRecords({ query }, { headers }),
    ]
    assert.ok(pets.value.length > 0)
    assert.deepEqual(
      records.value.map(({ createdAt, updatedAt, ...pet }) => (createdAt && updatedAt ? pet : undefined)),
      pets.value,
    )
    for (const name of ["link", "total-count"])
      assert.equal(records.headers.get(name)?.replace("/pets?", "/pet?"), pets.headers.get(name) ?? undefined, name)
  }
  await assert.rejects(store.listPetRecords({ query: { tag: ["a"], name: "b" } }), refusedAs("invalid-parameter"))
})

test("events of a change have the times, and pet.created has exactly the members it promises", async () => {
  const [added, id] = [now(), await add("announced")]
  petstore.clock.advance(1000)
  const changed = now()
  await store.patchPet({ params: { petId: id }, body: { status: "sold" } })
  petstore.clock.advance(1000)
  await store.deletePet({ params: { petId: id } })
  const { value: events } = await store.listEvents({ query: { sort: "-id", limit: 3 } })
  const times = { createdAt: added, updatedAt: changed }
  assert.deepEqual(
    events.map(({ event, data }) => [event, data]),
    [
      ["pet.deleted", { id, name: "announced", status: "sold", ...times }],
      ["pet.updated", { id, name: "announced", status: "sold", ...times }],
      ["pet.created", { id, name: "announced", status: "available" }],
    ],
  )
  assert.deepEqual(events.map(({ timestamp }) => timestamp).slice(1), [changed, added])
})

test("an export has the times in every format, and an import of it adds the pets as new ones", async () => {
  const run = (...argv: string[]) => petstoreCommand(petstore.url, argv)
  const sold = (await run("export", "--status", "sold")).out.trimEnd().split("\n")
  assert.ok(sold.length > 0 && sold.every((line) => JSON.parse(line).createdAt <= JSON.parse(line).updatedAt))
  const csv = (await run("export", "--format", "csv")).out
  assert.match(csv, /^\ufeffid,name,category,status,tags,photoUrls,createdAt,updatedAt\r\n/)
  for (const format of ["ndjson", "json", "csv"]) {
    const { out } = await run("export", "--format", format)
    petstore.clock.advance(60_000)
    const { code, err } = await petstoreCommand(petstore.url, ["import", "-", "--new-ids"], { stdin: out })
    assert.equal(code, 0, err)
    const [newest] = (await store.listPetRecords({ query: { limit: 1 } })).value
    assert.equal(newest?.createdAt, now())
  }
})
