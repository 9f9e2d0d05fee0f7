import assert from "node:assert/strict"
import { appendFileSync, cpSync, mkdirSync, readdirSync, readFileSync, realpathSync, writeFileSync } from "node:fs"
import { basename, join } from "node:path"
import { after, before, test } from "node:test"
import { temporaryDirectory } from "../../../test/harness/directory.ts"
import { dump } from "../../../test/harness/dump.ts"
import { recordFlushes } from "../../../test/harness/flushes.ts"
import { cannotListOpenFiles } from "../../../test/harness/open-files.ts"
import { installationIn, makeBackup, makeInstallation, type Progress } from "../../../test/harness/small-backup.ts"
import { CannotStart } from "../../kernel/cannot-start.ts"
import { openDiskBlobs } from "../../storage/disk/blobs.ts"
import { migrations } from "../../storage/sql/migrations.ts"
import { lockFile } from "../../storage/sqlite/lock.ts"
import { makeUnfinished, readUnfinished } from "../../storage/sqlite/unfinished.ts"
import type { ArchiveReader } from "../archive/archive.ts"
import { openDirectoryReader } from "../archive/disk.ts"
import type { Manifest } from "../archive/manifest.ts"
import type { Installation } from "../installation/installation.ts"
import { restore } from "./restore.ts"
import { requireRestorable, requireSameKey } from "./restore-conditions.ts"

const directory = temporaryDirectory()
after(() => directory[Symbol.dispose]())
const at = (name: string) => join(directory.path, name)
let manifest: Manifest

before(async () => {
  const installation = await makeInstallation(at("data"), 9)
  manifest = (await makeBackup(installation, at("archive"))).manifest
})

async function restoreTo(installation: Installation, archive = at("archive")) {
  const progress: Progress[] = []
  await using reader = await openDirectoryReader(archive)
  const restored = await restore(installation, reader, 1000, (...step) => void progress.push(step))
  return { restored, progress }
}

const filesIn = (path: string) => readdirSync(path, { recursive: true, encoding: "utf8" }).sort()
let targets = 0
/** A directory in which a test has left something. */
function target(prepare: (path: string) => void = () => {}): Installation {
  const path = at(`target ${targets++}`)
  mkdirSync(path)
  prepare(path)
  return installationIn(path)
}
const empty =
  "a backup can be restored only to an empty target: nothing was changed; move the data away, or set another PETSTORE_DATA_DIR"

test("a backup is restored with all files, which are compared with its list, and nothing else remains", async () => {
  const installation = target((path) => {
    writeFileSync(join(path, "petstore.db"), "")
    writeFileSync(join(path, "notes"), "others")
  })
  const { restored, progress } = await restoreTo(installation)
  assert.deepEqual(restored, manifest)
  const count = 3 * 9 + 2
  const steps = (what: string) => progress.filter(([of]) => of === what).map(([, done]) => done)
  assert.deepEqual(steps("restoring"), [24, 29])
  assert.deepEqual(
    steps("comparing"),
    Array.from({ length: count }, (_, n) => n + 1),
  )
  const { dataDir } = installation
  assert.deepEqual(dump(join(dataDir, "petstore.db")), dump(join(at("data"), "petstore.db")))
  for (const file of filesIn(join(at("data"), "images/kept")).filter((name) => name.includes("/")))
    assert.deepEqual(
      readFileSync(join(dataDir, "images/kept", file)),
      readFileSync(join(at("data"), "images/kept", file)),
    )
  for (const file of ["secret.key", "images/database-id"])
    assert.equal(readFileSync(join(dataDir, file), "utf8"), readFileSync(join(at("data"), file), "utf8"))
  assert.deepEqual(readdirSync(dataDir).sort(), ["images", "notes", "petstore.db", "petstore.db.lock", "secret.key"])
})

test("a target with data is refused, and stays as it is", async () => {
  const refused: [(path: string) => void, string][] = [
    ...["petstore.db", "petstore.db-wal", "petstore.db-journal", "secret.key"].map(
      (name): [(path: string) => void, string] => [
        (path) => writeFileSync(join(path, name), name === "secret.key" ? "" : "x"),
        `/${name} already exists, and ${empty}`,
      ],
    ),
    [(path) => mkdirSync(join(path, "petstore.db")), `/petstore.db already exists, and ${empty}`],
    [
      (path) => mkdirSync(join(path, "images/kept/a"), { recursive: true }),
      `/images already contains images, and ${empty}`,
    ],
    [
      (path) => mkdirSync(join(path, "images/trash/2026-01-01/a"), { recursive: true }),
      `/images already contains images, and ${empty}`,
    ],
    [
      (path) => {
        mkdirSync(join(path, "images"))
        writeFileSync(join(path, "images/database-id"), "another")
      },
      `/images already contains images, and ${empty}`,
    ],
  ]
  for (const [prepare, message] of refused) {
    const installation = target(prepare)
    const before = filesIn(installation.dataDir)
    await assert.rejects(restoreTo(installation), new CannotStart(`${installation.dataDir}${message}`))
    assert.deepEqual(filesIn(installation.dataDir), before)
  }
})

