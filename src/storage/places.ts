/** Where the service keeps what it stores. */
export type Places = {
  /** The directory of the service's own files, as an absolute path. */
  dataDir: string
  /** The database; `file` is an absolute path, `connections` how many to open at most. */
  database: { kind: "sqlite"; file: string } | { kind: "postgres"; url: string; connections: number }
  /** Where images are. In `directory`, an absolute path, is what this process works at, and on disk all of it. */
  images: { directory: string } & ({ kind: "disk" } | ({ kind: "s3" } & Bucket))
  /** The Redis or Valkey that replicas share limits and signals by; undefined when there is one process. */
  redisUrl: string | undefined
}

/** A place in S3, or in what speaks its protocol. */
export type Bucket = {
  bucket: string
  /** What every name begins with: empty, or segments that each end with a slash. */
  prefix: string
  /** The server, without a trailing slash; undefined for that of AWS. */
  endpoint: string | undefined
  /** The server as clients reach it. */
  publicEndpoint: string | undefined
  /** Undefined for the one the AWS client finds in its own settings. */
  region: string | undefined
  /** Whether images are downloaded from S3 itself, by signed addresses. */
  redirects: boolean
}
