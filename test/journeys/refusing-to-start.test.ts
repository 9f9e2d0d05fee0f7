import assert from "node:assert/strict"
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { describe, test } from "node:test"
import { temporaryDirectory } from "../harness/petstore.ts"
import { runPetstore, type SpawnOptions, spawnPetstore } from "../harness/spawn.ts"

/** Starts the service where it must not, and asserts that it ends with 1 and one line that says why. */
async function assertRefused(options: SpawnOptions, why: RegExp): Promise<void> {
  const { code, stdout, stderr } = await runPetstore(options)
  assert.match(stderr, why)
  assert.match(stderr, /^petstore: [^\n]+\n$/)
  assert.deepEqual([code, stdout], [1, ""])
}

describe("it refuses to start, and says why in one line", { concurrency: 2 }, () => {
  test("with a setting that does not exist, naming the nearest", () =>
    assertRefused({ env: { PETSTORE_PROT: "1" } }, /PETSTORE_PROT is not a setting.+PETSTORE_PORT/))

  test("in production without the address clients use", () =>
    assertRefused({ env: { PETSTORE_PROFILE: "production" } }, /PETSTORE_PUBLIC_URL is required in production/))

  test("on a port that is taken", async () => {
    await using first = await spawnPetstore()
    const PETSTORE_PORT = new URL(first.url).port
    await assertRefused({ env: { PETSTORE_PORT } }, /EADDRINUSE.+Set PETSTORE_PORT to another port/)
  })

  test("on data another process uses, which is not disturbed", async () => {
    await using first = await spawnPetstore()
    await assertRefused({ dataDir: first.dataDir }, /Another process is using .+petstore\.db/)
    const { value } = await first.as("special-key").createPet({ body: { name: "undisturbed", photoUrls: [] } })
    await first.kill("SIGKILL")
    await first.restart()
    assert.deepEqual((await first.as("special-key").getPetById({ params: { petId: value.id } })).value, value)
  })

  test("on data of a newer version, which stay as they are", async () => {
    using directory = temporaryDirectory()
    const file = join(directory.path, "petstore.db")
    const db = new DatabaseSync(file)
    db.exec("CREATE TABLE future (x); PRAGMA user_version = 9999")
    db.close()
    const before = readFileSync(file)
    await assertRefused({ dataDir: directory.path }, /schema version 9999.+newer version of Petstore/)
    assert.deepEqual(readFileSync(file), before)
    assert.deepEqual(
      readdirSync(directory.path).filter((name) => name.endsWith("-wal")),
      [],
    )
  })

  for (const [what, content] of [
    ["is not a database", "hello ".repeat(10_000)],
    ["is damaged", `SQLite format 3\0${"\xff".repeat(10_000)}`],
  ] as const)
    test(`on a file that ${what}, which stays as it is`, async () => {
      using directory = temporaryDirectory()
      const file = join(directory.path, "petstore.db")
      writeFileSync(file, content, "latin1")
      await assertRefused({ dataDir: directory.path }, /petstore\.db cannot be used: .+Restore it from a backup/)
      assert.equal(readFileSync(file, "latin1"), content)
    })

  test("where the data directory is a file", async () => {
    using directory = temporaryDirectory()
    const file = join(directory.path, "data")
    writeFileSync(file, "")
    await assertRefused({ dataDir: file }, /directory of .+ cannot be used: .+PETSTORE_DATA_DIR/)
  })

  test("where the database is a directory", async () => {
    using directory = temporaryDirectory()
    mkdirSync(join(directory.path, "petstore.db"))
    await assertRefused({ dataDir: directory.path }, /petstore\.db cannot be used: .+PETSTORE_DATA_DIR/)
  })

  test("where the data directory cannot be made or written", { skip: process.platform !== "linux" }, async () => {
    await assertRefused({ dataDir: "/sys/petstore" }, /directory of .+ cannot be used: .+PETSTORE_DATA_DIR/)
    await assertRefused({ dataDir: "/sys" }, /cannot be used: .+PETSTORE_DATA_DIR/)
    await assertRefused({ dataDir: "/proc/petstore/data" }, /directory of .+ cannot be used: ENOENT.+PETSTORE_DATA_DIR/)
    await assertRefused(
      { env: { PETSTORE_BLOB_URL: "file:/proc/petstore" } },
      /photos cannot be kept in \/proc\/petstore.+PETSTORE_BLOB_URL/i,
    )
  })

  test("in production on data of the sandbox, whose keys everybody knows, and the other way round", async () => {
    const production = { PETSTORE_PROFILE: "production", PETSTORE_PUBLIC_URL: "https://petstore.example" }
    await using sandbox = await spawnPetstore()
    await sandbox.kill()
    await assertRefused({ dataDir: sandbox.dataDir, env: production }, /belong to the sandbox profile/)
    await using real = await spawnPetstore({ env: production })
    await real.as(real.firstKey).patchAccount({ params: { id: 1 }, body: { name: "sandbox enterprise" } })
    await real.kill()
    await assertRefused({ dataDir: real.dataDir }, /belong to the production profile/)
  })
})
