import { missingS3 } from "../harness/s3.ts"

// The tests that the plain suite skips without an S3 server.
await missingS3("install")
await import("../conformance/s3.test.ts")
await import("../storage/s3-images.test.ts")
