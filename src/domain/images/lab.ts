import type { Refusal } from "../../kernel/problem.ts"
import type { Plan } from "../accounts/contract.ts"
import type { ImagePart, ImageType } from "./contract.ts"

/** A picture made safe: without metadata, upright, in every size, as files in the directory it was decoded into. */
export type Decoded = {
  /** Of the original as it will be served. */
  sha256: string
  type: ImageType
  width: number
  height: number
  frames: number
  files: Record<ImagePart, { path: string; bytes: number }>
}

export type ImageDecoder = {
  /**
   * Decodes a file somebody sent, which may be hostile, within bounds of time, memory and concurrency; writes what is to
   * be kept into the directory. Accounts take turns; throws the problem `unavailable` when too many of this
   * one's are waiting.
   */
  decode(
    file: string,
    directory: string,
    accountId: number,
  ): Promise<Decoded | Refusal<"unsupported-image" | "unreadable-image" | "image-too-large">>
}

/** A directory of this machine for one piece of work; disposing it removes everything that is still in it. */
export type Stage = AsyncDisposable & {
  path: string
  /** Writes a file into it and answers its path. What reading the bytes throws is thrown on. */
  write(name: string, bytes: AsyncIterable<Uint8Array>): Promise<string>
}

/** Where the bytes of images are kept. Everything of one image is kept, and goes, together under one key. */
export type BlobStore = {
  /** A directory from which `keep` takes files cheaply. */
  stage(at: number): Promise<Stage>
  /** Takes over files, each the bytes of one part; answers their new key once all of them are durable. */
  keep(parts: Record<ImagePart, string>, at: number): Promise<string>
  /**
   * The bytes of one part from `start` to `end` (both counted, from 0), or undefined when it is not there. Whoever has
   * begun to read reads to the end, even if the key is removed meanwhile.
   */
  read(
    key: string,
    part: ImagePart,
    range: { start: number; end: number },
  ): Promise<AsyncIterable<Uint8Array> | undefined>
  /** Removes all parts for good, from the trash too; no error when there are none. */
  remove(key: string): Promise<void>
  /** Moves all parts to where they can be brought back from; `at` (ms) says since when. No error when there are none. */
  trash(key: string, at: number): Promise<void>
  /** Brings all parts back from the trash; false when they are not there. Reading a key does the same. */
  restore(key: string): Promise<boolean>
  /** Every key in the trash, in no order. */
  trashed(): AsyncIterable<string>
  /** Removes for good what was moved to the trash before this time, to the day; answers how many keys. */
  emptyTrash(before: number): Promise<number>
  /** Whether an operator has agreed to an unusually large sweep; one agreement is good for one. */
  mayTrashMany(): Promise<boolean>
  /** The identity of the database everything here belongs to; undefined while there is none. */
  owner(): Promise<string | undefined>
  /** Says once to which database everything here belongs. */
  claim(identity: string): Promise<void>
  /** Every key that was kept before this time, in no order. */
  keptBefore(before: number): AsyncIterable<string>
  /** Removes stages from before this time, left behind by a process that was killed. */
  clearStages(before: number): Promise<void>
}

/** What the verbs work on images with. */
export type PhotoLab = {
  blobs: BlobStore
  decoder: ImageDecoder
  /** How many bytes of images an account of each plan may keep. */
  quotaBytes: Record<Plan, number>
}
