// Runs in a process of its own.
import assert from "node:assert/strict"
import { readdirSync } from "node:fs"
import { join } from "node:path"
import { test } from "node:test"
import { effort } from "../harness/effort.ts"
import { makeImage, urlOf } from "../harness/images.ts"
import { spawnPetstore } from "../harness/spawn.ts"

test("killed during uploads, no pet refers to a missing image, and orphans are deleted", async () => {
  await using petstore = await spawnPetstore({ env: { PETSTORE_PUBLIC_URL: "http://petstore.example" } })
  const kept = join(petstore.dataDir, "images", "kept")
  const staged = join(petstore.dataDir, "images", "staged")
  const { value: pet } = await petstore.as("special-key").addPet({ body: { name: "p", photoUrls: [] } })
  const params = { petId: pet.id }

  for (let round = 0; round < effort(10, 1); round++) {
    const client = petstore.as("special-key")
    const files = await Promise.all([0, 1, 2, 3].map((n) => makeImage("png", 30 + round, 30 + n, 20 * n + 50)))
    const sending = files.map((bytes) =>
      client.uploadFile({ params, upload: new Blob([new Uint8Array(bytes)]) }).then(urlOf, () => undefined),
    )
    // Kills either while the first upload arrives, or after a varying number of images are stored.
    const [before, more] = [readdirSync(kept).length, round % 5]
    const mayKill = () => (more === 0 ? readdirSync(staged).length > 0 : readdirSync(kept).length >= before + more)
    while (!mayKill()) await new Promise(setImmediate)
    await petstore.kill("SIGKILL")
    const acknowledged = (await Promise.all(sending)).filter((url) => url !== undefined)
    await petstore.restart()

    const after = petstore.as("special-key")
    const { photoUrls } = (await after.getPetById({ params })).value
    for (const url of acknowledged) assert.ok(photoUrls.includes(url), `${url} was acknowledged and is lost`)
    for (const url of photoUrls) {
      const response = await fetch(petstore.url + new URL(url).pathname)
      assert.equal(response.status, 200, `${url} is listed but missing`)
      await response.arrayBuffer()
    }
    await after.patchPet({ params, body: { photoUrls: photoUrls.slice(-10) } })
  }

  await petstore.kill("SIGTERM")
  await petstore.restart()
  await petstore.kill("SIGTERM")
  assert.deepEqual(readdirSync(staged), [])
  const { DatabaseSync } = await import("node:sqlite")
  using database = new DatabaseSync(petstore.databaseFile, { readOnly: true })
  const known = database
    .prepare("SELECT blob FROM images")
    .all()
    .map(({ blob }) => blob)
  assert.deepEqual(readdirSync(kept).sort(), known.sort())
})
