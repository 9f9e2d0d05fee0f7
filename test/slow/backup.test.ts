import assert from "node:assert/strict"
import { execFileSync } from "node:child_process"
import { createHash } from "node:crypto"
import { existsSync, readdirSync, rmSync } from "node:fs"
import { join } from "node:path"
import { test } from "node:test"
import { Webhook } from "standardwebhooks"
import type { Order } from "../../src/core/domain/orders/contract.ts"
import type { Pet } from "../../src/core/domain/pets/contract.ts"
import { examine } from "../harness/consistency.ts"
import { temporaryDirectory } from "../harness/directory.ts"
import { makeImage, urlOf } from "../harness/images.ts"
import { startReceiver } from "../harness/receiver.ts"
import { mayMount, smallDisk } from "../harness/small-disk.ts"
import { runOnMachine, runPetstore, type Spawned, spawnPetstore } from "../harness/spawn.ts"
import { until } from "../harness/until.ts"

/** What the service has acknowledged to clients. */
type Acknowledged = { pets: Pet[]; orders: Order[]; images: { url: string; sha256: string }[]; users: string[] }

const password = "correct horse battery"

/** Creates, uploads, orders and registers until it is stopped; records each acknowledgement at once. */
function load(petstore: Spawned, acknowledged: Acknowledged) {
  const store = petstore.as("special-key")
  let stopped = false
  const repeat = async (work: (n: number) => Promise<void>) => {
    for (let n = 0; !stopped; n++) await work(n)
  }
  const pet = async (name: string) => (await store.addPet({ body: { name, photoUrls: [], tags: [{ name }] } })).value
  const writing = [
    repeat(async (n) => void acknowledged.pets.push(await pet(`pet ${n}`))),
    repeat(async (n) => void acknowledged.pets.push(await pet(`other pet ${n}`))),
    repeat(async (n) => {
      const { id } = await pet(`ordered ${n}`)
      acknowledged.orders.push((await store.placeOrder({ body: { petId: id } })).value)
    }),
    repeat(async (n) => {
      const { id } = await pet(`pictured ${n}`)
      const upload = new Blob([new Uint8Array(await makeImage("png", 40, 30, n % 200))])
      const url = urlOf(await store.uploadFile({ params: { petId: id }, upload }))
      acknowledged.images.push({ url: new URL(url).pathname, sha256: new URL(url).pathname.slice("/images/".length) })
    }),
    repeat(async (n) => {
      const username = `user-${process.pid}-${n}`
      await store.createUser({ body: { username, password } })
      acknowledged.users.push(username)
    }),
  ]
  return {
    stop: () => {
      stopped = true
      return Promise.all(writing)
    },
    /** Resolves when all clients have failed because the service has ended. */
    broken: Promise.allSettled(writing),
  }
}

const isEnough = ({ pets, orders, images, users }: Acknowledged): boolean =>
  pets.length > 50 && orders.length > 5 && images.length > 3 && users.length > 3

const copy = (of: Acknowledged): Acknowledged => structuredClone(of)

