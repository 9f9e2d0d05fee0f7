import assert from "node:assert/strict"
import { cpSync, readdirSync, renameSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { test } from "node:test"
import { makeImage, urlOf } from "../harness/images.ts"
import { runPetstore, type Spawned, spawnPetstore } from "../harness/spawn.ts"

const databaseNames = ["petstore.db", "petstore.db-wal", "petstore.db-shm"]
const imagesOf = (petstore: Spawned) => readdirSync(join(petstore.dataDir, "images", "kept")).sort()

function move(petstore: Spawned, from: string, to: string): void {
  for (const name of databaseNames)
    if (readdirSync(petstore.dataDir).includes(name + from))
      renameSync(join(petstore.dataDir, name + from), join(petstore.dataDir, name + to))
}

async function upload(petstore: Spawned, seed: number): Promise<string> {
  const sent = await petstore.as("special-key").uploadFile({
    params: { petId: 1 },
    upload: new Blob([new Uint8Array(await makeImage("png", 20, 20, seed))]),
  })
  return new URL(urlOf(sent)).pathname
}

const statusOf = async (petstore: Spawned, path: string) => (await fetch(petstore.url + path)).status

test("a service whose database was moved away does not start with the remaining images, and changes none", async () => {
  await using petstore = await spawnPetstore()
  const url = await upload(petstore, 100)
  await petstore.kill()
  const images = imagesOf(petstore)
  move(petstore, "", ".away")

  const refused = await runPetstore({ dataDir: petstore.dataDir, under: ["timeout", "20"] })
  assert.match(
    refused.stderr,
    /^petstore: The images in .+images belong to another database\. [^\n]+database-id[^\n]+\n$/,
  )
  assert.match(refused.stderr, /PETSTORE_BLOB_URL/)
  assert.deepEqual({ code: refused.code, imagesOf: imagesOf(petstore) }, { code: 1, imagesOf: images })

  rmSync(petstore.databaseFile)
  move(petstore, ".away", "")
  await petstore.restart()
  assert.equal(await statusOf(petstore, url), 200)
})

test("images without an owner are claimed by the database that references them, and by no other", async () => {
  await using petstore = await spawnPetstore()
  await petstore.kill()
  const marker = join(petstore.dataDir, "images", "database-id")
  rmSync(marker)
  await petstore.restart()
  await petstore.kill()
  rmSync(marker)

  move(petstore, "", ".away")
  const refused = await runPetstore({ dataDir: petstore.dataDir, under: ["timeout", "20"] })
  assert.match(refused.stderr, /^petstore: The database knows 0 of the 10 images in [^\n]+\n$/)
  assert.equal(refused.code, 1)

  // The instruction in the message assigns them to the other database.
  const [, identity = ""] = /write (\S+) into the file database-id/.exec(refused.stderr) ?? []
  writeFileSync(marker, identity)
  await petstore.restart()
})

test("an older database of the same store moves newer images to the trash, and the newer database restores them", async () => {
  await using petstore = await spawnPetstore()
  await petstore.kill()
  const backup = join(petstore.dataDir, "..", "backup.db")
  cpSync(petstore.databaseFile, backup)
  await petstore.restart()
  const [first, second] = [await upload(petstore, 30), await upload(petstore, 60)] as const
  await petstore.kill()
  const images = imagesOf(petstore)

  move(petstore, "", ".newer")
  cpSync(backup, petstore.databaseFile)
  await petstore.restart()
  const { orphans, held } = await petstore.logged({ msg: "images swept" })
  assert.deepEqual(
    { orphans, held, imagesOf: imagesOf(petstore).length },
    { orphans: 2, held: false, imagesOf: images.length - 2 },
  )
  assert.equal(await statusOf(petstore, first), 404)
  await petstore.kill()

  move(petstore, "", ".older")
  move(petstore, ".newer", "")
  await petstore.restart()
  for (const url of [first, second]) assert.equal(await statusOf(petstore, url), 200)
  assert.deepEqual(imagesOf(petstore), images)
})
