import type { Examined } from "../../kernel/examined.ts"
import { hashedRecords } from "../problems/hashed.ts"

export type HashedKind = keyof typeof hashedRecords

export const hashedKinds = Object.keys(hashedRecords) as HashedKind[]

/** What a hash is of, with the hash that is stored beside it: the text of a record, or a JSON array of its columns. */
export type HashedText = { json: string; hash: string }

/** Records as texts with hashes. A record that an older version wrote has none until it is filled in. */
export type HashStore = {
  /** Compares up to `limit` records after the id `after` with their hashes. From then on no list has a damaged one. */
  examine(kind: HashedKind, after: number, limit: number): Promise<Examined & { withoutHash: number }>
  /** Stores the hashes that are missing among up to `limit` records after the id `after`. */
  fill(kind: HashedKind, after: number, limit: number): Promise<void>
  /** A record as stored, damaged or not; undefined when there is none or it has no hash. */
  read(kind: HashedKind, id: number): Promise<HashedText | undefined>
  /** Whether the text has this hash. */
  isIntact(kind: HashedKind, text: HashedText): boolean
  /** Replaces what the hash of a record is of, and the hash. In a shared database what changes under the same hash has none. */
  replace(kind: HashedKind, id: number, text: HashedText): Promise<void>
}
