import { after, describe } from "node:test"
import { openS3Blobs } from "../../src/storage/s3/blobs.ts"
import { openBucket } from "../../src/storage/s3/bucket.ts"
import { s3Timeouts } from "../../src/storage/s3/request.ts"
import { blobConformance } from "../conformance/blobs/suite.ts"
import { missingS3, s3Place, startS3 } from "../harness/s3.ts"

describe("S3", { skip: await missingS3() }, () => {
  const opened = new AsyncDisposableStack()
  after(() => opened.disposeAsync())
  let starting: ReturnType<typeof startS3> | undefined
  const start = async () => opened.use(await startS3())

  for (const [prefix, redirects] of [["", true] as const, ["some/where/", false] as const])
    blobConformance(prefix ? `S3, below ${prefix}` : "S3, redirecting to it", async () => {
      starting ??= start()
      const server = await starting
      const bucket = await server.createBucket()
      const agreement = `${server.endpoint}/${bucket}/${prefix}sweep-anyway`
      const place = opened.use(s3Place(bucket, server.endpoint, prefix))
      return {
        blobs: await openS3Blobs({ ...place, redirects }),
        hasAddresses: redirects,
        removePart: (key) => openBucket(place, s3Timeouts).remove(`kept/${key}/320`),
        agreeToSweep: () => fetch(agreement, { method: "PUT", body: "" }).then(() => undefined),
      }
    })
})
