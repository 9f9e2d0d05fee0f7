import { GetObjectCommand, type S3Client } from "@aws-sdk/client-s3"
import { getSignedUrl } from "@aws-sdk/s3-request-presigner"
import { request } from "./request.ts"

/** Addresses signed within one period are equal, so that browsers reuse cached images. */
const sameMs = 5 * 60 * 1000
/** An address is valid for 5 to 10 minutes. */
const validSeconds = (2 * sameMs) / 1000

/** An address at which anyone can read one object for a few minutes, with these headers; sends no request to S3. */
export function signAddress(
  client: S3Client,
  target: { Bucket: string; Key: string },
  { type, cacheControl }: { type: string; cacheControl: string },
  totalMs: number,
): Promise<string> {
  const read = new GetObjectCommand({ ...target, ResponseContentType: type, ResponseCacheControl: cacheControl })
  const signingDate = new Date(Math.floor(Date.now() / sameMs) * sameMs)
  // Credentials may have to be fetched.
  return request(totalMs, () => getSignedUrl(client, read, { expiresIn: validSeconds, signingDate }))
}
