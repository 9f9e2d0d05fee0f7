import { existsSync, statSync } from "node:fs"
import { join } from "node:path"
import type { BlobStore } from "../domain/ports.ts"
import { CannotStart } from "../kernel/cannot-start.ts"
import { keyFileName } from "../storage/disk/key-file.ts"
import type { Installation } from "./installation.ts"

/** With a key that does not open the restored secrets the service would not start. */
export function requireSameKey({ secretKey }: Installation, key: Uint8Array | undefined): void {
  if (secretKey && key && Buffer.compare(secretKey, key) !== 0)
    throw new CannotStart("PETSTORE_SECRET_KEY is not the key in the backup: set it to that one, or leave it out")
}

/** Of what a service makes, nothing may be there; files of others do not matter. */
export async function requireEmpty(
  { dataDir, images }: Installation,
  databaseFile: string,
  blobs: BlobStore,
): Promise<void> {
  const keyFile = join(dataDir, keyFileName)
  if (statSync(databaseFile, { throwIfNoEntry: false })?.size) refuse(databaseFile, "is there already")
  if (await hasImages(blobs)) refuse(images.directory, "holds images already")
  if (existsSync(keyFile)) refuse(keyFile, "is there already")
}

/** Images of this database may be there, from a restore that was interrupted. */
export async function requireNoOtherImages({ images }: Installation, blobs: BlobStore, id: string): Promise<void> {
  if ((await blobs.owner()) !== id && (await hasImages(blobs))) refuse(images.directory, "holds images already")
}

function refuse(path: string, what: string): never {
  throw new CannotStart(`${path} ${what}. A backup is restored to where there is no Petstore yet: nothing was changed`)
}

/** Whether anything is there, or somebody has claimed it. */
export async function hasImages(blobs: BlobStore): Promise<boolean> {
  if ((await blobs.owner()) !== undefined) return true
  for (const keys of [blobs.keptBefore(Number.POSITIVE_INFINITY), blobs.trashed()])
    for await (const _ of keys) return true
  return false
}
