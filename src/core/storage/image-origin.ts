import { createBlobKey } from "../disk/blob-key.ts"
import type { BlobStore } from "../domain/ports/blobs.ts"

/** The origin to which the service redirects requests for images; undefined when it sends the bytes itself. */
export async function findImageOrigin(blobs: Pick<BlobStore, "address">): Promise<string | undefined> {
  const headers = { type: "image/webp", cacheControl: "no-store" }
  const address = await blobs.address(createBlobKey(0), "original", headers)
  return address && new URL(address).origin
}
