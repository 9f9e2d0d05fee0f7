import assert from "node:assert/strict"
import { chmodSync, mkdirSync, readdirSync, statSync, writeFileSync } from "node:fs"
import { join, relative } from "node:path"
import { test } from "node:test"
import { temporaryDirectory } from "../harness/directory.ts"
import { makeImage } from "../harness/images.ts"
import { type Spawned, spawnPetstore } from "../harness/spawn.ts"

const production = { PETSTORE_PROFILE: "production", PETSTORE_PUBLIC_URL: "https://petstore.example" }

/** The modes of a directory and of all paths below it. */
const modesIn = (directory: string): Map<string, number> =>
  new Map(
    ["", ...readdirSync(directory, { recursive: true, encoding: "utf8" })].map((name) => {
      const path = join(directory, name)
      return [relative(directory, path), statSync(path).mode & 0o777]
    }),
  )

function assertPrivate(directory: string): void {
  const accessible = [...modesIn(directory)].filter(([, mode]) => (mode & 0o077) !== 0)
  assert.deepEqual(accessible, [])
}

async function uploadTo(petstore: Spawned): Promise<void> {
  const client = petstore.as(petstore.firstKey)
  const { value: pet } = await client.addPet({ body: { name: "p", photoUrls: [] } })
  const upload = new Blob([new Uint8Array(await makeImage("png"))])
  await client.uploadFile({ params: { petId: pet.id }, upload })
}

test("files and directories of the service are accessible to its user only: directories 0700, files 0600", async () => {
  await using petstore = await spawnPetstore({ env: production, under: ["sh", "-c", 'umask 022; exec "$@"', "sh"] })
  await uploadTo(petstore)
  assertPrivate(petstore.dataDir)
  const modes = modesIn(petstore.dataDir)
  assert.deepEqual(
    { get: modes.get(""), "petstore.db": modes.get("petstore.db"), "petstore.db-wal": modes.get("petstore.db-wal") },
    { get: 0o700, "petstore.db": 0o600, "petstore.db-wal": 0o600 },
  )
})

test("permissions that an earlier version left too wide are restricted at the next start", async () => {
  await using petstore = await spawnPetstore({ env: production })
  await uploadTo(petstore)
  await petstore.kill("SIGKILL")
  for (const [name, mode] of modesIn(petstore.dataDir))
    if (!/^images\/./.test(name)) chmodSync(join(petstore.dataDir, name), mode | 0o055)
  await petstore.restart()
  assertPrivate(petstore.dataDir)
})

test("a data directory with files of other programs is left unchanged, and the log reports it", async () => {
  using directory = temporaryDirectory()
  const dataDir = join(directory.path, "shared")
  mkdirSync(dataDir)
  writeFileSync(join(dataDir, "letter.txt"), "", { mode: 0o644 })
  for (const path of [dataDir, join(dataDir, "letter.txt")]) chmodSync(path, 0o755)
  await using petstore = await spawnPetstore({ dataDir })
  assert.equal(statSync(dataDir).mode & 0o777, 0o755)
  assert.equal(statSync(join(dataDir, "letter.txt")).mode & 0o777, 0o755)
  assert.equal(statSync(petstore.databaseFile).mode & 0o777, 0o600)
  const { paths } = await petstore.logged({ msg: "other users of this machine can read these" })
  assert.deepEqual(paths, [dataDir])
})
