import assert from "node:assert/strict"
import {
  appendFileSync,
  cpSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  unlinkSync,
  writeFileSync,
} from "node:fs"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { after, before, test } from "node:test"
import { temporaryDirectory } from "../../../test/harness/directory.ts"
import { recordFlushes } from "../../../test/harness/flushes.ts"
import { cannotListOpenFiles } from "../../../test/harness/open-files.ts"
import {
  installationIn,
  makeBackup,
  makeInstallation,
  type Progress,
  rewrite,
} from "../../../test/harness/small-backup.ts"
import { CannotStart } from "../../kernel/cannot-start.ts"
import { openDirectoryReader } from "../archive/disk.ts"
import type { ListedFile } from "../archive/file-list.ts"
import type { Manifest } from "../archive/manifest.ts"
import { findDamagedIn, listedFiles, readKey, verifyArchive } from "./verify.ts"

const images = 17
const directory = temporaryDirectory()
after(() => directory[Symbol.dispose]())
const at = (name: string) => join(directory.path, name)
const archive = at("archive")
let made: Awaited<ReturnType<typeof makeBackup>>

before(async () => {
  const installation = await makeInstallation(at("data"), images)
  made = await makeBackup(installation, archive)
})

/** What is wrong with an archive, and the reported progress. */
async function verify(path: string) {
  const progress: Progress[] = []
  await using reader = await openDirectoryReader(path)
  const { wrong } = await verifyArchive(reader, (...step) => void progress.push(step))
  return { wrong, progress }
}

let copies = 0
/** What is wrong with a copy of the archive that an accident has changed. */
async function wrongAfter(accident: (path: string) => void): Promise<string[]> {
  const copy = at(`copy ${copies++}`)
  cpSync(archive, copy, { recursive: true })
  accident(copy)
  return (await verify(copy)).wrong
}

/** The same for one that was written so. */
async function wrongIn(rewriting: Parameters<typeof rewrite>[2]): Promise<string[]> {
  const copy = at(`copy ${copies++}`)
  await rewrite(archive, copy, rewriting)
  return (await verify(copy)).wrong
}

const blobOf = ({ name }: { name: string } = { name: "" }) => name.split("/")[1] ?? ""

test("a backup lists every file with its sum, and reports its progress", async () => {
  const { manifest, progress } = made
  const { files, database, ...others } = manifest
  assert.deepEqual(others, { createdAt: "2026-01-01T00:00:00.000Z", program: "1.2.3", sealingKey: "stored" })
  assert.equal(files.count, 3 * images + 2)
  assert.deepEqual(database.kind === "sqlite" && [database.rows.images, database.rows.pets], [images, 1])
  assert.deepEqual(
    progress.filter(([what]) => what === "images"),
    [8, 16, 17].map((done) => ["images", done, images, "images"]),
  )
  const verified = await verify(archive)
  assert.deepEqual(verified.wrong, [])
  assert.deepEqual(
    [verified.progress.length, verified.progress[0], verified.progress.at(-1)],
    [files.count, ["files", 1, files.count, "files"], ["files", files.count, files.count, "files"]],
  )
})

test("every file of a backup is durable", { skip: cannotListOpenFiles }, async () => {
  const root = realpathSync(directory.path)
  const installation = await makeInstallation(at("durable"), 1)
  using flushes = await recordFlushes(root)
  await makeBackup(installation, join(root, "flushed"))
  const files = readdirSync(join(root, "flushed"), { recursive: true, encoding: "utf8" })
  const flushed = new Set(flushes.take())
  assert.deepEqual(
    files.filter((name) => !flushed.has(`flushed.partial/${name}`)),
    [],
  )
})

test("a database of a version before images is backed up and verified", async () => {
  const installation = installationIn(at("old"))
  mkdirSync(at("old"))
  {
    using db = new DatabaseSync(join(at("old"), "petstore.db"))
    db.exec("CREATE TABLE accounts (id INTEGER PRIMARY KEY); PRAGMA user_version = 1")
  }
  const { manifest } = await makeBackup(installation, at("old archive"))
  const { database, files, sealingKey } = manifest
  assert.deepEqual(
    [database, files.count, sealingKey],
    [{ kind: "sqlite", id: null, schemaVersion: 1, rows: { accounts: 0 } }, 1, "not stored"],
  )
  assert.deepEqual((await verify(at("old archive"))).wrong, [])
})

test("a damaged database is not backed up, and nothing is left", async () => {
  const installation = await makeInstallation(at("broken"), 0)
  {
    using db = new DatabaseSync(join(at("broken"), "petstore.db"))
    db.exec("PRAGMA foreign_keys = OFF; INSERT INTO pet_tags VALUES (1, 'sold', 1)")
  }
  const damage = "The database is damaged: rows of pet_tags refer to rows of tags that are not there"
  await assert.rejects(makeBackup(installation, at("refused")), new CannotStart(damage))
  assert.ok(!readdirSync(directory.path).some((name) => name.startsWith("refused")))
})

