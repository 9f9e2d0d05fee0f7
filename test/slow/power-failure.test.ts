import assert from "node:assert/strict"
import { execFileSync } from "node:child_process"
import { statSync } from "node:fs"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { describe, test } from "node:test"
import { createPetstoreClient } from "../../src/client/petstore-client.ts"
import { imageParts } from "../../src/core/domain/images/contract.ts"
import { examine } from "../harness/consistency.ts"
import { temporaryDirectory } from "../harness/directory.ts"
import { isThorough } from "../harness/effort.ts"
import { makeImage } from "../harness/images.ts"
import { randomOf } from "../harness/random.ts"
import { reportEffort } from "../harness/report-effort.ts"
import { type Spawned, spawnPetstore } from "../harness/spawn.ts"
import { imageAt, writeImage } from "../power-failure/images.ts"
import { type Act, readRecording, recordedBy } from "../power-failure/recording.ts"

const missing = !mayRecord() && "NOT TESTED: install strace"
const unflushedDisk = join(import.meta.dirname, "..", "harness", "unflushed-disk.ts")
const seed = Number(process.env.SIMULATION ?? Date.now() % 2 ** 32)
/** Images of one recording, and how many of them are opened by a service, too. */
const [images, started] = isThorough ? [600, 10] : [60, 2]
const clients = 4

function mayRecord(): boolean {
  try {
    execFileSync("strace", ["-o", "/dev/null", "true"], { stdio: "ignore" })
    return true
  } catch {
    return false
  }
}

describe("after a power failure at any point of a recorded run", { skip: missing }, () => {
  test("what was acknowledged is there, and each change whole", async (t) => {
    using directory = temporaryDirectory()
    const { acts, dataDir } = await record(directory.path)
    const { pets, orders, images: photos } = knownAt(acts, Number.POSITIVE_INFINITY)
    assert.deepEqual([pets.size, orders.size, photos.size], [10 * clients, 5 * clients, 3 * clients])
    const random = randomOf(seed)
    const faults: string[] = []
    for (let n = 0; n < images; n++) {
      using image = temporaryDirectory()
      const { cut, known } = failure(acts, dataDir, random, image.path)
      faults.push(...faultsOf(image.path, known).map((fault) => `image ${n} at ${cut}: ${fault}`))
      if (n % (images / started) === 0) await opensWith(image.path, known)
    }
    assert.deepEqual(faults.slice(0, 20), [], `SIMULATION=${seed}`)
    const flushes = acts.filter(({ do: what }) => what === "sync").length
    reportEffort(t, { "power failures": images, "of recorded acts": acts.length, flushes, "in flight": clients, seed })
  })

  for (const [file, what] of Object.entries({ "petstore.db-wal": "the log", "petstore.db": "the database" }))
    test(`a service that does not flush ${what} is caught`, async () => {
      using directory = temporaryDirectory()
      const { acts, dataDir } = await record(directory.path, {
        NODE_OPTIONS: `--import=${unflushedDisk}`,
        UNFLUSHED: file,
      })
      const random = randomOf(seed)
      let caught = 0
      for (let n = 0; n < 2 * images && caught < 3; n++) {
        using image = temporaryDirectory()
        const { known } = failure(acts, dataDir, random, image.path)
        if (faultsOf(image.path, known).length > 0) caught++
      }
      assert.equal(caught, 3)
    })
})

/** What clients knew: the last acknowledged version of each pet, the orders, and the hashes of images. */
type Known = { pets: Map<number, number>; orders: Set<number>; images: Set<string> }

/** Records a service from its first start while clients write, until it is killed. */
async function record(path: string, env: Record<string, string> = {}): Promise<{ acts: Act[]; dataDir: string }> {
  const [trace, dataDir] = [join(path, "trace"), join(path, "data")]
  const petstore = await spawnPetstore({ dataDir, env, under: recordedBy(trace) })
  try {
    await Promise.all(Array.from({ length: clients }, (_, client) => write(petstore, client)))
  } finally {
    await petstore[Symbol.asyncDispose]()
  }
  return { acts: await readRecording(trace, dataDir), dataDir }
}