test("an interrupted restore of the same backup is continued, and that of another one is refused", async () => {
  const left = (sha256: string) =>
    target((path) => {
      makeUnfinished(join(path, "petstore.db"), sha256)
      openDiskBlobs(join(path, "images"))
      mkdirSync(join(path, "images/kept", readdirSync(join(at("data"), "images/kept"))[0] ?? ""))
      writeFileSync(join(path, "petstore.db.restored"), "half")
      cpSync(join(at("data"), "secret.key"), join(path, "secret.key"))
      cpSync(join(at("data"), "images/database-id"), join(path, "images/database-id"))
    })
  const installation = left(manifest.files.sha256)
  await restoreTo(installation)
  assert.deepEqual(dump(join(installation.dataDir, "petstore.db")), dump(join(at("data"), "petstore.db")))
  assert.equal(filesIn(join(installation.dataDir, "images/kept")).length, 4 * 9)
  await assert.rejects(restoreTo(left("another")), CannotStart)
  const foreign = left(manifest.files.sha256)
  writeFileSync(join(foreign.dataDir, "secret.key"), `${Buffer.alloc(32).toString("base64")}\n`)
  await assert.rejects(
    restoreTo(foreign),
    new CannotStart("secret.key differs from the backup after it was restored: check the disk"),
  )
})

/** Restores, and calls `then` when the file `reads` is read, and `report` at each step. */
async function restoreWhile(installation: Installation, { reads = "", then = () => {}, report = (_: string) => {} }) {
  await using reader = await openDirectoryReader(at("archive"))
  const watched: ArchiveReader = {
    ...reader,
    read(name) {
      if (name === reads) then()
      return reader.read(name)
    },
  }
  return await restore(installation, watched, 1000, report)
}

test("a target that is used while the backup is verified is refused", async () => {
  const installation = installationIn(at(`target ${targets++}`))
  const { dataDir } = installation
  const then = () => {
    mkdirSync(dataDir, { recursive: true })
    writeFileSync(join(dataDir, "petstore.db"), "x")
  }
  await assert.rejects(
    restoreWhile(installation, { reads: "secret.key", then }),
    new CannotStart(`${dataDir}/petstore.db already exists, and ${empty}`),
  )
  assert.deepEqual(readdirSync(dataDir).sort(), ["petstore.db", "petstore.db.lock"])
})

test("until a restore is complete no service starts there, and then the database and its name are durable", {
  skip: cannotListOpenFiles,
}, async () => {
  const installation = installationIn(at(`target ${targets++}`))
  const { dataDir } = installation
  const file = join(realpathSync(directory.path), basename(dataDir), "petstore.db")
  const sources = new Set<string | undefined>()
  using flushes = await recordFlushes(realpathSync(directory.path))
  await restoreWhile(installation, { report: (what) => void (what !== "files" && sources.add(readUnfinished(file))) })
  assert.deepEqual([...sources], [manifest.files.sha256])
  assert.equal(readUnfinished(file), undefined)
  const flushed = flushes.take().map((path) => path.replace(basename(dataDir), "to"))
  assert.equal(flushed.filter((path) => path === "to/petstore.db.restored").length, 1)
  assert.equal(flushed.at(-1), "to")
  const unlock = lockFile(`${file}.lock`)
  assert.ok(unlock)
  unlock()
})

test("a damaged backup, a target in use, and another key are refused before anything is written", async () => {
  const damaged = at("damaged")
  cpSync(at("archive"), damaged, { recursive: true })
  appendFileSync(join(damaged, "secret.key"), "x")
  const installation = target()
  await assert.rejects(
    restoreTo(installation, damaged),
    new CannotStart("The backup is damaged, nothing was restored: secret.key was modified"),
  )
  await assert.rejects(
    restoreTo({ ...installation, secretKey: Buffer.alloc(32) }),
    new CannotStart("PETSTORE_SECRET_KEY is not the key in the backup: set it to that key, or unset it"),
  )
  assert.deepEqual(filesIn(installation.dataDir), [])
  const unlock = lockFile(join(installation.dataDir, "petstore.db.lock"))
  await assert.rejects(restoreTo(installation), /Another process is using .*petstore\.db/)
  unlock?.()
  await restoreTo(installation)
})

test("the key of a setting must be that of the backup, if it has one", () => {
  const [key, other] = [Buffer.alloc(32, 1), Buffer.alloc(32, 2)]
  const required = (secretKey: Uint8Array | undefined, ofBackup: Uint8Array | undefined) =>
    requireSameKey({ ...installationIn("/x"), secretKey }, ofBackup)
  required(undefined, key)
  required(key, undefined)
  required(key, Buffer.from(key))
  assert.throws(() => required(other, key), CannotStart)
})

test("a backup is restored to the kind of database that it was made of, up to this program's version", async () => {
  const installation = target()
  const ofPostgres: Manifest = { ...manifest, database: { kind: "postgres", id: "one" } }
  const onPostgres: Installation = { ...installation, database: { kind: "postgres", url: "", connections: 1 } }
  const refusal = (to: Installation, made: Manifest) =>
    requireRestorable(to, made).then(
      () => undefined,
      (error: CannotStart) => error.message,
    )
  assert.match((await refusal(installation, ofPostgres)) ?? "", /^The backup is of a store on PostgreSQL: set/)
  assert.match(
    (await refusal(onPostgres, manifest)) ?? "",
    /^The backup contains an SQLite database: restore it without/,
  )
  const newer = { ...manifest, database: { ...manifest.database, schemaVersion: migrations.length + 1 } } as Manifest
  assert.match((await refusal(installation, newer)) ?? "", /^The database has schema version/)

  assert.equal(await refusal(onPostgres, ofPostgres), undefined, "without images")
  const withImages = (owner: string): Installation => {
    const { images } = target((path) => {
      mkdirSync(join(path, "images/kept/a"), { recursive: true })
      writeFileSync(join(path, "images/database-id"), owner)
    })
    return { ...onPostgres, images }
  }
  assert.equal(await refusal(withImages("one"), ofPostgres), undefined, "with images of the same database")
  assert.match((await refusal(withImages("other"), ofPostgres)) ?? "", /images already contains images/)
})
