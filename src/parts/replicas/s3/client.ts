import { S3Client } from "@aws-sdk/client-s3"
import type { Bucket } from "../../../core/storage/locations.ts"
import { attemptsMax, type S3Timeouts } from "./request.ts"

/** Requests wait while all connections are busy. */
const agent = { keepAlive: true, maxSockets: 256 }

/** A client of the AWS SDK, which finds credentials in the environment and AWS's other sources. */
export function createS3Client(
  { region }: Pick<Bucket, "region">,
  endpoint: string | undefined,
  { connectMs, responseMs }: S3Timeouts,
): S3Client {
  return new S3Client({
    ...(endpoint !== undefined && { endpoint, forcePathStyle: true, region: "us-east-1" }),
    ...(region !== undefined && { region }),
    maxAttempts: attemptsMax,
    // Some compatible servers do not support the trailers that the client would send otherwise.
    requestChecksumCalculation: "WHEN_REQUIRED",
    responseChecksumValidation: "WHEN_REQUIRED",
    // Otherwise each larger upload opens its own connection.
    expectContinueHeader: false,
    logger: silent,
    requestHandler: {
      connectionTimeout: connectMs,
      requestTimeout: responseMs,
      throwOnRequestTimeout: true,
      httpAgent: agent,
      httpsAgent: agent,
      logger: silent,
    },
  })
}

const silent = { trace() {}, debug() {}, info() {}, warn() {}, error() {} }
