import type { ImagePart, ImageType } from "./contract.ts"

/** An image as stored: what it is and under which key its bytes are kept. */
export type StoredImage = {
  /** In hex, of the original. */
  sha256: string
  type: ImageType
  width: number
  height: number
  frames: number
  bytes: Record<ImagePart, number>
  blob: string
}

/** Part of a file: from the byte `start`, counted from 0, to the byte `end`, both inclusive. */
type ByteRange = { start: number; end: number }

/** Images of pets. A pet refers to images through its photo URLs; writing the pet updates the references. */
export type ImageStore = {
  /** The image with this SHA-256 (hex); undefined when there is none. */
  read(sha256: string): Promise<StoredImage | undefined>
  /** Up to `limit` images whose SHA-256 comes after this one, in its order; the empty text begins. */
  after(sha256: string, limit: number): Promise<StoredImage[]>
  /** Up to `limit` images whose key comes after this one, in the order of keys; the empty text begins. */
  afterKey(blob: string, limit: number): Promise<StoredImage[]>
  /** Adds an image that counts against this account; false when it is there already, and nothing is changed. */
  add(image: StoredImage, accountId: number): Promise<boolean>
  /** How many bytes of images count against an account. */
  bytesOf(accountId: number): Promise<number>
  /** The images a pet refers to, with their descriptions, in no order. */
  ofPet(petId: number): Promise<{ image: StoredImage; description: string | undefined }[]>
  /** Sets the description of a pet's image. */
  describe(petId: number, sha256: string, description: string): Promise<void>
  /** Remembers of up to `limit` images pets have let go of whether no pet refers to them since; returns how many. */
  markUnreferenced(at: number, limit: number): Promise<number>
  /** Forgets up to `limit` images that no pet has referred to since `before`; returns the keys of their bytes. */
  forgetUnreferenced(before: number, limit: number): Promise<string[]>
  /** Which of these keys belong to an image. */
  known(blobs: readonly string[]): Promise<Set<string>>
}

/** Where clients read the bytes of images without the service in between. */
export type BlobAddresses = {
  /**
   * A public URL of one part, valid for at least five minutes, that responds with these headers; undefined when the service
   * itself serves the bytes. Does not check that the part exists.
   */
  address(key: string, part: ImagePart, headers: { type: string; cacheControl: string }): Promise<string | undefined>
}

/** The bytes of images as a reader finds them, who makes nothing there. */
export type BlobReader = {
  /**
   * The bytes of one part from `start` to `end` (inclusive, from 0); undefined when it does not exist. An open reader reads to
   * the end even if the key is removed meanwhile.
   */
  read(key: string, part: ImagePart, range: ByteRange): Promise<AsyncIterable<Uint8Array> | undefined>
  /** Every key in the trash, in no order. */
  trashed(): AsyncIterable<string>
  /** The identity of the database everything here belongs to; undefined while there is none. */
  owner(): Promise<string | undefined>
  /** Every key that was kept before this time (ms), in no order. */
  keptBefore(before: number): AsyncIterable<string>
  /** Which of these keys lack a part, in the trash too. Costs least when the keys are neighbours in their order. */
  incomplete(keys: readonly string[]): Promise<string[]>
}
