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
import { CannotStart } from "../../../core/kernel/cannot-start.ts"
import type { Bucket } from "../../../core/storage/locations.ts"
import { streamBody } from "./body.ts"
import { createS3Client } from "./client.ts"
import { isRefusal, request, requestUnless, type S3Timeouts } from "./request.ts"
import { signAddress } from "./sign-address.ts"
import { putFile } from "./upload-file.ts"

const absent = ["NoSuchKey", 404]
const [preconditionFailed, conflict, notImplemented] = [412, 409, 501]

/** Receives the outcome of every request, which it returns. */
type Watch = <T>(outcome: Promise<T>) => Promise<T>

/** The objects of a bucket below a prefix, by relative names. Methods throw StoreUnavailable. */
export type BucketObjects = {
  /** Throws CannotStart when S3 refuses the bucket: it does not exist, or the credentials do not permit its use. */
  check(): Promise<unknown>
  /** Resolves once the bytes of the file are durable. */
  upload(name: string, file: string): Promise<void>
  /** Writes a short text. */
  put(name: string, text: string): Promise<unknown>
  /** False when the name is taken or the server refuses conditional writes. */
  putOnce(name: string, text: string): Promise<boolean>
  /** The text of an object; undefined when it does not exist. */
  text(name: string): Promise<string | undefined>
  /** The bytes of an object from `start` to `end`, and whether it is marked; undefined when it does not exist. */
  open(name: string, range: { start: number; end: number }): Promise<FoundObject | undefined>
  /** A public address for an object, with these headers; see `signAddress`. */
  address(name: string, headers: { type: string; cacheControl: string }): Promise<string>
  /** Sets or removes the mark of an object by copying it onto itself; no error when it does not exist. */
  mark(name: string, marked: boolean): Promise<void>
  /** No error when it does not exist. */
  remove(name: string): Promise<void>
  /** The names of the objects below a folder, or of its direct folders, in alphabetical order, after the name `after`. */
  list(folder: string, kind: "objects" | "folders", after?: string): AsyncGenerator<string>
}

type FoundObject = { bytes: AsyncIterable<Uint8Array>; marked: boolean }

export function openBucket(
  { bucket: Bucket, prefix, ...location }: Bucket,
  timeouts: S3Timeouts,
  watch: Watch = (outcome) => outcome,
): BucketObjects {
  const { totalMs, pauseMs } = timeouts
  const client = createS3Client(location, location.endpoint, timeouts)
  const publicClient = createS3Client(location, location.publicEndpoint, timeouts)
  const at = (name: string) => ({ Bucket, Key: prefix + name })
  const send = <In extends ServiceInputTypes, Out extends ServiceOutputTypes>(command: Command<In, Out>) =>
    watch(request(totalMs, (abortSignal) => client.send(command, { abortSignal })))
  const sendUnless = <In extends ServiceInputTypes, Out extends ServiceOutputTypes>(
    expected: readonly (string | number)[],
    command: Command<In, Out>,
  ) => watch(requestUnless(expected, totalMs, (abortSignal) => client.send(command, { abortSignal })))

  return {
    check: () =>
      send(new HeadBucketCommand({ Bucket })).catch((error) => {
        throw isRefusal(error) ? cannotKeep(Bucket, error) : error
      }),

    upload: (name, file) => watch(putFile(client, at(name), file, timeouts)),
    put: (name, text) => send(new PutObjectCommand({ ...at(name), Body: text })),

    putOnce: async (name, text) =>
      (await sendUnless(
        [preconditionFailed, conflict, notImplemented],
        new PutObjectCommand({ ...at(name), Body: text, IfNoneMatch: "*" }),
      )) !== undefined,
    text: async (name) => (await sendUnless(absent, new GetObjectCommand(at(name))))?.Body?.transformToString(),

    async open(name, { start, end }) {
      const found = await sendUnless(absent, new GetObjectCommand({ ...at(name), Range: `bytes=${start}-${end}` }))
      if (!found) return undefined
      return { bytes: streamBody(found.Body as Readable, pauseMs), marked: found.Metadata?.[markName] !== undefined }
    },

    address: (name, headers) => signAddress(publicClient, at(name), headers, totalMs),

    async mark(name, marked) {
      const CopySource = `${Bucket}/${(prefix + name).split("/").map(encodeURIComponent).join("/")}`
      const Metadata = marked ? { [markName]: "1" } : undefined
      await sendUnless(
        absent,
        new CopyObjectCommand({ ...at(name), CopySource, MetadataDirective: "REPLACE", Metadata }),
      )
    },

    async remove(name) {
      await sendUnless(absent, new DeleteObjectCommand(at(name)))
    },

    list: (folder, kind, after) => listNames(send, { Bucket, Prefix: prefix + folder }, kind, after),
  }
}

/** Images cannot be kept in the bucket, for this reason. */
export const cannotKeep = (bucket: string, cause: Error): CannotStart =>
  new CannotStart(`Images cannot be kept in the bucket ${bucket}: ${cause.message}`, { cause })

async function* listNames(
  send: (command: ListObjectsV2Command) => Promise<ListObjectsV2CommandOutput>,
  below: { Bucket: string; Prefix: string },
  kind: "objects" | "folders",
  after: string | undefined,
): AsyncGenerator<string> {
  const { length } = below.Prefix
  const StartAfter = after === undefined ? undefined : below.Prefix + after
  const Delimiter = kind === "folders" ? "/" : undefined
  let ContinuationToken: string | undefined
  do {
    const page = await send(new ListObjectsV2Command({ ...below, Delimiter, StartAfter, ContinuationToken }))
    for (const { Prefix = "" } of page.CommonPrefixes ?? []) yield Prefix.slice(length, -1)
    for (const { Key = "" } of page.Contents ?? []) yield Key.slice(length)
    ContinuationToken = page.IsTruncated === true ? page.NextContinuationToken : undefined
  } while (ContinuationToken !== undefined)
}

type Command<In extends ServiceInputTypes, Out extends ServiceOutputTypes> = $Command<
  In,
  Out,
  S3ClientResolvedConfig,
  ServiceInputTypes,
  ServiceOutputTypes
>

const markName = "trashed"
