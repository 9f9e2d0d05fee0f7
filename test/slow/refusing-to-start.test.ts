import assert from "node:assert/strict"
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { describe, test } from "node:test"
import { StoreUnavailable } from "../../src/core/domain/ports/store.ts"
import { CannotStart } from "../../src/core/kernel/cannot-start.ts"
import { temporaryDirectory } from "../harness/directory.ts"
import { startPetstore } from "../harness/petstore.ts"
import { runPetstore, type SpawnOptions, spawnPetstore } from "../harness/spawn.ts"
import { use } from "../harness/use.ts"

describe("a process that cannot start exits with 1 and one line with the reason", () => {
  const first = use(spawnPetstore)

  async function assertEnded(options: SpawnOptions, why: RegExp): Promise<void> {
    const { code, stdout, stderr } = await runPetstore(options)
    assert.match(stderr, why)
    assert.match(stderr, /^petstore: [^\n]+\n$/)
    assert.deepEqual({ code, stdout }, { code: 1, stdout: "" })
  }

  test("with an unknown setting, naming the nearest known one", () =>
    assertEnded({ env: { PETSTORE_PROT: "1" } }, /PETSTORE_PROT is not a setting.+PETSTORE_PORT/))

  test("on a port in use", () => {
    const PETSTORE_PORT = new URL(first.url).port
    return assertEnded({ env: { PETSTORE_PORT } }, /EADDRINUSE.+Set PETSTORE_PORT to another port/)
  })

  test("on data that another process uses, without disturbing it", async () => {
    await assertEnded({ dataDir: first.dataDir }, /Another process is using .+petstore\.db/)
    const { value } = await first.as("special-key").addPet({ body: { name: "undisturbed", photoUrls: [] } })
    await first.kill("SIGKILL")
    await first.restart()
    assert.deepEqual((await first.as("special-key").getPetById({ params: { petId: value.id } })).value, value)
  })
})

describe("it refuses to start, with the reason in one line", () => {
  /** Between this error and the line on the terminal there is only `main.ts`. */
  const assertRefused = (env: Record<string, string>, why: RegExp): Promise<void> =>
    assert.rejects(startPetstore({ env }), (error) => {
      assert.ok(error instanceof CannotStart || error instanceof StoreUnavailable, String(error))
      assert.match(error.message, why)
      assert.match(error.message, /^[^\n]+$/)
      return true
    })
  const assertRefusedOn = (dataDir: string, why: RegExp) => assertRefused({ PETSTORE_DATA_DIR: dataDir }, why)

  test("on data of a newer version, which stay unchanged", async () => {
    using directory = temporaryDirectory()
    const file = join(directory.path, "petstore.db")
    const db = new DatabaseSync(file)
    db.exec("CREATE TABLE future (x); PRAGMA user_version = 9999")
    db.close()
    const before = readFileSync(file)
    await assertRefusedOn(directory.path, /schema version 9999.+newer version of Petstore/)
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
    test(`on a file that ${what}, which stays unchanged`, async () => {
      using directory = temporaryDirectory()
      const file = join(directory.path, "petstore.db")
      writeFileSync(file, content, "latin1")
      await assertRefusedOn(directory.path, /petstore\.db cannot be used: .+Restore it from a backup/)
      assert.equal(readFileSync(file, "latin1"), content)
    })

  test("where the data directory is a file", async () => {
    using directory = temporaryDirectory()
    const file = join(directory.path, "data")
    writeFileSync(file, "")
    await assertRefusedOn(file, /directory of .+ cannot be used: .+PETSTORE_DATA_DIR/)
  })

  test("where the database is a directory", async () => {
    using directory = temporaryDirectory()
    mkdirSync(join(directory.path, "petstore.db"))
    await assertRefusedOn(directory.path, /petstore\.db cannot be used: .+PETSTORE_DATA_DIR/)
  })

  test("where the data directory cannot be created or written", { skip: process.platform !== "linux" }, async () => {
    await assertRefusedOn("/sys/petstore", /directory of .+ cannot be used: .+PETSTORE_DATA_DIR/)
    await assertRefusedOn("/sys", /cannot be used: .+PETSTORE_DATA_DIR/)
    await assertRefusedOn("/proc/petstore/data", /directory of .+ cannot be used: ENOENT.+PETSTORE_DATA_DIR/)
    await assertRefused(
      { PETSTORE_BLOB_URL: "file:/proc/petstore" },
      /images cannot be kept in \/proc\/petstore.+PETSTORE_BLOB_URL/i,
    )
  })

  test("in production on data of the sandbox, whose keys are public, and vice versa", async () => {
    const production = { PETSTORE_PROFILE: "production", PETSTORE_PUBLIC_URL: "https://petstore.example" }
    using sandbox = temporaryDirectory()
    await (await startPetstore({ env: { PETSTORE_DATA_DIR: sandbox.path } }))[Symbol.asyncDispose]()
    await assertRefused({ ...production, PETSTORE_DATA_DIR: sandbox.path }, /belong to the sandbox profile/)

    using real = temporaryDirectory()
    const env = { ...production, PETSTORE_DATA_DIR: real.path }
    {
      await using petstore = await startPetstore({ env })
      const operator = petstore.as(petstore.firstKey as string)
      await operator.patchAccount({ params: { id: 1 }, body: { name: "sandbox enterprise" } })
    }
    await assertRefusedOn(real.path, /belong to the production profile/)
  })
})
