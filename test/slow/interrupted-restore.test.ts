import assert from "node:assert/strict"
import { existsSync, mkdirSync, rmSync } from "node:fs"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { after, before, test } from "node:test"
import { readConfig } from "../../src/config.ts"
import { migrations } from "../../src/core/sql/migrations.ts"
import { sqliteDialect } from "../../src/core/sqlite/dialect.ts"
import { openSqlite } from "../../src/core/sqlite/open.ts"
import type { ArchiveReader } from "../../src/parts/operator/archive/archive.ts"
import { openDirectoryReader } from "../../src/parts/operator/archive/disk.ts"
import { restore } from "../../src/parts/operator/backup/restore.ts"
import { isUntouched, onMachine } from "../harness/backups.ts"
import { temporaryDirectory } from "../harness/directory.ts"
import { dump } from "../harness/dump.ts"
import { startPetstore } from "../harness/petstore.ts"
import { reportEffort } from "../harness/report-effort.ts"

const place = temporaryDirectory()
after(() => place[Symbol.dispose]())
const at = (name: string) => join(place.path, name)
const [data, archive] = [at("data"), at("archive")]

before(async () => {
  await (await startPetstore({ env: { PETSTORE_DATA_DIR: data } }))[Symbol.asyncDispose]()
  assert.equal((await onMachine(data, ["backup", archive])).code, 0)
})

/** An archive that cannot be read after this number of reads. */
async function failingAfter(reads: number): Promise<ArchiveReader> {
  const archiveReader = await openDirectoryReader(archive)
  let left = reads
  return {
    ...archiveReader,
    read(name) {
      if (left-- === 0) throw new Error("the archive cannot be read")
      return archiveReader.read(name)
    },
  }
}

test("a restore interrupted at any point is never accepted as complete, and can be repeated", async (t) => {
  const target = at("target")
  const installation = { ...readConfig({ PETSTORE_DATA_DIR: target }), version: "0.0.0" }
  let started = 0
  for (let reads = 1; reads < 85; reads += 6) {
    const interrupted = restore(installation, await failingAfter(reads), 0, () => {})
    if (reads < 72) await assert.rejects(interrupted, { message: "the archive cannot be read" })
    else await interrupted
    if (!isUntouched(target) && reads < 72) {
      started++
      assert.throws(
        () => openSqlite(join(target, "petstore.db")),
        /is not whole: petstore restore .+ Run that command again/,
      )
      const repeated = await onMachine(target, ["restore", archive])
      assert.deepEqual({ code: repeated.code, err: repeated.err }, { code: 0, err: "" })
    }
    if (existsSync(target)) {
      if (!isUntouched(target)) assert.deepEqual(dump(join(target, "petstore.db")), dump(join(archive, "petstore.db")))
      rmSync(target, { recursive: true })
    }
  }
  reportEffort(t, { faults: started })
  assert.ok(started > 3)
})

test("another backup is not restored over an interrupted restore", async () => {
  const [target, other] = [at("target"), at("other")]
  assert.equal((await onMachine(data, ["backup", other])).code, 0)
  const installation = { ...readConfig({ PETSTORE_DATA_DIR: target }), version: "0.0.0" }
  await assert.rejects(
    restore(installation, await failingAfter(50), 0, () => {}),
    { message: "the archive cannot be read" },
  )
  const db = new DatabaseSync(join(data, "petstore.db"))
  db.exec("UPDATE counters SET last = last + 1")
  db.close()
  assert.equal((await onMachine(data, ["backup", at("later")])).code, 0)
  assert.match((await onMachine(target, ["restore", at("later")])).err, /already exists/)
  assert.equal((await onMachine(target, ["restore", archive])).code, 0)
})

test("a backup of an older version is restored and migrated at the next start; a backup of a newer version is refused", async () => {
  const setVersion = (version: number, change: string) => {
    const db = new DatabaseSync(join(data, "petstore.db"))
    db.exec(`${change}; PRAGMA user_version = ${version}`)
    db.close()
  }
  setVersion(migrations.length + 1, "SELECT 1")
  assert.equal((await onMachine(data, ["backup", at("newer")])).code, 0)
  assert.match((await onMachine(at("refused"), ["restore", at("newer")])).err, /written by a newer version of Petstore/)
  assert.ok(isUntouched(at("refused")))

  for (const version of [1, 9, 15]) {
    const name = `version-${version}`
    makeOld(at(name), version)
    assert.equal((await onMachine(at(name), ["backup", at(`of-${name}`)])).code, 0)
    assert.equal((await onMachine(at(name), ["backup", "verify", at(`of-${name}`)])).code, 0)
    const target = at(`from-${name}`)
    assert.equal((await onMachine(target, ["restore", at(`of-${name}`)])).code, 0)
    const store = openSqlite(join(target, "petstore.db"))
    assert.equal((await store.accounts.read(1))?.name, "old")
    await store.close()
  }
})

/** Creates the data directory of a version with this number of migrations. */
function makeOld(dataDir: string, version: number): void {
  mkdirSync(dataDir)
  using db = new DatabaseSync(join(dataDir, "petstore.db"))
  for (const up of migrations.slice(0, version)) for (const statement of up(sqliteDialect)) db.exec(statement)
  db.exec(`INSERT INTO accounts (name, plan) VALUES ('old', 'free'); PRAGMA user_version = ${version}`)
}
