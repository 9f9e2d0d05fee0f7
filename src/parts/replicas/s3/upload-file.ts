import { createHash } from "node:crypto"
import { createReadStream } from "node:fs"
import { type FileHandle, open, stat } from "node:fs/promises"
import { pipeline } from "node:stream/promises"
import {
  AbortMultipartUploadCommand,
  type CompletedPart,
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  PutObjectCommand,
  type S3Client,
  UploadPartCommand,
} from "@aws-sdk/client-s3"
import { request, retryRequest, type S3Timeouts } from "./request.ts"

/** Held in memory at a time; the largest object has 10,000 parts. */
const partBytes = 16 * 1024 * 1024

type Target = { Bucket: string; Key: string }

/** Streams a file, with a checksum that S3 verifies. Retries here, because the client does not resend a stream. */
export async function putFile(client: S3Client, target: Target, path: string, timeouts: S3Timeouts): Promise<void> {
  const { size } = await stat(path)
  if (size > partBytes) {
    await using file = await open(path)
    return await uploadParts(client, target, file, size, timeouts)
  }
  const about = { ...target, ContentLength: size, ChecksumSHA256: await sha256Of(path) }
  const until = performance.now() + timeouts.uploadMs
  await retryRequest(() => send(client, about, path, until - performance.now()), until)
}

async function sha256Of(path: string): Promise<string> {
  const hash = createHash("sha256")
  await pipeline(createReadStream(path), hash)
  return hash.digest("base64")
}

type About = Target & { ContentLength: number; ChecksumSHA256: string }

async function send(client: S3Client, about: About, path: string, leftMs: number): Promise<void> {
  const body = createReadStream(path)
  const failed = new Promise<never>((_resolve, reject) => body.once("error", reject))
  try {
    await request(leftMs, (abortSignal) => {
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

/** Sends a large file in parts, each with a checksum that S3 verifies; a failed upload leaves nothing. */
async function uploadParts(
  client: S3Client,
  target: Target,
  file: FileHandle,
  size: number,
  { totalMs, uploadMs }: S3Timeouts,
): Promise<void> {
  const { UploadId } = await request(totalMs, (abortSignal) =>
    client.send(new CreateMultipartUploadCommand({ ...target, ChecksumAlgorithm: "SHA256" }), { abortSignal }),
  )
  try {
    const Parts: CompletedPart[] = []
    for (let start = 0; start < size; start += partBytes) {
      const PartNumber = Parts.length + 1
      const Body = Buffer.alloc(Math.min(partBytes, size - start))
      await file.read(Body, 0, Body.length, start)
      const ChecksumSHA256 = createHash("sha256").update(Body).digest("base64")
      const part = new UploadPartCommand({ ...target, UploadId, PartNumber, Body, ChecksumSHA256 })
      const { ETag } = await retryRequest(() =>
        request(uploadMs, (abortSignal) => client.send(part, { abortSignal, requestTimeout: uploadMs })),
      )
      Parts.push({ ETag, PartNumber, ChecksumSHA256 })
    }
    const complete = new CompleteMultipartUploadCommand({ ...target, UploadId, MultipartUpload: { Parts } })
    await request(uploadMs, (abortSignal) => client.send(complete, { abortSignal, requestTimeout: uploadMs }))
  } catch (error) {
    await client.send(new AbortMultipartUploadCommand({ ...target, UploadId })).catch(() => {})
    throw error
  }
}