/** A client changes its pets one after the other, some of them with so much that the log is copied into the database. */
async function write(petstore: Spawned, client: number): Promise<void> {
  const api = createPetstoreClient({ url: petstore.url, apiKey: "special-key" })
  const first = 1_000_000 + client * 1000
  for (let n = 0; n < 120; n++) {
    const id = first + (n % 10)
    const photoUrls = n % 3 === 0 ? Array(10).fill(`https://example.com/${"x".repeat(2000)}`) : []
    const body = { id, name: `version ${n}`, photoUrls }
    if (n < 10) await api.addPet({ body })
    else await api.updatePet({ body })
    if (n === 9) for (let k = 0; k < 5; k++) await api.placeOrder({ body: { petId: first + k } })
    if (n % 40 === 39) await upload(petstore.url, id, await makeImage("webp", 16, 16, client * 50 + n / 40))
  }
}

async function upload(url: string, id: number, photo: Buffer): Promise<void> {
  const response = await fetch(`${url}/api/v3/pet/${id}/uploadImage`, {
    method: "POST",
    headers: { api_key: "special-key", "content-type": "application/octet-stream" },
    body: photo,
  })
  assert.equal(response.status, 200, await response.text())
}

/** Writes what a power failure at a random point leaves. */
function failure(acts: readonly Act[], directory: string, random: () => number, path: string) {
  const last = acts.findLast(({ do: what }) => what === "send")?.start ?? 0
  const first = acts.find((act) => act.do === "send" && act.text.startsWith("HTTP/1.1 200"))?.start ?? 0
  const cut = first + Math.floor(random() * (last - first))
  writeImage(imageAt(acts, cut, random), directory, path)
  return { cut, known: knownAt(acts, cut) }
}

/** What responses before `cut` said. */
function knownAt(acts: readonly Act[], cut: number): Known {
  const known: Known = { pets: new Map(), orders: new Set(), images: new Set() }
  for (const act of acts) {
    if (act.start >= cut) break
    if (act.do !== "send" || !act.text.startsWith("HTTP/1.1 200")) continue
    const [, id, version] = /"id":(\d+),"name":"version (\d+)"/.exec(act.text) ?? []
    if (id !== undefined) known.pets.set(Number(id), Number(version))
    const [, order] = /"id":(\d+),"petId":/.exec(act.text) ?? []
    if (order !== undefined) known.orders.add(Number(order))
    const [, image] = /"message":"Image stored at [^"]*\/([0-9a-f]{64})"/.exec(act.text) ?? []
    if (image !== undefined) known.images.add(image)
  }
  return known
}

/** What is lost or contradicts itself in an image. */
function faultsOf(path: string, known: Known): string[] {
  const file = join(path, "petstore.db")
  try {
    return [...lostPets(file, known), ...lostRows(file, path, known)]
  } catch (error) {
    return [(error as Error).message]
  }
}

function lostPets(file: string, { pets }: Known): string[] {
  const found = examine(file)
  const versionOf = (id: number) => Number(found.pets.get(id)?.name.split(" ")[1] ?? -1)
  const lost = [...pets].filter(([id, version]) => versionOf(id) < version)
  return [
    ...found.contradictions,
    ...lost.map(([id, version]) => `pet ${id} has version ${versionOf(id)}, and ${version} was acknowledged`),
  ]
}

function lostRows(file: string, path: string, { orders, images }: Known): string[] {
  using db = new DatabaseSync(file)
  const placed = new Set(
    db
      .prepare("SELECT id FROM orders")
      .all()
      .map(({ id }) => id),
  )
  const stored = db.prepare("SELECT sha256, blob, json FROM images").all() as Record<string, string>[]
  const hashes = new Set(stored.map(({ sha256 }) => sha256))
  const isWhole = ({ blob = "", json = "" }) => {
    const { bytes } = JSON.parse(json)
    return imageParts.every((part) => sizeOf(join(path, "images", "kept", blob, part)) === bytes[part])
  }
  return [
    ...[...orders].filter((id) => !placed.has(id)).map((id) => `order ${id} is lost`),
    ...[...images].filter((hash) => !hashes.has(hash)).map((hash) => `image ${hash} is lost`),
    ...stored.filter((image) => !isWhole(image)).map(({ sha256 }) => `image ${sha256} lacks bytes`),
  ]
}

const sizeOf = (path: string): number | undefined => statSync(path, { throwIfNoEntry: false })?.size

/** A service starts on an image, and has what was acknowledged. */
async function opensWith(dataDir: string, known: Known): Promise<void> {
  await using petstore = await spawnPetstore({ dataDir })
  const api = createPetstoreClient({ url: petstore.url, apiKey: "special-key" })
  for (const [petId, version] of known.pets) {
    const { value } = await api.getPetById({ params: { petId } })
    assert.ok(Number(value.name.split(" ")[1]) >= version)
    await api.updatePet({ body: { ...value, name: "version 1000" } })
  }
}
