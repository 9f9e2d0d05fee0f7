import assert from "node:assert/strict"
import { readdirSync, readFileSync, truncateSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { after, before, test } from "node:test"
import { openDiskBlobs } from "../../src/core/disk/blobs.ts"
import type { BlobStore } from "../../src/core/domain/ports/blobs.ts"
import { openSqliteSource } from "../../src/core/sqlite/copy-ends.ts"
import { copyImages } from "../../src/parts/operator/copy/copy-images.ts"
import { onMachine } from "../harness/backups.ts"
import { temporaryDirectory } from "../harness/directory.ts"
import { startPetstore } from "../harness/petstore.ts"

const place = temporaryDirectory()
after(() => place[Symbol.dispose]())
const at = (...names: string[]) => join(place.path, ...names)
const copyAll = (name: string) =>
  onMachine(place.path, [
    ...["copy", "--from", `sqlite:${at("source", "petstore.db")}`, "--to", `sqlite:${at(name, "petstore.db")}`],
    ...["--from-images", `file:${at("source", "images")}`, "--to-images", `file:${at(name, "images")}`],
  ])
/** All stored files and their bytes. */
const filesIn = (name: string) =>
  readdirSync(at(name, "images", "kept"), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .map((path) => [path.slice(at(name).length), readFileSync(path, "base64")])
    .sort()

before(async () => {
  await (await startPetstore({ env: { PETSTORE_DATA_DIR: at("source") } }))[Symbol.asyncDispose]()
})

test("images are copied with the database, and a service on the copy serves them (slow)", async () => {
  const { code, out, err } = await copyAll("whole")
  assert.deepEqual({ code, err }, { code: 0, err: "" })
  assert.match(out, /rows and \d+ images are identical in both/)
  assert.deepEqual(filesIn("whole"), filesIn("source"))
  const env = {
    PETSTORE_DATA_DIR: at("whole"),
    PETSTORE_SECRET_KEY: readFileSync(at("source", "secret.key"), "utf8").trim(),
  }
  await using petstore = await startPetstore({ env })
  const { value } = await petstore.as("special-key").getPetById({ params: { petId: 1 } })
  const response = await fetch(new URL(value.photoUrls[0] ?? "", petstore.url))
  assert.equal(response.status, 200)
})

/** Copies the images of the source to another storage. */
async function copyTo(blobs: BlobStore): Promise<number> {
  await using database = openSqliteSource(at("source", "petstore.db"))
  const [[identity] = []] = await database.query("SELECT id FROM identity")
  const from = { blobs: openDiskBlobs(at("source", "images")), name: "source" }
  const to = { blobs, name: "target" }
  return await copyImages({ database, identity: String(identity), from, to, now: 0 }, () => {})
}

test("an interrupted copy is continued and replaces incomplete images", async () => {
  const blobs = openDiskBlobs(at("resumed", "images"))
  const keeping: Promise<string>[] = []
  let left = 3
  const keep: typeof blobs.keep = (parts, now, key) => {
    if (left-- <= 0) return Promise.reject(new Error("killed"))
    const kept = blobs.keep(parts, now, key)
    keeping.push(kept)
    return kept
  }
  const copy = () => copyTo({ ...blobs, keep })
  await assert.rejects(copy(), { message: "killed" })
  const before = (await Promise.all(keeping.splice(0))).length
  assert.equal(before, 3)
  const [[damaged = ""] = []] = filesIn("resumed")
  truncateSync(at(`resumed${damaged}`), 10)

  left = Number.POSITIVE_INFINITY
  const count = await copy()
  assert.deepEqual(filesIn("resumed"), filesIn("source"))
  assert.equal(keeping.length, count - before + 1)
})

test("an image that differs after it was copied ends the copy", async () => {
  const blobs = openDiskBlobs(at("faulty", "images"))
  const keep: typeof blobs.keep = async (parts, now, key) => {
    truncateSync(parts.original, 10)
    return await blobs.keep(parts, now, key)
  }
  await assert.rejects(copyTo({ ...blobs, keep }), {
    message: /^image [\da-f]{64} \(.+\) differs in target after it was copied: check the disk$/,
  })
})

test("a target with other images, or a damaged source, is refused and no database is created (slow)", async () => {
  await (await startPetstore({ env: { PETSTORE_DATA_DIR: at("other") } }))[Symbol.asyncDispose]()
  const other = await onMachine(place.path, [
    ...["copy", "--from", `sqlite:${at("source", "petstore.db")}`, "--to", `sqlite:${at("refused.db")}`],
    ...["--from-images", `file:${at("source", "images")}`, "--to-images", `file:${at("other", "images")}`],
  ])
  assert.match(other.err, /already contains images of another database/)

  const [[path = "", bytes = ""] = []] = filesIn("source")
  writeFileSync(at(`source${path}`), Buffer.from(bytes, "base64").subarray(1))
  assert.match((await copyAll("damaged")).err, /are damaged in /)
  writeFileSync(at(`source${path}`), Buffer.from(bytes, "base64"))
  assert.match(
    (await onMachine(place.path, ["copy", "--from", "sqlite:a", "--to", "sqlite:b", "--to-images", "file:c"])).err,
    /given together/,
  )
})
