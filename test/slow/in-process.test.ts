import assert from "node:assert/strict"
import { existsSync, readdirSync, rmSync } from "node:fs"
import { join } from "node:path"
import { test } from "node:test"
import { createPetstoreClient } from "../../src/public/client.ts"
import { createPetstore } from "../../src/public/petstore.ts"
import { temporaryDirectory } from "../harness/directory.ts"

const client = ({ url }: { url: string }) => createPetstoreClient({ url, apiKey: "special-key", retries: 0 })
const add = { body: { name: "Rex", photoUrls: [] } }

test("two services in one process are independent, and neither responds after close", async () => {
  await using one = await createPetstore()
  const two = await createPetstore({ memory: existsSync("/dev/shm") })
  const { value: rex } = await client(one).addPet(add)
  await assert.rejects(client(two).getPetById({ params: { petId: rex.id } }), { code: "pet-not-found" })
  await two.close()
  await two.close()
  await assert.rejects(client(two).getPetById({ params: { petId: 1 } }), TypeError)
  assert.equal((await client(one).getPetById({ params: { petId: rex.id } })).value.name, "Rex")
})

test("a data directory is kept and can be reused", async () => {
  using directory = temporaryDirectory()
  const dataDir = join(directory.path, "new", "data")
  const first = await createPetstore({ dataDir, seed: [{ name: "Ada", photoUrls: [] }] })
  const { value: rex } = await client(first).addPet(add)
  await first.close()
  assert.ok(readdirSync(dataDir).includes("petstore.db"))
  await using again = await createPetstore({ dataDir })
  assert.equal((await client(again).getPetById({ params: { petId: rex.id } })).value.name, "Rex")
})

test("settings and the log function are applied", async () => {
  const lines: string[] = []
  await using petstore = await createPetstore({
    settings: { PETSTORE_PLAN_FREE: "1/minute, 9/day" },
    log: (line) => lines.push(line),
  })
  const free = createPetstoreClient({ url: petstore.url, apiKey: "free-key", retries: 0 })
  await free.getPetById({ params: { petId: 1 } })
  await assert.rejects(free.getPetById({ params: { petId: 1 } }), { status: 429 })
  const operations = lines.map((line) => JSON.parse(line).operation)
  assert.deepEqual(operations.filter((operation) => operation === "getPetById").length, 2)
})

test("close and a failed start leave no files", async (t) => {
  using directory = temporaryDirectory()
  const { TMPDIR = "/tmp" } = process.env
  process.env.TMPDIR = directory.path
  t.after(() => {
    process.env.TMPDIR = TMPDIR
  })
  const petstore = await createPetstore()
  assert.equal(readdirSync(directory.path).length, 1)
  await petstore.close()
  await assert.rejects(createPetstore({ settings: { PETSTORE_PLAN_FREE: "many" } }), /PETSTORE_PLAN_FREE/)
  assert.deepEqual(readdirSync(directory.path), [])
  const removed = await createPetstore()
  for (const name of readdirSync(directory.path)) rmSync(join(directory.path, name), { recursive: true })
  await removed.close()
})

test("a named sandbox has a clock of its own, and a fork of it starts from its state", async () => {
  await using petstore = await createPetstore()
  const fixture = petstore.sandbox("fixture")
  assert.equal(fixture.url, `${petstore.url}/s/fixture`)
  await client(fixture).addPet(add)
  await fixture.advanceClock({ body: { advance: "P1D" } })
  await fixture.forkSandbox({ body: { name: "run-1" } })
  const run = petstore.sandbox("run-1")
  assert.equal((await run.getClock()).value.aheadSeconds, 86_400)
  assert.equal((await client(run).getPetById({ params: { petId: 11 } })).value.name, "Rex")
  await assert.rejects(client(petstore).getPetById({ params: { petId: 11 } }), { code: "pet-not-found" })
  await assert.rejects(petstore.sandbox().advanceClock({ body: { advance: "P1D" } }), {
    code: "named-sandbox-required",
  })
})
