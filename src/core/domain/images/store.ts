import type { ImagePart, ImageType } from "./contract.ts"

/** An image in storage and the key of its files. */
export type StoredImage = {
  /** Of the original, in hex. */
  sha256: string
  type: ImageType
  width: number
  height: number
  frames: number
  bytes: Record<ImagePart, number>
  blob: string
}

/** A range of bytes, both ends inclusive, from 0. */
type ByteRange = { start: number; end: number }

/** Images of pets. A pet refers to images through its photo URLs; writing the pet updates the references. */
export type ImageStore = {
  /** The image with this SHA-256 (hex); undefined when there is none. */
  read(sha256: string): Promise<StoredImage | undefined>
  /** Up to `limit` images after this SHA-256, in order; the empty string starts at the first. */
  after(sha256: string, limit: number): Promise<StoredImage[]>
  /** Up to `limit` images after this key, in order of keys; the empty string starts at the first. */
  afterKey(blob: string, limit: number): Promise<StoredImage[]>
  /** Adds an image that counts against this account; false, without a change, when it exists. */
  add(image: StoredImage, accountId: number): Promise<boolean>
  /** Bytes of images that count against an account. */
  bytesOf(accountId: number): Promise<number>
  /** The images a pet refers to, with their descriptions, unordered. */
  ofPet(petId: number): Promise<{ image: StoredImage; description: string | undefined }[]>
  /** Sets the description of a pet's image. */
  describe(petId: number, sha256: string, description: string): Promise<void>
  /** Marks those of up to `limit` dereferenced images that no pet refers to; returns how many were examined. */
  markUnreferenced(at: number, limit: number): Promise<number>
  /** Deletes up to `limit` images that have been unreferenced since `before`; returns the keys of their files. */
  forgetUnreferenced(before: number, limit: number): Promise<string[]>
  /** Those of these keys that belong to an image. */
  known(blobs: readonly string[]): Promise<Set<string>>
}

/** Direct access of clients to image files, without the service in between. */
export type BlobAddresses = {
  /**
   * A public URL of one part, valid for at least five minutes, that responds with these headers; undefined when the service
   * itself serves the bytes. Does not check that the part exists.
   */
  address(key: string, part: ImagePart, headers: { type: string; cacheControl: string }): Promise<string | undefined>
}

/** Read access to image files. */
export type BlobReader = {
  /** Whether the storage itself detects bytes that changed. */
  hasChecksums: boolean
  /**
   * The bytes of one part from `start` to `end` (inclusive, from 0); undefined when it does not exist. An open reader reads to
   * the end even if the key is removed meanwhile.
   */
  read(key: string, part: ImagePart, range: ByteRange): Promise<AsyncIterable<Uint8Array> | undefined>
  /** Every key in the trash, unordered. */
  trashed(): AsyncIterable<string>
  /** The identity of the database that these files belong to; undefined while there is none. */
  owner(): Promise<string | undefined>
  /** Every key stored before this time (ms), unordered. */
  keptBefore(before: number): AsyncIterable<string>
  /** Those of these keys that lack a part, in the trash too. Fastest for keys that are adjacent in order. */
  incomplete(keys: readonly string[]): Promise<string[]>
}