test("a list or a file that is missing, changed or added is found", async () => {
  assert.deepEqual(await wrongAfter((path) => unlinkSync(join(path, "files.ndjson"))), ["files.ndjson is missing"])
  assert.deepEqual(await wrongAfter((path) => appendFileSync(join(path, "files.ndjson"), "\n")), [
    "files.ndjson was modified",
  ])
  const swapped = (path: string) => {
    const lines = readFileSync(join(path, "files.ndjson"), "utf8").trimEnd().split("\n")
    writeFileSync(join(path, "files.ndjson"), `${lines.toReversed().join("\n")}\n`)
  }
  assert.deepEqual(await wrongAfter(swapped), ["files.ndjson was modified"], "of the same length")
  const longer = ({ files, ...manifest }: Manifest) => ({ ...manifest, files: { ...files, bytes: files.bytes + 1 } })
  assert.deepEqual(await wrongIn({ manifest: longer }), ["files.ndjson was modified"])
  assert.deepEqual(await wrongAfter((path) => writeFileSync(join(path, "extra"), "x")), [
    `it contains ${3 * images + 3} files but lists ${3 * images + 2}`,
  ])
  const [key = ""] = readdirSync(join(archive, "images"))
  const part = (name: string) => join("images", key, name)
  const found = await wrongAfter((path) => {
    unlinkSync(join(path, part("320")))
    appendFileSync(join(path, part("1280")), "x")
    writeFileSync(join(path, part("original")), "0".repeat("original 0".length))
  })
  assert.deepEqual(found.toSorted(), [
    `${part("1280")} was modified`,
    `${part("320")} is missing`,
    `${part("original")} was modified`,
  ])
  const all = await wrongAfter((path) => {
    rmSync(join(path, "images"), { recursive: true })
    mkdirSync(join(path, "images"))
  })
  assert.equal(all.length, 50)
})

test("a database that contradicts the manifest or the list of images is found", async () => {
  assert.deepEqual(await wrongIn({}), [])
  const described = (more: object) => ({
    manifest: (manifest: Manifest) => ({ ...manifest, database: { ...manifest.database, ...more } }) as Manifest,
  })
  for (const more of [{ id: "other" }, { schemaVersion: 1 }])
    assert.deepEqual(await wrongIn(described(more)), ["the database does not match the manifest"])

  const [first] = await Array.fromAsync(listedFilesOf())
  const { sha256 } = first ?? { sha256: "" }
  const key = blobOf(first)
  const lose = {
    lines: (all: ListedFile[]) => all.slice(3),
    change: (path: string) => rmSync(join(path, "images", key), { recursive: true }),
  }
  assert.deepEqual(await wrongIn(lose), [`the files of image ${sha256} do not match the database`])
  const missing = [{ sha256, key, reason: "missing" as const }]
  assert.deepEqual(await wrongIn({ ...lose, manifest: (manifest) => ({ ...manifest, missing }) }), [])

  const change = (path: string) => {
    using db = new DatabaseSync(join(path, "petstore.db"))
    db.exec("DELETE FROM pet_images WHERE sha256 = (SELECT max(sha256) FROM images)")
    db.exec("DELETE FROM images WHERE sha256 = (SELECT max(sha256) FROM images)")
  }
  const [found, ...others] = await wrongIn({ change })
  assert.match(found ?? "", /^the database has no image with the file images\/[\w-]+\/original$/)
  assert.deepEqual(others, [])
  const broken = (path: string) => {
    using db = new DatabaseSync(join(path, "petstore.db"))
    db.exec("PRAGMA foreign_keys = OFF; DELETE FROM accounts")
  }
  assert.ok(
    (await wrongIn({ change: broken })).some((text) => text.startsWith("rows of webhooks refer to rows of acc")),
  )
})

test("a key that does not open the secrets of the database is found, where there is one", async () => {
  const other = {
    change: (path: string) => writeFileSync(join(path, "secret.key"), `${Buffer.alloc(32).toString("base64")}\n`),
  }
  const [found = "", ...others] = await wrongIn(other)
  assert.match(found, /^The key in .*secret\.key does not open the database's secrets/)
  assert.deepEqual(others, [])
  const notStored = (manifest: Manifest): Manifest => ({ ...manifest, sealingKey: "not stored" })
  assert.deepEqual(await wrongIn({ ...other, manifest: notStored }), [])

  await using reader = await openDirectoryReader(archive)
  assert.equal((await readKey(reader, made.manifest))?.length, 32)
  assert.equal(await readKey(reader, { ...made.manifest, sealingKey: "not stored" }), undefined)
})

test("records of an intact archive are compared with their hashes", async () => {
  const copy = at("damaged records")
  await rewrite(archive, copy, {
    change(path) {
      using db = new DatabaseSync(join(path, "petstore.db"))
      db.exec("UPDATE pets SET etag = 'other'")
    },
  })
  await using reader = await openDirectoryReader(copy)
  assert.deepEqual(await findDamagedIn(reader, made.manifest), [{ kind: "pets", ids: [1], count: 1 }])
  const postgres = { ...made.manifest, database: { kind: "postgres" as const, id: "x" } }
  assert.deepEqual(await findDamagedIn(reader, postgres), [])
})

async function* listedFilesOf() {
  await using reader = await openDirectoryReader(archive)
  yield* listedFiles(reader)
}
