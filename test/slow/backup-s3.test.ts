import assert from "node:assert/strict"
import { readdirSync } from "node:fs"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { after, describe, test } from "node:test"
import { openArchiveBucket } from "../../src/parts/operator/archive/bucket.ts"
import { openBucket } from "../../src/parts/replicas/s3/bucket.ts"
import { s3Timeouts } from "../../src/parts/replicas/s3/request.ts"
import { onMachine } from "../harness/backups.ts"
import { temporaryDirectory } from "../harness/directory.ts"
import { dump } from "../harness/dump.ts"
import { startPetstore } from "../harness/petstore.ts"
import { missingS3, s3Place, startS3 } from "../harness/s3.ts"
import { use } from "../harness/use.ts"

describe("a backup in S3", { skip: await missingS3() }, () => {
  const server = use(startS3)
  const place = temporaryDirectory()
  after(() => place[Symbol.dispose]())
  const at = (name: string) => join(place.path, name)

  test("equals a backup in a directory, is verified and restored from S3, also to images in S3", async () => {
    const data = at("data")
    await (await startPetstore({ env: { PETSTORE_DATA_DIR: data } }))[Symbol.asyncDispose]()
    const db = new DatabaseSync(join(data, "petstore.db"))
    // Larger than one part of an upload.
    db.exec("CREATE TABLE filler (bytes BLOB); INSERT INTO filler VALUES (zeroblob(20000000))")
    db.close()
    const bucket = await server.createBucket()
    const query = `?endpoint=${server.endpoint}`
    const archive = `s3://${bucket}/2026/monday${query}`

    const made = await onMachine(data, ["backup", archive])
    assert.deepEqual({ code: made.code, err: made.err }, { code: 0, err: "" })
    const sound = await onMachine(data, ["backup", "verify", archive])
    assert.deepEqual({ code: sound.code, err: sound.err }, { code: 0, err: "" })
    assert.match((await onMachine(data, ["backup", archive])).err, /already contains a backup/)
    assert.match(
      (await onMachine(data, ["backup", "verify", `s3://${bucket}/other${query}`])).err,
      /is not a complete backup/,
    )

    const env = { PETSTORE_BLOB_URL: `s3://${bucket}/images${query}` }
    const restored = await onMachine(at("restored"), ["restore", archive], env)
    assert.deepEqual({ code: restored.code, err: restored.err }, { code: 0, err: "" })
    assert.deepEqual(dump(join(at("restored"), "petstore.db")), dump(join(data, "petstore.db")))
    await using petstore = await startPetstore({ env: { PETSTORE_DATA_DIR: at("restored"), ...env } })
    const [image] = (await petstore.as("special-key").listPetImages({ params: { petId: 1 } })).value
    assert.equal((await fetch(petstore.url + new URL(image?.url ?? "").pathname)).status, 200)

    const fromS3 = await onMachine(at("restored"), ["backup", at("from-s3")], env)
    assert.match(fromS3.out, /10 images, as of .+, in 32 files/)
    assert.equal((await onMachine(data, ["backup", "verify", at("from-s3")])).code, 0)

    await fetch(`${server.endpoint}/${bucket}/2026/monday/petstore.db`, { method: "PUT", body: "x" })
    const damaged = await onMachine(data, ["backup", "verify", archive])
    assert.match(damaged.out, /petstore\.db was modified/)
    assert.equal(damaged.code, 1)
  })

  test("the backup, on disk or in S3, and the doctor name an image that is lost in S3, and keep the others", async () => {
    const bucket = await server.createBucket()
    const address = (prefix: string) => `s3://${bucket}/${prefix}?endpoint=${server.endpoint}`
    const env = { PETSTORE_BLOB_URL: address("images") }
    const data = at("lost-in-s3")
    await (await startPetstore({ env: { PETSTORE_DATA_DIR: data, ...env } }))[Symbol.asyncDispose]()
    assert.match((await onMachine(data, ["doctor"], env)).out, /^ok +images: 10, of which 0 belong to no pet$/m)
    using place = s3Place(bucket, server.endpoint, "images/")
    const objects = openBucket(place, s3Timeouts)
    const [lost = "", damagedKey = ""] = await Array.fromAsync(objects.list("kept/", "folders"))
    await objects.remove(`kept/${lost}/320`)
    await objects.put(`kept/${damagedKey}/1280`, "x")
    for (const target of [at("lacks-two"), address("lacks-two")]) {
      const made = await onMachine(data, ["backup", target], env)
      assert.deepEqual({ code: made.code, err: made.err }, { code: 3, err: "" })
      assert.match(made.out, new RegExp(`^missing +image \\w+, key ${lost}$`, "m"))
      assert.match(made.out, new RegExp(`^damaged +image \\w+, key ${damagedKey}$`, "m"))
      assert.equal((await onMachine(data, ["backup", "verify", target])).code, 3)
      assert.equal((await onMachine(`${data}-${target.slice(0, 2)}`, ["restore", target])).code, 0)
    }
    const found = await onMachine(data, ["doctor"], env)
    assert.match(found.out, new RegExp(`^problem +image files: files of an image are missing: ${lost}\n`, "m"))
  })

  test("images are copied to S3 with the database, and back", async () => {
    const bucket = await server.createBucket()
    const inS3 = `s3://${bucket}/images?endpoint=${server.endpoint}`
    const copy = (from: string, fromImages: string, to: string, toImages: string) => {
      const databases = [
        "--from",
        `sqlite:${join(at(from), "petstore.db")}`,
        "--to",
        `sqlite:${join(at(to), "petstore.db")}`,
      ]
      return onMachine(place.path, ["copy", ...databases, "--from-images", fromImages, "--to-images", toImages])
    }
    await (await startPetstore({ env: { PETSTORE_DATA_DIR: at("on-disk") } }))[Symbol.asyncDispose]()
    const there = await copy("on-disk", `file:${at("on-disk")}/images`, "in-s3", inS3)
    assert.equal(there.err, "")
    assert.match(there.out, /and 10 images are identical/)
    const back = await copy("in-s3", inS3, "back", `file:${at("back")}/images`)
    assert.equal(back.err, "")
    const kept = (name: string) => readdirSync(join(at(name), "images", "kept"), { recursive: true }).sort()
    assert.deepEqual(kept("back"), kept("on-disk"))
  })

  test("an unfinished backup is not accepted, blocks other backups, and leaves nothing when it fails", async () => {
    const bucket = await server.createBucket()
    using to = s3Place(bucket, server.endpoint, "unfinished/")
    const archive = `s3://${bucket}/unfinished?endpoint=${server.endpoint}`
    {
      await using writer = await openArchiveBucket(to)
      await writer.write(
        "images/a/original",
        (async function* () {
          yield Buffer.from("a")
        })(),
      )
      assert.match((await onMachine(at("data"), ["backup", "verify", archive])).err, /is not a complete backup/)
      assert.match((await onMachine(at("data"), ["backup", archive])).err, /contains an unfinished backup/)
    }
    const listed = await (await fetch(`${server.endpoint}/${bucket}?list-type=2`)).text()
    assert.match(listed, /<KeyCount>0</)
    assert.equal((await onMachine(at("data"), ["backup", archive])).code, 0)
  })
})
