import type { Readable } from "node:stream"
import {
  CopyObjectCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  HeadBucketCommand,
  ListObjectsV2Command,
  type ListObjectsV2CommandOutput,
  PutObjectCommand,
} from "@aws-sdk/client-s3"
import { CannotStart } from "../../kernel/cannot-start.ts"
import type { Bucket } from "../places.ts"
import { ask, askUnless, type S3Timeouts } from "./ask.ts"
import { readBody } from "./body.ts"
import { createS3Client } from "./client.ts"
import { signAddress } from "./sign-address.ts"
import { uploadFile } from "./upload-file.ts"

const absent = ["NoSuchKey", 404]
const [preconditionFailed, conflict, notImplemented] = [412, 409, 501]

/** A mark that a copy of an object onto itself sets or takes away. */
type Mark = { marked: boolean }

/**
 * The objects of a bucket below a prefix, by names relative to it. Every method throws StoreUnavailable when S3 cannot be
 * asked; `check` throws CannotStart.
 */
export function openBucket({ bucket: Bucket, prefix, ...place }: Bucket, timeouts: S3Timeouts) {
  const { totalMs, pauseMs } = timeouts
  const client = createS3Client(place, place.endpoint, timeouts)
  const publicClient = createS3Client(place, place.publicEndpoint, timeouts)
  const at = (name: string) => ({ Bucket, Key: prefix + name })

  return {
    /** Throws CannotStart unless the bucket is there and may be used. */
    async check(): Promise<void> {
      try {
        await ask(totalMs, (abortSignal) => client.send(new HeadBucketCommand({ Bucket }), { abortSignal }))
      } catch (error) {
        throw new CannotStart(`Images cannot be kept in the bucket ${Bucket}: ${(error as Error).message}`, {
          cause: error,
        })
      }
    },

    /** Takes in a file; resolves once its bytes are durable. */
    upload: (name: string, file: string): Promise<void> => uploadFile(client, at(name), file, timeouts),

    /** Writes a short text. */
    put: (name: string, text: string): Promise<unknown> =>
      ask(totalMs, (abortSignal) => client.send(new PutObjectCommand({ ...at(name), Body: text }), { abortSignal })),

    /** The same, unless the name is taken, or the server has no conditional writes and says so: then false. */
    async putOnce(name: string, text: string): Promise<boolean> {
      const put = new PutObjectCommand({ ...at(name), Body: text, IfNoneMatch: "*" })
      const done = await askUnless([preconditionFailed, conflict, notImplemented], totalMs, (abortSignal) =>
        client.send(put, { abortSignal }),
      )
      return done !== undefined
    },

    async text(name: string): Promise<string | undefined> {
      const found = await askUnless(absent, totalMs, (abortSignal) =>
        client.send(new GetObjectCommand(at(name)), { abortSignal }),
      )
      return await found?.Body?.transformToString()
    },

    /** Some bytes of an object, from `start` to `end`, and whether it is marked; undefined when it is not there. */
    async open(
      name: string,
      { start, end }: { start: number; end: number },
    ): Promise<({ bytes: AsyncIterable<Uint8Array> } & Mark) | undefined> {
      const found = await askUnless(absent, totalMs, (abortSignal) =>
        client.send(new GetObjectCommand({ ...at(name), Range: `bytes=${start}-${end}` }), { abortSignal }),
      )
      if (!found) return undefined
      return { bytes: readBody(found.Body as Readable, pauseMs), marked: found.Metadata?.[markName] !== undefined }
    },

    /** An address at which anybody may read an object for a few minutes, with these headers. */
    address: (name: string, headers: { type: string; cacheControl: string }): Promise<string> =>
      signAddress(publicClient, at(name), headers, totalMs),

    /** Marks an object or takes the mark away, its bytes untouched; no error when it is not there. */
    async mark(name: string, { marked }: Mark): Promise<void> {
      const copy = new CopyObjectCommand({
        ...at(name),
        CopySource: `${Bucket}/${(prefix + name).split("/").map(encodeURIComponent).join("/")}`,
        MetadataDirective: "REPLACE",
        Metadata: marked ? { [markName]: "1" } : {},
      })
      await askUnless(absent, totalMs, (abortSignal) => client.send(copy, { abortSignal }))
    },

    /** No error when it is not there. */
    async remove(name: string): Promise<void> {
      await askUnless(absent, totalMs, (abortSignal) => client.send(new DeleteObjectCommand(at(name)), { abortSignal }))
    },

    /**
     * The names below a folder in alphabetical order: of what is in it, or of the folders in it alone. With `behind`, a
     * name in the folder, only those that come after it.
     */
    async *list(folder: string, kind: "objects" | "folders", behind?: string): AsyncGenerator<string> {
      const below = prefix + folder
      let page: ListObjectsV2CommandOutput | undefined
      do {
        const next = page?.NextContinuationToken
        const question = new ListObjectsV2Command({
          ...{ Bucket, Prefix: below },
          ...(kind === "folders" && { Delimiter: "/" }),
          ...(next !== undefined && { ContinuationToken: next }),
          ...(behind !== undefined && { StartAfter: below + behind }),
        })
        page = await ask(totalMs, (abortSignal) => client.send(question, { abortSignal }))
        const names =
          kind === "folders"
            ? page.CommonPrefixes?.map(({ Prefix = "" }) => Prefix.slice(0, -1))
            : page.Contents?.map(({ Key = "" }) => Key)
        for (const name of names ?? []) yield name.slice(below.length)
      } while (page.IsTruncated === true && page.NextContinuationToken !== undefined)
    },
  }
}

const markName = "trashed"
