import { randomUUID } from "node:crypto"
import { createWriteStream } from "node:fs"
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { pipeline } from "node:stream/promises"
import { makePrivateDirectory, modes } from "../../../core/disk/private.ts"
import { CannotStart } from "../../../core/kernel/cannot-start.ts"
import type { Bucket } from "../../../core/storage/locations.ts"
import { openBucket } from "../../replicas/s3/bucket.ts"
import { s3Timeouts } from "../../replicas/s3/request.ts"
import { type ArchiveReader, type ArchiveWriter, manifestName } from "./archive.ts"

/** Marks an archive that is being written. */
const markName = "unfinished"
const whole = { start: 0, end: Number.MAX_SAFE_INTEGER }

/**
 * Writes a new archive below a prefix of a bucket. Objects cannot be renamed, so an archive is complete only once its manifest,
 * the last object, exists. The operator must remove the objects of a killed backup.
 */
export async function openArchiveBucket(location: Bucket): Promise<ArchiveWriter> {
  const name = `s3://${location.bucket}/${location.prefix}`
  const bucket = openBucket(location, s3Timeouts)
  const requireAbsent = async () => {
    if ((await bucket.text(manifestName)) !== undefined)
      throw new CannotStart(`${name} already contains a backup; choose another name`)
  }
  await requireAbsent()
  const run = randomUUID()
  // Without conditional writes the last writer wins, which the others detect.
  if (!(await bucket.putOnce(markName, run)) && (await bucket.text(markName)) === undefined)
    await bucket.put(markName, run)
  if ((await bucket.text(markName)) !== run)
    throw new CannotStart(
      `${name} contains an unfinished backup, which is being written or was killed. Choose another name, or remove it`,
    )
  const directory = await mkdtemp(join(tmpdir(), "petstore-backup-"))
  let isFinished = false

  const writer: ArchiveWriter = {
    draft: (file) => join(directory, file),
    async add(file) {
      await bucket.upload(file, join(directory, file))
      await rm(join(directory, file))
    },
    async write(file, bytes) {
      makePrivateDirectory(dirname(join(directory, file)))
      await pipeline(bytes, createWriteStream(join(directory, file), { mode: modes.file }))
      await writer.add(file)
    },
    async remove(file) {
      await rm(join(directory, file), { force: true })
      await bucket.remove(file)
    },
    async finish(manifest) {
      if (!(await bucket.putOnce(manifestName, manifest))) {
        await requireAbsent()
        await bucket.put(manifestName, manifest)
      }
      isFinished = true
    },
    async [Symbol.asyncDispose]() {
      await rm(directory, { recursive: true, force: true })
      if (!isFinished)
        for await (const object of bucket.list("", "objects")) if (object !== markName) await bucket.remove(object)
      await bucket.remove(markName)
    },
  }
  return writer
}

/** Opens an archive below a prefix of a bucket. Throws CannotStart when there is none. */
export async function openBucketReader(location: Bucket): Promise<ArchiveReader> {
  const bucket = openBucket(location, s3Timeouts)
  if ((await bucket.text(manifestName)) === undefined)
    throw new CannotStart(
      `s3://${location.bucket}/${location.prefix} is not a complete backup: ${manifestName} is missing`,
    )
  const directory = await mkdtemp(join(tmpdir(), "petstore-restore-"))
  const here = new Set<string>()
  const read = async (name: string) => (await bucket.open(name, whole))?.bytes
  return {
    read,
    async local(name) {
      const path = join(directory, name)
      if (here.has(name)) return path
      const bytes = await read(name)
      if (bytes === undefined) throw new CannotStart(`${name} is missing from the backup`)
      await pipeline(bytes, createWriteStream(path, { mode: modes.file }))
      here.add(name)
      return path
    },
    async *names() {
      for await (const name of bucket.list("", "objects")) if (name !== markName) yield name
    },
    [Symbol.asyncDispose]: () => rm(directory, { recursive: true, force: true }),
  }
}
