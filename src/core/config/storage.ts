import { databaseUrl, redisUrl } from "./addresses.ts"
import { blobUrl } from "./images.ts"
import { choice, integer, path } from "./kinds.ts"
import type { Topic } from "./setting.ts"

/** Locations of data. */
export const storage = {
  dataDir: {
    variable: "PETSTORE_DATA_DIR",
    kind: path,
    default: "./data",
    meaning: "Directory of the embedded database, of its encryption key, and of the images",
  },
  database: {
    variable: "PETSTORE_DATABASE_URL",
    kind: databaseUrl,
    otherwise: "petstore.db in the data directory",
    meaning: "The database; PostgreSQL takes parameters such as `sslmode=verify-full`",
  },
  connections: {
    variable: "PETSTORE_DATABASE_CONNECTIONS",
    kind: integer({ min: 2, max: 500 }),
    default: "20",
    meaning: "Maximum number of connections that this process opens to PostgreSQL",
  },
  images: {
    variable: "PETSTORE_BLOB_URL",
    kind: blobUrl,
    otherwise: "images in the data directory",
    meaning: "Where images are stored; S3 uses the usual `AWS_…` credentials",
  },
  /** Whether clients download images directly from S3, by signed URLs. */
  redirects: {
    variable: "PETSTORE_BLOB_DOWNLOADS",
    kind: choice({ stream: false, redirect: true }),
    default: "stream",
    meaning: "How images in S3 are downloaded: `stream` through the service, or by `redirect` to a signed URL",
  },
  redisUrl: {
    variable: "PETSTORE_REDIS_URL",
    kind: redisUrl,
    meaning: "The Redis or Valkey server through which replicas share limits and signals",
  },
} as const satisfies Topic
