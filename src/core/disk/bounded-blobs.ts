import { stat } from "node:fs/promises"
import { imageParts } from "../domain/images/contract.ts"
import type { BlobStore } from "../domain/ports/blobs.ts"
import { StoreUnavailable } from "../domain/ports/store.ts"

/**
 * Limits the bytes that a store accepts in its lifetime; removing images frees none. `bytes` returns those accepted, from
 * `alreadyBytes` on.
 */
export function boundBlobs(blobs: BlobStore, bytesMax: number, alreadyBytes = 0): BlobStore & { bytes(): number } {
  let bytes = alreadyBytes

  return {
    ...blobs,
    bytes: () => bytes,
    async keep(parts, at, key) {
      let added = 0
      for (const part of imageParts) added += (await stat(parts[part])).size
      if (bytes + added > bytesMax) throw new StoreUnavailable("there is no room for more images")
      bytes += added
      return blobs.keep(parts, at, key)
    },
  }
}
