import { stat } from "node:fs/promises"
import { imageParts } from "../../domain/images/contract.ts"
import { type BlobStore, StoreUnavailable } from "../../domain/ports.ts"

/** The same place of images, which takes in so many bytes and no more; what is removed gives none back. */
export function boundBlobs(blobs: BlobStore, bytesMax: number): BlobStore {
  let bytes = 0

  return {
    ...blobs,
    async keep(parts, at, key) {
      for (const part of imageParts) bytes += (await stat(parts[part])).size
      if (bytes > bytesMax) throw new StoreUnavailable("there is no room for more images")
      return blobs.keep(parts, at, key)
    },
  }
}
