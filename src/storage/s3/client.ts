import { S3Client } from "@aws-sdk/client-s3"
import type { Bucket } from "../places.ts"
import { attemptsMax, type S3Timeouts } from "./ask.ts"

/** Connections to S3; what comes when all are busy waits its turn, as long as its time lasts. */
const socketsMax = 256

/** A client of the AWS SDK, which finds credentials in the environment and wherever else AWS puts them. */
export function createS3Client(
  { region }: Pick<Bucket, "region">,
  endpoint: string | undefined,
  { connectMs, answerMs }: S3Timeouts,
): S3Client {
  return new S3Client({
    ...(endpoint !== undefined && { endpoint, forcePathStyle: true, region: "us-east-1" }),
    ...(region !== undefined && { region }),
    maxAttempts: attemptsMax,
    // Not every server of others knows the trailers that the client would send otherwise.
    requestChecksumCalculation: "WHEN_REQUIRED",
    responseChecksumValidation: "WHEN_REQUIRED",
    // Otherwise every larger upload opens a connection of its own.
    expectContinueHeader: false,
    logger: silent,
    requestHandler: {
      connectionTimeout: connectMs,
      requestTimeout: answerMs,
      throwOnRequestTimeout: true,
      httpAgent: { keepAlive: true, maxSockets: socketsMax },
      httpsAgent: { keepAlive: true, maxSockets: socketsMax },
      logger: silent,
    },
  })
}

const silent = { trace() {}, debug() {}, info() {}, warn() {}, error() {} }
