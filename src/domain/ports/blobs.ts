import type { ImagePart } from "../images/contract.ts"
import type { BlobAddresses, BlobReader } from "../images/store.ts"

/** A directory of this machine for one piece of work; disposing it removes everything that is still in it. */
export type Stage = AsyncDisposable & {
  path: string
  /** Writes a file into it and resolves with its path. What reading the bytes throws is rethrown. */
  write(name: string, bytes: AsyncIterable<Uint8Array>): Promise<string>
}

/** Stores the bytes of images. All parts of one image are kept, trashed and removed together under one key. */
export type BlobStore = BlobAddresses &
  BlobReader & {
    /** A directory from which `keep` takes files cheaply; `at` in milliseconds since the epoch. */
    stage(at: number): Promise<Stage>
    /** Takes over files, each the bytes of one part; resolves, once all are durable, with their key: a new or the given one. */
    keep(parts: Record<ImagePart, string>, at: number, key?: string): Promise<string>
    /** Removes all parts for good, from the trash too; no error when there are none. */
    remove(key: string): Promise<void>
    /** Moves all parts to the trash, dated `at` (ms); no error when there are none. */
    trash(key: string, at: number): Promise<void>
    /** Brings all parts back from the trash; false when they are not there. Reading a key does the same. */
    restore(key: string): Promise<boolean>
    /** Removes for good what was trashed before this time (ms), to the day; resolves with the number of keys. */
    emptyTrash(before: number): Promise<number>
    /** Whether an operator has agreed to an unusually large sweep; one agreement is good for one. */
    mayTrashMany(): Promise<boolean>
    /** Records, once, to which database everything here belongs. */
    claim(identity: string): Promise<void>
    /** Removes stages from before this time (ms), left behind by a process that was killed. */
    clearStages(before: number): Promise<void>
  }
