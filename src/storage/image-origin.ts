import type { BlobStore } from "../domain/ports/blobs.ts"
import { createBlobKey } from "./blob-key.ts"

/** The origin that requests for images are redirected to; undefined when the service sends them itself. */
export async function findImageOrigin(blobs: Pick<BlobStore, "address">): Promise<string | undefined> {
  const headers = { type: "image/webp", cacheControl: "no-store" }
  const address = await blobs.address(createBlobKey(0), "original", headers)
  return address && new URL(address).origin
}
