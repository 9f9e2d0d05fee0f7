export type Locations = {
  /** The directory of the service's own files, as an absolute path. */
  dataDir: string
  /** `file` is an absolute path, `connections` the maximum. */
  database: { kind: "sqlite"; file: string } | { kind: "postgres"; url: string; connections: number }
  /** In `directory`, an absolute path, this process stages images; on disk it holds all of them. */
  images: { directory: string } & ({ kind: "disk" } | ({ kind: "s3" } & Bucket))
  /** The Redis or Valkey for shared limits and signals; undefined for a single process. */
  redisUrl: string | undefined
}

/** Where images or an archive are in S3 or a compatible server. */
export type Bucket = {
  bucket: string
  /** The prefix of every name: empty, or segments that each end with a slash. */
  prefix: string
  /** The server, without a trailing slash; undefined for AWS. */
  endpoint: string | undefined
  /** The server as clients reach it. */
  publicEndpoint: string | undefined
  /** Undefined for the region in the AWS client's own settings. */
  region: string | undefined
  /** Whether clients download images from S3 itself, by signed addresses. */
  redirects: boolean
}
