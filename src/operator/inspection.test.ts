import assert from "node:assert/strict"
import { readdirSync, renameSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { test } from "node:test"
import { temporaryDirectory } from "../../test/harness/directory.ts"
import { makeInstallation } from "../../test/harness/small-backup.ts"
import { readConfig } from "../config/config.ts"
import { CannotStart } from "../kernel/cannot-start.ts"
import { migrations } from "../storage/sql/migrations.ts"
import { createHashCheck } from "../workers/check-hashes.ts"
import { inspect, inspectStopped, requireOwner } from "./inspection.ts"

const newest = migrations.length
const see = 'See "Damaged and missing files" in docs/operations.md'
const now = 10 * 24 * 60 * 60 * 1000

type Deps = Parameters<typeof inspect>[0]

/** Inspects a running service with so many due webhooks in each lane, `quick` in that one if given, and images of which some are unknown or lack files. */
async function inspectWith({
  due = 0,
  quick = undefined as number | undefined,
  kept = 0,
  unknown = 0,
  lacking = [] as string[],
  hashCheck = undefined as Deps["hashCheck"],
}) {
  const asked: unknown[] = []
  const images = {
    known: async (keys: readonly string[]) => new Set(keys.filter((key) => !key.startsWith("unknown"))),
    afterKey: async (last: string) =>
      last === "" ? Array.from({ length: kept }, (_, n) => ({ blob: `blob ${n}` })) : [],
  }
  const deliveries = {
    async due(lane: string, at: number, limit: number) {
      asked.push([lane, at, limit])
      return Array.from({ length: lane === "quick" ? (quick ?? due) : due })
    },
  }
  const blobs = {
    async *keptBefore(before: number) {
      asked.push(before)
      for (let n = 0; n < kept; n++) yield n < unknown ? `unknown ${n}` : `blob ${n}`
    },
    incomplete: async () => lacking,
  }
  const deps = { store: { images, deliveries }, blobs, clock: { now: () => now }, hashCheck } as unknown as Deps
  return { findings: await inspect(deps), asked }
}

const found = async (...given: Parameters<typeof inspectWith>) => (await inspectWith(...given)).findings

test("a running service reports its schema, due deliveries and images", async () => {
  const { findings, asked } = await inspectWith({ kept: 3 })
  assert.deepEqual(findings, [
    { about: "schema", found: `version ${newest}, the newest that this program supports` },
    { about: "deliveries", found: "0 webhooks have deliveries due" },
    { about: "images", found: "3, of which 0 belong to no pet" },
  ])
  assert.deepEqual(asked, [...["quick", "new", "slow"].map((lane) => [lane, now, 1000]), now - 60 * 60 * 1000])
})

test("many due deliveries and many unknown images come with advice", async () => {
  const deliveries = async (due: number, quick?: number) =>
    (await found({ due, quick })).find(({ about }) => about === "deliveries")
  assert.equal((await deliveries(0, 1))?.found, "1 webhook has deliveries due")
  assert.deepEqual(await deliveries(333), { about: "deliveries", found: "999 webhooks have deliveries due" })
  assert.deepEqual(await deliveries(333, 334), {
    about: "deliveries",
    found: "1000 webhooks have deliveries due",
    advice: "Look for slow receivers in the log",
  })
  const images = async (unknown: number) => (await found({ kept: 200, unknown }))[2]
  assert.deepEqual(await images(100), { about: "images", found: "200, of which 100 belong to no pet" })
  assert.deepEqual(await images(101), {
    about: "images",
    found: "200, of which 101 belong to no pet",
    advice: "Check that it is the right database; see docs/operations.md",
  })
})

test("images whose files are missing are named, up to five", async () => {
  const missing = async (count: number) =>
    (await found({ kept: 9, lacking: Array.from({ length: count }, (_, n) => `blob ${n}`) }))[3]
  assert.deepEqual(await missing(1), {
    about: "image files",
    found: "files of an image are missing: blob 0",
    advice: see,
  })
  const five = "blob 0 blob 1 blob 2 blob 3 blob 4"
  assert.equal((await missing(5))?.found, `files of 5 images are missing: ${five}`)
  assert.equal((await missing(7))?.found, `files of 7 images are missing: ${five} and 2 more`)
  assert.equal(await missing(0), undefined)
})

test("the rounds of the service report what does not match its hash", async () => {
  const check = (counts: object) => ({
    ...createHashCheck(),
    found: () => ({ pets: 0, audit: 0, images: 0, ...counts }),
  })
  const hashes = async (counts: object) => (await found({ hashCheck: check(counts) })).at(-1)
  assert.deepEqual(await hashes({}), { about: "hashes", found: "the rounds of the service found no difference" })
  assert.deepEqual(await hashes({ pets: 1, images: 2 }), {
    about: "hashes",
    found: "3 records or images do not match theirs; the log names them",
    advice: see,
  })
})

test("the files of a stopped service are checked without changing them", async () => {
  using directory = temporaryDirectory()
  const config = (dataDir: string) => readConfig({ PETSTORE_DATA_DIR: dataDir })
  const dataDir = join(directory.path, "data")
  assert.deepEqual(await inspectStopped(config(dataDir)), [], "there are none")
  const { images } = await makeInstallation(dataDir, 2)
  const stopped = async () =>
    Object.fromEntries((await inspectStopped(config(dataDir))).map(({ about, ...rest }) => [about, rest]))
  const good = {
    database: { found: "a quick check found no problems" },
    schema: { found: `version ${newest}, the newest that this program supports` },
    "sealing key": { found: "it decrypts the secrets in the database" },
    images: { found: "2, of which 0 belong to no pet" },
    hashes: { found: "all records and images match theirs" },
  }
  assert.deepEqual(await stopped(), good)

  const ownerFile = join(images.directory, "database-id")
  renameSync(ownerFile, `${ownerFile}.away`)
  assert.deepEqual(await stopped(), good, "images without an owner")
  writeFileSync(ownerFile, "another")
  assert.deepEqual((await stopped()).images, { found: "they belong to another database, another", advice: see })
  renameSync(`${ownerFile}.away`, ownerFile)
  const key = join(dataDir, "secret.key")
  renameSync(key, `${key}.next`)
  assert.deepEqual((await stopped())["sealing key"], { found: "the next start completes its rotation" })
  renameSync(`${key}.next`, `${key}.away`)
  assert.equal((await stopped())["sealing key"]?.advice, "Restore the key that the database was started with")
  renameSync(`${key}.away`, key)

  const [blob = ""] = readdirSync(join(images.directory, "kept"))
  writeFileSync(join(images.directory, "kept", blob, "original"), "other")
  assert.deepEqual((await stopped()).hashes, { found: `images do not match their hashes: ${blob}`, advice: see })
  rmSync(join(images.directory, "kept", blob), { recursive: true })
  assert.deepEqual((await stopped())["image files"], { found: `files of an image are missing: ${blob}`, advice: see })

  const file = join(dataDir, "petstore.db")
  {
    using db = new DatabaseSync(file)
    db.exec("PRAGMA foreign_keys = OFF; UPDATE pet_images SET pet_id = 77")
  }
  assert.deepEqual(await stopped(), {
    database: { found: "damaged: rows of pet_images refer to rows of pets that are not there", advice: see },
    schema: good.schema,
  })
  {
    using db = new DatabaseSync(file)
    db.exec(`PRAGMA foreign_keys = OFF; UPDATE pet_images SET pet_id = 1; PRAGMA user_version = ${newest - 1}`)
  }
  assert.deepEqual(await stopped(), {
    database: good.database,
    schema: {
      found: `version ${newest - 1}, which the next start migrates to ${newest}; images and key can be checked after that`,
    },
  })
})

test("a command works on the files of its own user only", () => {
  using directory = temporaryDirectory()
  const file = join(directory.path, "petstore.db")
  assert.throws(
    () => requireOwner(file),
    new CannotStart(`There is no database ${file}: set PETSTORE_DATA_DIR to the service's data directory.`),
  )
  writeFileSync(file, "")
  requireOwner(file)
})
