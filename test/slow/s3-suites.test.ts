import { missingS3 } from "../harness/s3.ts"

// What the plain suite leaves out where no S3 server is installed.
await missingS3("install")
await import("../conformance/s3.test.ts")
await import("../storage/s3-images.test.ts")
