import { createHash } from "node:crypto"
import { createReadStream } from "node:fs"
import { open, stat } from "node:fs/promises"
import { pipeline } from "node:stream/promises"
import { PutObjectCommand, type S3Client } from "@aws-sdk/client-s3"
import { ask, repeat, type S3Timeouts } from "./ask.ts"
import { partBytes, uploadParts } from "./upload-parts.ts"

/**
 * Sends a file without holding it in memory, with a checksum that S3 compares. The client itself never sends a stream
 * twice.
 */
export async function uploadFile(
  client: S3Client,
  target: { Bucket: string; Key: string },
  path: string,
  timeouts: S3Timeouts,
): Promise<void> {
  const { size } = await stat(path)
  if (size > partBytes) {
    await using file = await open(path)
    return await uploadParts(client, target, file, size, timeouts)
  }
  const about = { ...target, ContentLength: size, ChecksumSHA256: await sha256Of(path) }
  const until = performance.now() + timeouts.uploadMs
  await repeat(() => send(client, about, path, until - performance.now()), until)
}

async function sha256Of(path: string): Promise<string> {
  const hash = createHash("sha256")
  await pipeline(createReadStream(path), hash)
  return hash.digest("base64")
}

type About = { Bucket: string; Key: string; ContentLength: number; ChecksumSHA256: string }

async function send(client: S3Client, about: About, path: string, leftMs: number): Promise<void> {
  const body = createReadStream(path)
  const failed = new Promise<never>((_resolve, reject) => body.once("error", reject))
  try {
    await ask(leftMs, (abortSignal) => {
      const sent = client.send(new PutObjectCommand({ ...about, Body: body }), {
        abortSignal,
        requestTimeout: leftMs,
      })
      return Promise.race([sent, failed])
    })
  } finally {
    body.destroy()
  }
}
