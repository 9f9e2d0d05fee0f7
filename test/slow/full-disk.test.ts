// Runs beside two other files at most.
import assert from "node:assert/strict"
import { execFileSync } from "node:child_process"
import { existsSync } from "node:fs"
import { join } from "node:path"
import { test } from "node:test"
import { Refused } from "../../src/client/client.ts"
import { checkReadiness } from "../../src/client/readiness.ts"
import type { Pet } from "../../src/core/domain/pets/contract.ts"
import { examine } from "../harness/consistency.ts"
import { refusedAs } from "../harness/petstore.ts"
import { reportEffort } from "../harness/report-effort.ts"
import { mayMount, smallDisk } from "../harness/small-disk.ts"
import { type Spawned, spawnPetstore } from "../harness/spawn.ts"
import { until } from "../harness/until.ts"

const fileBytesMax = 3_000_000
const petsMax = 2_000

const hasPrlimit = (process.env.PATH ?? "").split(":").some((path) => existsSync(join(path, "prlimit")))

test("on a full disk writes return 503 and change nothing, reads continue, and writes succeed again once there is space", {
  skip: !hasPrlimit,
}, async (t) => {
  await using petstore = await spawnPetstore({ under: ["prlimit", `--fsize=${fileBytesMax}:unlimited`] })
  const acknowledged = [...(await fill(petstore, 50)), ...(await fill(petstore, 0))]
  for (let n = 0; n < 50; n++) await assert.rejects(create(petstore, 50), assertUnavailable)
  const askToken = () =>
    fetch(`${petstore.url}/oauth/token`, {
      method: "POST",
      headers: { authorization: `Basic ${btoa("sample-client-id:sample-client-secret")}` },
      body: new URLSearchParams({ grant_type: "client_credentials" }),
    })
  let token = await askToken()
  // A checkpoint that a busy machine makes late leaves space in the log.
  for (let n = 0; token.ok && n < 10; n++) {
    acknowledged.push(...(await fill(petstore, 0)))
    token = await askToken()
  }
  const { error } = (await token.json()) as { error: string }
  assert.deepEqual([token.status, token.headers.get("retry-after"), error], [503, "5", "temporarily_unavailable"])
  assert.match(await unreadiness(petstore), /^Nothing can be written: (the disk is full|the disk reported an error)/)

  const store = petstore.as("special-key")
  for (const pet of [...acknowledged.slice(0, 3), ...acknowledged.slice(-3)])
    assert.deepEqual((await store.getPetById({ params: { petId: pet.id } })).value, pet)
  const [read] = (await store.listEvents()).value
  assert.equal(read?.event, "pet.created")
  assert.ok((await store.findPetsByStatus()).value.length > 0)
  assert.ok((await store.getInventory()).value)

  await petstore.logged({ level: 50 })
  const lines = petstore.stdout.split("\n").filter((line) => line.includes('"level":50'))
  const causes = lines.map((line) => JSON.parse(line).err?.message)
  assert.deepEqual(causes, [...new Set(causes)], "one line per cause")

  execFileSync("prlimit", ["--pid", String(petstore.pid), "--fsize=unlimited"])
  acknowledged.push(await create(petstore))
  assert.ok((await checkReadiness(petstore.url)).isReady)
  assert.deepEqual(await petstore.kill("SIGTERM"), { code: 0, signal: null })

  const { pets, contradictions } = examine(petstore.databaseFile)
  assert.deepEqual(contradictions, [])
  assert.equal(pets.size, 10 + acknowledged.length)
  for (const pet of acknowledged) assert.deepEqual(pets.get(pet.id), pet)
  reportEffort(t, { acknowledged: acknowledged.length, "refused changes at least": 50 })
})

test("on a full disk images are refused, and deleting pets frees space for others, also after a restart", {
  skip: !mayMount,
}, async () => {
  using disk = smallDisk()
  await using petstore = await spawnPetstore({ dataDir: join(disk.path, "data") })
  const acknowledged = [...(await fill(petstore, 50)), ...(await fill(petstore, 0))]
  const upload = () =>
    petstore.as("special-key").uploadFile({ params: { petId: 1 }, upload: new Blob(["x".repeat(1000)]) })
  const remove = (pet: Pet) => petstore.as("special-key").deletePet({ params: { petId: pet.id } })

  await assert.rejects(upload(), refusedAs("unavailable"))
  assert.match((await checkReadiness(petstore.url)).reason, /^Nothing can be written: the disk is full/)
  for (const pet of acknowledged.slice(0, 20)) await remove(pet)
  await create(petstore, 50)
  await fill(petstore, 50)
  await petstore.kill("SIGTERM")
  await petstore.restart()
  await fill(petstore, 50)
  for (const pet of acknowledged.slice(20, 40)) await remove(pet)
  await create(petstore, 50)

  disk.grow()
  const isReady = async () => (await checkReadiness(petstore.url)).isReady
  await until(isReady, "it does not become ready without a write")
})

/** Adds pets with this number of images until one is refused; resolves with the acknowledged ones. */
async function fill(petstore: Spawned, images: number): Promise<Pet[]> {
  const acknowledged: Pet[] = []
  for (let n = 0; n < petsMax; n++)
    try {
      acknowledged.push(await create(petstore, images))
    } catch (error) {
      assertUnavailable(error)
      return acknowledged
    }
  throw new Error(`${petsMax} pets fit in ${fileBytesMax} bytes`)
}

/**
 * The reason why the service is not ready. Readiness follows the last write, and the probe's, which is smaller than a
 * pet, may still fit; a few such writes fill the rest.
 */
async function unreadiness(petstore: Spawned): Promise<string> {
  for (let n = 0; n < petsMax; n++) {
    await assert.rejects(create(petstore, 50), assertUnavailable)
    const { isReady, reason } = await checkReadiness(petstore.url)
    if (!isReady) return reason
  }
  throw new Error("it stays ready although writes are refused")
}

async function create(petstore: Spawned, images = 0): Promise<Pet> {
  const body = { name: "large", photoUrls: Array(images).fill("x".repeat(1000)), tags: [{ name: "large" }] }
  return (await petstore.as("special-key").addPet({ body })).value
}

function assertUnavailable(error: unknown): true {
  assert.ok(error instanceof Refused)
  assert.deepEqual({ status: error.problem.status, code: error.problem.code }, { status: 503, code: "unavailable" })
  assert.match(error.headers.get("retry-after") ?? "", /^\d+$/)
  return true
}
