import { createHash } from "node:crypto"
import type { FileHandle } from "node:fs/promises"
import {
  AbortMultipartUploadCommand,
  type CompletedPart,
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  type S3Client,
  UploadPartCommand,
} from "@aws-sdk/client-s3"
import { ask, repeat, type S3Timeouts } from "./ask.ts"

/** What is held in memory at a time; ten thousand of them are the largest object. */
export const partBytes = 16 * 1024 * 1024

type Target = { Bucket: string; Key: string }

/** Sends a large file part by part, each with a checksum that S3 compares; what fails half-way leaves nothing. */
export async function uploadParts(
  client: S3Client,
  target: Target,
  file: FileHandle,
  size: number,
  { totalMs, uploadMs }: S3Timeouts,
): Promise<void> {
  const { UploadId } = await ask(totalMs, (abortSignal) =>
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
      const { ETag } = await repeat(() =>
        ask(uploadMs, (abortSignal) => client.send(part, { abortSignal, requestTimeout: uploadMs })),
      )
      Parts.push({ ETag, PartNumber, ChecksumSHA256 })
    }
    const complete = new CompleteMultipartUploadCommand({ ...target, UploadId, MultipartUpload: { Parts } })
    await ask(uploadMs, (abortSignal) => client.send(complete, { abortSignal, requestTimeout: uploadMs }))
  } catch (error) {
    await client.send(new AbortMultipartUploadCommand({ ...target, UploadId })).catch(() => {})
    throw error
  }
}
