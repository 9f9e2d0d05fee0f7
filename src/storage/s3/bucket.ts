import type { Readable } from "node:stream"
import {
  type $Command,
  CopyObjectCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  HeadBucketCommand,
  ListObjectsV2Command,
  type ListObjectsV2CommandOutput,
  PutObjectCommand,
  type S3ClientResolvedConfig,
  type ServiceInputTypes,
  type ServiceOutputTypes,
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
  const send: Send = (command) => ask(totalMs, (abortSignal) => client.send(command, { abortSignal }))
  const sendUnless: SendUnless = (expected, command) =>
    askUnless(expected, totalMs, (abortSignal) => client.send(command, { abortSignal }))

  return {
    /** Throws CannotStart unless the bucket is there and may be used. */
    check: (): Promise<unknown> =>
      send(new HeadBucketCommand({ Bucket })).catch((cause) => {
        throw new CannotStart(`Images cannot be kept in the bucket ${Bucket}: ${cause.message}`, { cause })
      }),

    /** Takes in a file; resolves once its bytes are durable. */
    upload: (name: string, file: string): Promise<void> => uploadFile(client, at(name), file, timeouts),

    /** Writes a short text. */
    put: (name: string, text: string): Promise<unknown> => send(new PutObjectCommand({ ...at(name), Body: text })),

    /** The same, unless the name is taken, or the server has no conditional writes and says so: then false. */
    putOnce: async (name: string, text: string): Promise<boolean> =>
      (await sendUnless(
        [preconditionFailed, conflict, notImplemented],
        new PutObjectCommand({ ...at(name), Body: text, IfNoneMatch: "*" }),
      )) !== undefined,

    text: async (name: string): Promise<string | undefined> =>
      (await sendUnless(absent, new GetObjectCommand(at(name))))?.Body?.transformToString(),

    /** Some bytes of an object, from `start` to `end`, and whether it is marked; undefined when it is not there. */
    async open(
      name: string,
      { start, end }: { start: number; end: number },
    ): Promise<({ bytes: AsyncIterable<Uint8Array> } & Mark) | undefined> {
      const found = await sendUnless(absent, new GetObjectCommand({ ...at(name), Range: `bytes=${start}-${end}` }))
      if (!found) return undefined
      return { bytes: readBody(found.Body as Readable, pauseMs), marked: found.Metadata?.[markName] !== undefined }
    },

    /** An address at which anybody may read an object for a few minutes, with these headers. */
    address: (name: string, headers: { type: string; cacheControl: string }): Promise<string> =>
      signAddress(publicClient, at(name), headers, totalMs),

    /** Marks an object or takes the mark away, its bytes untouched; no error when it is not there. */
    async mark(name: string, { marked }: Mark): Promise<void> {
      const CopySource = `${Bucket}/${(prefix + name).split("/").map(encodeURIComponent).join("/")}`
      const Metadata = marked ? { [markName]: "1" } : undefined
      await sendUnless(
        absent,
        new CopyObjectCommand({ ...at(name), CopySource, MetadataDirective: "REPLACE", Metadata }),
      )
    },

    /** No error when it is not there. */
    async remove(name: string): Promise<void> {
      await sendUnless(absent, new DeleteObjectCommand(at(name)))
    },

    /**
     * The names below a folder in alphabetical order: of what is in it, or of the folders in it alone. With `behind`, a
     * name in the folder, only those that come after it.
     */
    list: (folder: string, kind: "objects" | "folders", behind?: string): AsyncGenerator<string> =>
      listNames(send, { Bucket, Prefix: prefix + folder }, kind, behind),
  }
}

type Command<In extends ServiceInputTypes, Out extends ServiceOutputTypes> = $Command<
  In,
  Out,
  S3ClientResolvedConfig,
  ServiceInputTypes,
  ServiceOutputTypes
>
type Send = <In extends ServiceInputTypes, Out extends ServiceOutputTypes>(command: Command<In, Out>) => Promise<Out>
type SendUnless = <In extends ServiceInputTypes, Out extends ServiceOutputTypes>(
  expected: readonly (string | number)[],
  command: Command<In, Out>,
) => Promise<Out | undefined>

const markName = "trashed"

async function* listNames(
  send: Send,
  below: { Bucket: string; Prefix: string },
  kind: "objects" | "folders",
  behind: string | undefined,
): AsyncGenerator<string> {
  const StartAfter = behind === undefined ? undefined : below.Prefix + behind
  const Delimiter = kind === "folders" ? "/" : undefined
  let ContinuationToken: string | undefined
  do {
    const page: ListObjectsV2CommandOutput = await send(
      new ListObjectsV2Command({ ...below, Delimiter, ContinuationToken, StartAfter }),
    )
    const names =
      kind === "folders"
        ? page.CommonPrefixes?.map(({ Prefix = "" }) => Prefix.slice(0, -1))
        : page.Contents?.map(({ Key = "" }) => Key)
    for (const name of names ?? []) yield name.slice(below.Prefix.length)
    ContinuationToken = page.IsTruncated === true ? page.NextContinuationToken : undefined
  } while (ContinuationToken !== undefined)
}
