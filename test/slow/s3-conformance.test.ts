import { after, describe } from "node:test"
import { openS3Blobs } from "../../src/parts/replicas/s3/blobs.ts"
import { openBucket } from "../../src/parts/replicas/s3/bucket.ts"
import { s3Timeouts } from "../../src/parts/replicas/s3/request.ts"
import { blobConformance } from "../conformance/blobs/suite.ts"
import { unlessThorough } from "../harness/effort.ts"
import { missingS3, missingVersitygw, s3Place, startS3, startVersitygw } from "../harness/s3.ts"

const servers = [
  { name: "S3", missing: await missingS3(), start: startS3 },
  { name: "versitygw", missing: unlessThorough || (await missingVersitygw()), start: startVersitygw },
]

for (const { name, missing, start } of servers)
  describe(name, { skip: missing }, () => {
    const opened = new AsyncDisposableStack()
    after(() => opened.disposeAsync())
    let starting: ReturnType<typeof startS3> | undefined
    const startOnce = async () => opened.use(await start())

    for (const [prefix, redirects] of [["", true] as const, ["some/where/", false] as const])
      blobConformance(prefix ? `${name}, below ${prefix}` : `${name}, redirecting to it`, async () => {
        starting ??= startOnce()
        const server = await starting
        const place = opened.use(s3Place(await server.createBucket(), server.endpoint, prefix))
        const bucket = openBucket(place, s3Timeouts)
        return {
          blobs: await openS3Blobs({ ...place, redirects }),
          hasAddresses: redirects,
          removePart: (key) => bucket.remove(`kept/${key}/320`),
          agreeToSweep: () => bucket.put("sweep-anyway", "").then(() => undefined),
        }
      })
  })