test("everything acknowledged before a backup under load is restored from it after the data directory is lost", async () => {
  await using receiver = await startReceiver()
  using place = temporaryDirectory()
  await using petstore = await spawnPetstore()
  const store = petstore.as("special-key")
  const webhook = (await store.createWebhook({ body: { url: receiver.url, events: ["order.approved"] } })).value
  const key = (await store.createKey({ body: { name: "kept", scopes: ["read:pets"] } })).value
  const used = async () => {
    const { limits } = (await petstore.as("free-key").getOwnAccount()).value
    return limits.map(({ quota, remaining }) => quota - remaining)
  }
  for (let n = 0; n < 5; n++) await petstore.as("free-key").getInventory()
  const acknowledged: Acknowledged = { pets: [], orders: [], images: [], users: [] }
  const first = load(petstore, acknowledged)
  await until(() => isEnough(acknowledged), "too few acknowledgements")

  const [known, events] = [copy(acknowledged), (await store.listEvents({ query: { limit: 1000 } })).value]
  const archive = join(place.path, "archive")
  const made = await runOnMachine(petstore.dataDir, ["backup", archive])
  assert.deepEqual({ code: made.code, stderr: made.stderr }, { code: 0, stderr: "" })
  const during = acknowledged.pets.length - known.pets.length
  await new Promise((resolve) => setTimeout(resolve, 1000))
  await petstore.kill("SIGKILL")
  await first.broken
  rmSync(petstore.dataDir, { recursive: true })

  const restored = await runOnMachine(petstore.dataDir, ["restore", archive])
  assert.deepEqual({ code: restored.code, stderr: restored.stderr }, { code: 0, stderr: "" })
  const { pets, contradictions } = examine(petstore.databaseFile)
  assert.deepEqual(contradictions, [])
  for (const pet of known.pets) assert.deepEqual(pets.get(pet.id), pet)

  await petstore.restart()
  const restarted = petstore.as("special-key")
  for (const order of known.orders)
    assert.deepEqual((await restarted.getOrderById({ params: { orderId: order.id } })).value, order)
  for (const { url, sha256 } of known.images) {
    const bytes = await (await fetch(petstore.url + url)).bytes()
    assert.equal(createHash("sha256").update(bytes).digest("hex"), sha256)
  }
  for (const username of known.users.slice(-3)) {
    await restarted.logIn({ body: { username, password } })
  }
  assert.equal((await petstore.as(key.secret).getPetById({ params: { petId: 1 } })).value.id, 1)
  assert.ok(((await used()).at(-1) ?? 0) >= 5)

  // The feed is unchanged and continues; the webhook's secret still signs.
  const feed = (await restarted.listEvents({ query: { limit: 1000 } })).value
  assert.deepEqual(feed.slice(0, events.length), events)
  const [order] = known.orders
  await restarted.patchOrder({ params: { orderId: order?.id ?? 0 }, body: { status: "approved" } })
  await receiver.until((received) => received.length > 0)
  const [{ body, headers } = { body: "", headers: {} }] = receiver.received
  new Webhook(webhook.secret).verify(body, headers as Record<string, string>)
  const last = feed.at(-1)?.id ?? ""
  const next = feed.length < 1000 ? (await restarted.listEvents({ query: { after: last } })).value : []
  if (feed.length < 1000) assert.equal(next.at(-1)?.event, "order.approved")

  assert.ok(during > 0, "nothing was written while the backup was made")
})

test("a backup or restore killed at any time is never accepted as complete, and the next one succeeds", async () => {
  using place = temporaryDirectory()
  await using petstore = await spawnPetstore()
  const [archive, target] = [join(place.path, "archive"), join(place.path, "target")]
  for (const name of ["", "petstore.db", "files.ndjson", "images", "secret.key"]) {
    const run = await runOnMachine(petstore.dataDir, ["backup", archive], () =>
      existsSync(join(`${archive}.partial`, name)),
    )
    assert.deepEqual({ signal: run.signal, exists: existsSync(archive) }, { signal: "SIGKILL", exists: false }, name)
  }
  assert.equal((await runOnMachine(petstore.dataDir, ["backup", archive])).code, 0)
  assert.deepEqual(readdirSync(place.path), ["archive"])
  assert.equal((await runOnMachine(petstore.dataDir, ["backup", "verify", archive])).code, 0)

  for (const name of ["petstore.db.lock", "petstore.db", "images/database-id", "petstore.db.restored"]) {
    const run = await runOnMachine(target, ["restore", archive], () => existsSync(join(target, name)))
    assert.equal(run.signal, "SIGKILL", name)
    if (!existsSync(join(target, "petstore.db"))) continue
    const started = await runPetstore({ dataDir: target, under: ["timeout", "20"] })
    assert.match(started.stderr, /^petstore: The database is not whole: .+ Run that command again\.\n$/)
  }
  const repeated = await runOnMachine(target, ["restore", archive])
  assert.deepEqual({ code: repeated.code, stderr: repeated.stderr }, { code: 0, stderr: "" })
  await using restored = await spawnPetstore({ dataDir: target })
  assert.equal((await restored.as("special-key").listPets()).value.length, 10)
})

test("on a full disk a backup fails with that reason and leaves nothing", { skip: !mayMount }, async () => {
  using disk = smallDisk()
  await using petstore = await spawnPetstore()
  execFileSync("dd", ["if=/dev/zero", `of=${join(disk.path, "filler")}`, "bs=1M", "count=27"], { stdio: "ignore" })
  execFileSync("dd", ["if=/dev/zero", `of=${join(disk.path, "more")}`, "bs=1k", "count=600"], { stdio: "ignore" })
  const run = await runOnMachine(petstore.dataDir, ["backup", join(disk.path, "archive")])
  assert.match(run.stderr, /^petstore: [^\n]*(no space|disk is full)[^\n]*\n$/i)
  assert.equal(run.code, 1)
  assert.deepEqual(readdirSync(disk.path).sort(), ["filler", "more"])
})
