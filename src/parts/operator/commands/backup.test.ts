import assert from "node:assert/strict"
import { test } from "node:test"
import type { Backup, MissingImage } from "../contract.ts"
import { describeBackup, describeFaults } from "./backup.ts"

const whole: Backup = {
  createdAt: "2026-01-01T00:00:00Z",
  files: { count: 4 },
  database: { kind: "sqlite", rows: { pets: 1200, orders: 1, users: 2, images: 3, others: 9 } },
  sealingKey: "stored",
}

test("a backup is described with its contents", () => {
  const contents = "1,200 pets, 1 order, 2 users and 3 images, as of 2026-01-01T00:00:00Z, in 4 files"
  assert.equal(describeBackup(whole), contents)
  assert.match(
    describeBackup({ ...whole, database: { kind: "sqlite", rows: {} } }),
    /^0 pets, 0 orders, 0 users and 0 images,/,
  )
  assert.match(
    describeBackup({ ...whole, files: { count: 1 }, database: { kind: "postgres" } }),
    /^images and key without the database, which PostgreSQL's own tools back up, as of \S+, in 1 file$/,
  )
})

test("of the images that a backup lacks 20 are listed, and of damaged records the kind and the number", () => {
  const missing = (count: number): MissingImage[] =>
    Array.from({ length: count }, (_, n) => ({
      sha256: `s${n}`,
      key: `k${n}`,
      reason: n === 1 ? "damaged" : "missing",
    }))
  const linesOf = (more: Partial<Backup>) => describeFaults({ ...whole, ...more }).split("\n")
  assert.deepEqual(linesOf({}), [""])
  assert.deepEqual(linesOf({ missing: missing(1) }), [
    "The backup lacks the files of an image of pets:",
    "missing  image s0, key k0",
    "",
  ])
  assert.equal(linesOf({ missing: missing(20) }).length, 22)
  const damaged: Backup["damaged"] = [
    { kind: "pets", ids: [1, 2], count: 2 },
    { kind: "audit", ids: [7], count: 30 },
    { kind: "images", ids: ["k1"], count: 1 },
  ]
  const many = linesOf({ missing: missing(1022), damaged })
  assert.deepEqual(many.slice(0, 3), [
    "The backup lacks the files of 1,022 images of pets:",
    "missing  image s0, key k0",
    "damaged  image s1, key k1",
  ])
  assert.deepEqual(many.slice(20), [
    "missing  image s19, key k19",
    "and 1,002 more, listed in manifest.json",
    "damaged  pets that do not match their hashes (2): 1 2",
    "damaged  entries of the audit log that do not match their hashes (30): 7",
    "damaged  images that do not match their hashes (1): k1",
    "",
  ])
})
