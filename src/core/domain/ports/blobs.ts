import type { Stage } from "../../kernel/flow/stage.ts"
import type { ImagePart } from "../images/contract.ts"
import type { BlobAddresses, BlobReader } from "../images/store.ts"

/** Stores image files. All parts of an image are stored, trashed and deleted together under one key. */
export type BlobStore = BlobAddresses &
  BlobReader & {
    /** A directory from which `keep` takes files without copying where possible; `at` in milliseconds since the epoch. */
    stage(at: number): Promise<Stage>
    /** Stores files, one per part; resolves with their key, new or given, once all are durable. */
    keep(parts: Record<ImagePart, string>, at: number, key?: string): Promise<string>
    /** Deletes all parts permanently, also from the trash; no error when there are none. */
    remove(key: string): Promise<void>
    /** Moves all parts to the trash, dated `at` (ms); no error when there are none. */
    trash(key: string, at: number): Promise<void>
    /** Restores all parts from the trash; false when they are not there. Reading a key restores it too. */
    restore(key: string): Promise<boolean>
    /** Permanently deletes what was trashed before this time (ms), to the day; resolves with the number of keys. */
    emptyTrash(before: number): Promise<number>
    /** Whether an operator has approved an unusually large sweep; each approval is valid once. */
    mayTrashMany(): Promise<boolean>
    /** Records, once, the database that these files belong to. */
    claim(identity: string): Promise<void>
    /** Deletes stages from before this time (ms), left by a killed process. */
    clearStages(before: number): Promise<void>
  }
