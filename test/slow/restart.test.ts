import assert from "node:assert/strict"
import { readdirSync, readFileSync, truncateSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { test } from "node:test"
import { createPetstoreClient } from "../../src/client/petstore-client.ts"
import { createSandboxClient } from "../../src/parts/sandbox/client/sandbox-client.ts"
import { serverUrl } from "../harness/database.ts"
import { makeImage } from "../harness/images.ts"
import { startReceiver } from "../harness/receiver.ts"
import { type Spawned, spawnPetstore } from "../harness/spawn.ts"

test("after a restart on the same data everything exists", async () => {
  await using petstore = await spawnPetstore()
  const body = { name: "Ünïcødé 🐕‍🦺", photoUrls: ["a"], category: { name: "Dogs" }, tags: [{ name: "new" }] }
  const before = await petstore.as("special-key").addPet({ body })
  assert.deepEqual(await petstore.kill("SIGTERM"), { code: 0, signal: null })

  await petstore.restart()
  const after = await petstore.as("special-key").getPetById({ params: { petId: before.value.id } })
  assert.deepEqual(after.value, before.value)
  assert.equal(after.headers.get("etag"), before.headers.get("etag"))
  const next = await petstore.as("special-key").addPet({ body })
  assert.deepEqual({ id: next.value.id, tags: next.value.tags }, { id: before.value.id + 1, tags: before.value.tags })
})

const house = ({ url }: Spawned) => createSandboxClient({ url })
const inside = ({ url }: Spawned, name: string) => createSandboxClient({ url, name })
const storeIn = ({ url }: Spawned, name: string, apiKey = "special-key") =>
  createPetstoreClient({ url: `${url}/s/${name}`, apiKey, retries: 0 })
const listed = async (petstore: Spawned) =>
  (await house(petstore).listSandboxes()).value.map(({ name, sleeping = false }) => `${name} ${sleeping}`)
const tokenOf = async ({ url }: Spawned, name: string) => {
  const authorization = `Basic ${btoa("sample-client-id:sample-client-secret")}`
  const body = new URLSearchParams({ grant_type: "client_credentials", scope: "read:pets" })
  const response = await fetch(`${url}/s/${name}/oauth/token`, { method: "POST", headers: { authorization }, body })
  return ((await response.json()) as { access_token: string }).access_token
}

test("named sandboxes are the same after an orderly stop: data, clock, tokens, limits, webhooks; a reset and a stop work again", {
  skip: serverUrl && "named sandboxes need SQLite",
}, async () => {
  await using petstore = await spawnPetstore()
  await using receiver = await startReceiver()
  await house(petstore).createSandbox({
    body: { name: "kept", start: "2020-01-01T00:00:00Z", freeze: true, idle: "PT4H" },
  })
  const before = storeIn(petstore, "kept")
  const { value: pet } = await before.addPet({ body: { name: "Zoë 🐢", photoUrls: [] } })
  const upload = new Blob([new Uint8Array(await makeImage("png"))], { type: "image/png" })
  await before.uploadFile({ params: { petId: pet.id }, upload })
  await before.createWebhook({ body: { url: receiver.url, events: ["pet.created"] } })
  await inside(petstore, "kept").advanceClock({ body: { advance: "P1D" } })
  await storeIn(petstore, "kept", "free-key").listPets()
  const token = await tokenOf(petstore, "kept")
  await inside(petstore, "kept").forkSandbox({ body: { name: "copy" } })
  const free = async () => (await storeIn(petstore, "kept", "free-key").getOwnAccount()).value
  const account = await free()
  assert.equal(account.limits[0]?.used, 1)
  const diff = async () => (await house(petstore).diffSandbox({ params: { name: "kept" } })).value.counts
  const changed = await diff()
  const { value: shown } = await house(petstore).getSandbox({ params: { name: "kept" } })
  for (let stops = 0; stops < 2; stops++) {
    assert.deepEqual(await petstore.kill("SIGTERM"), { code: 0, signal: null })
    await petstore.restart()
    assert.deepEqual(await listed(petstore), ["kept true", "copy true"])
  }

  const { value: asleep } = await house(petstore).getSandbox({ params: { name: "kept" } })
  const { createdAt, lastRequestAt, requests, clock, copiedFrom, idle } = shown
  const seconds = (time: string) => time.slice(0, 18)
  assert.deepEqual(
    [asleep.requests, asleep.idle, asleep.copiedFrom, asleep.clock.time, asleep.clock.frozen],
    [requests, idle, copiedFrom, clock.time, true],
  )
  assert.deepEqual([seconds(asleep.createdAt), seconds(asleep.lastRequestAt)], [createdAt, lastRequestAt].map(seconds))
  await assert.rejects(house(petstore).createSandbox({ body: { name: "kept" } }), { code: "sandbox-exists" })

  const [first] = await Promise.all(
    Array.from({ length: 5 }, () =>
      fetch(`${petstore.url}/s/kept/api/v3/pet/${pet.id}`, { headers: { authorization: `Bearer ${token}` } }),
    ),
  )
  const after = (await first?.json()) as typeof pet
  assert.deepEqual([first?.status, after.name], [200, "Zoë 🐢"])
  const photo = await fetch(after.photoUrls[0] as string)
  assert.deepEqual([photo.status, new URL(photo.url).origin], [200, petstore.url])
  assert.deepEqual(await listed(petstore), ["kept false", "copy true"])
  assert.deepEqual(await diff(), changed)
  const store = storeIn(petstore, "kept")
  const now = await free()
  assert.deepEqual([now.store, now.limits], [account.store, account.limits])
  assert.deepEqual((await inside(petstore, "kept").getClock()).value.time, "2020-01-02T00:00:00.000Z")
  assert.equal((await store.getWebhook({ params: { webhookId: 1 } })).value.status, "active")
  const heard = receiver.received.length
  await store.addPet({ body: { name: "Heard", photoUrls: [] } })
  await receiver.until((all) => all.length > heard)
  await inside(petstore, "copy").resetSandbox()
  for (const name of ["another", "unused"]) await inside(petstore, "kept").forkSandbox({ body: { name } })
  await house(petstore).deleteSandbox({ params: { name: "kept" } })

  // A file that is damaged, and one that is cut off, do not stop a start; an hour without a request ends while the service is stopped.
  await petstore.kill("SIGINT")
  const directory = join(petstore.dataDir, "petstore-sandboxes", "kept")
  const [one = "", other = "", unused = ""] = readdirSync(directory)
  assert.notEqual(unused, "")
  truncateSync(join(directory, one, "petstore.db"), 4096)
  writeFileSync(join(directory, other, "sandbox.json"), "{")
  const facts = JSON.parse(readFileSync(join(directory, unused, "sandbox.json"), "utf8"))
  const usedAt = facts.usedAt - facts.idleMs
  writeFileSync(join(directory, unused, "sandbox.json"), JSON.stringify({ ...facts, usedAt }))
  await petstore.restart()
  const [left = "", ...others] = (await house(petstore).listSandboxes()).value.map(({ name }) => name)
  assert.deepEqual(others, [])
  const { logged } = petstore
  await logged({ level: 50 })
  await assert.rejects(storeIn(petstore, left).listPets(), { code: "unavailable" })
  assert.equal((await storeIn(petstore, left).listPets()).value.length, 10)
  assert.equal(readdirSync(join(directory, "..", "set-aside")).length, 2)

  // What was opened is lost with a killed process.
  await petstore.kill("SIGKILL")
  await petstore.restart()
  assert.deepEqual(await listed(petstore), [])
})
