import assert from "node:assert/strict"
import { execFileSync } from "node:child_process"
import { linkSync, mkdirSync, readdirSync, rmSync, symlinkSync } from "node:fs"
import { join } from "node:path"
import { after, test } from "node:test"
import { temporaryDirectory } from "../harness/directory.ts"
import { runPetstore, spawnPetstore } from "../harness/spawn.ts"
import { use } from "../harness/use.ts"

const first = use(spawnPetstore)
const elsewhere = temporaryDirectory()
after(() => elsewhere[Symbol.dispose]())

async function assertRefused(databaseFile: string): Promise<void> {
  const { code, stderr } = await runPetstore({
    env: { PETSTORE_DATABASE_URL: `sqlite:${databaseFile}` },
    under: ["timeout", "20"],
  })
  assert.match(stderr, /^petstore: Another process is using [^\n]+\n$/)
  assert.doesNotMatch(stderr, /PostgreSQL/)
  assert.equal(code, 1)
}

test("a second process is refused through a symbolic link to the database", async () => {
  const link = join(elsewhere.path, "linked.db")
  symlinkSync(first.databaseFile, link)
  await assertRefused(link)
})

test("a second process is refused through a symbolic link to the directory", async () => {
  const link = join(elsewhere.path, "linked")
  symlinkSync(first.dataDir, link)
  await assertRefused(join(link, "petstore.db"))
})

test("a second process is refused through a hard link to the file", async () => {
  mkdirSync(join(elsewhere.path, "other"))
  const link = join(elsewhere.path, "other", "name.db")
  linkSync(first.databaseFile, link)
  await assertRefused(link)
})

test("a second process is refused after the lock file was removed", async () => {
  rmSync(`${first.databaseFile}.lock`)
  await assertRefused(first.databaseFile)
  await first.as("special-key").addPet({ body: { name: "undisturbed", photoUrls: [] } })
})

test("SQLite's own tools copy the database while the service runs, and do not prevent a restart", async () => {
  const copy = join(elsewhere.path, "copy.db")
  const backup = `const { DatabaseSync, backup } = require("node:sqlite")
    backup(new DatabaseSync(${JSON.stringify(first.databaseFile)}, { readOnly: true }), ${JSON.stringify(copy)})`
  execFileSync(process.execPath, ["-e", backup])
  assert.ok(readdirSync(elsewhere.path).includes("copy.db"))
  await first.kill("SIGKILL")
  await first.restart()
})
