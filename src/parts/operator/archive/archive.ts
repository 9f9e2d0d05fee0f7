/** Writes an archive, which appears under its name only once it is complete. */
export type ArchiveWriter = AsyncDisposable & {
  /** A local path for creating a file before `add`. */
  draft(name: string): string
  /** Moves a draft into the archive; resolves once it is durable. */
  add(name: string): Promise<void>
  /** Writes a file; resolves once it is durable. */
  write(name: string, bytes: AsyncIterable<Uint8Array>): Promise<void>
  /** Removes a written file, and its folder if that becomes empty. */
  remove(name: string): Promise<void>
  /** Completes the archive with its manifest. Disposing without `finish` removes everything. */
  finish(manifest: string): Promise<void>
}

export type ArchiveReader = AsyncDisposable & {
  /** The bytes of a file; undefined when it does not exist. */
  read(name: string): Promise<AsyncIterable<Uint8Array> | undefined>
  /** A local path of the file or of a copy. */
  local(name: string): Promise<string>
  /** The names of all files, unordered. */
  names(): AsyncIterable<string>
}

/** The files of an archive other than images. */
export const manifestName = "manifest.json"
export const listName = "files.ndjson"
export const databaseName = "petstore.db"

/** The file name of an image part; `blob` is the image's storage key. */
export const imageFile = (blob: string, part: string): string => `images/${blob}/${part}`

export function imageOf(name: string): { blob: string; part: string } | undefined {
  const [, blob, part] = /^images\/([\w-]+)\/(\w+)$/.exec(name) ?? []
  return blob === undefined || part === undefined ? undefined : { blob, part }
}
