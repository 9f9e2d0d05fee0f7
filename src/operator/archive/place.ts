/** Where an archive is written: it appears under its name only when it is whole. */
export type ArchiveWriter = AsyncDisposable & {
  /** The path on this machine at which a file of the archive is made before `add` takes it over. */
  draft(name: string): string
  /** Takes over a draft; resolves once it is durable. */
  add(name: string): Promise<void>
  /** Writes a file; resolves once it is durable. */
  write(name: string, bytes: AsyncIterable<Uint8Array>): Promise<void>
  /** Takes back what `write` wrote, with the folder that it leaves empty. */
  remove(name: string): Promise<void>
  /** Makes the archive appear, with the manifest as its last file. Disposing before that leaves nothing. */
  finish(manifest: string): Promise<void>
}

/** An archive that is read. */
export type ArchiveReader = AsyncDisposable & {
  /** The bytes of a file; undefined when there is none of this name. */
  read(name: string): Promise<AsyncIterable<Uint8Array> | undefined>
  /** The path on this machine of a file, or of a copy of it. */
  local(name: string): Promise<string>
  /** The name of every file, in no order. */
  names(): AsyncIterable<string>
}

/** The names of an archive's files, except those of images. */
export const manifestName = "manifest.json"
export const listName = "files.ndjson"
export const databaseName = "petstore.db"

/** The name of a part of an image, by the key its bytes are kept under, and back. */
export const imageFile = (blob: string, part: string): string => `images/${blob}/${part}`

export function imageOf(name: string): { blob: string; part: string } | undefined {
  const [, blob, part] = /^images\/([\w-]+)\/(\w+)$/.exec(name) ?? []
  return blob === undefined || part === undefined ? undefined : { blob, part }
}
