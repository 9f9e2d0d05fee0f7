import type { Examined } from "../../kernel/examined.ts"

/** The kinds of records whose text is stored with its hash. */
export const hashedKinds = ["pets", "orders", "users", "events", "audit"] as const

export type HashedKind = (typeof hashedKinds)[number]

/** A text with the hash that is stored beside it. */
export type HashedText = { json: string; hash: string }

/** Records as texts with hashes. A text that an older version wrote has none until it is filled in. */
export type HashStore = {
  /** Compares up to `limit` records after the id `after` with their hashes. From then on no list has a damaged one. */
  examine(kind: HashedKind, after: number, limit: number): Promise<Examined & { withoutHash: number }>
  /** Stores the hashes that are missing among up to `limit` records after the id `after`. */
  fill(kind: HashedKind, after: number, limit: number): Promise<void>
  /** A record as stored, damaged or not; undefined when there is none or it has no hash. */
  read(kind: HashedKind, id: number): Promise<HashedText | undefined>
  /** Whether the text has this hash. */
  isIntact(kind: HashedKind, text: HashedText): boolean
  /** Replaces text and hash of a record and nothing else. In a shared database a new text with the old hash has none. */
  replace(kind: HashedKind, id: number, text: HashedText): Promise<void>
}
