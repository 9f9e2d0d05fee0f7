import { observabilitySettings } from "./config-observability.ts"
import { policySettings } from "./config-policy.ts"
import { CannotStart } from "./kernel/cannot-start.ts"
import { findNearest } from "./kernel/did-you-mean.ts"

/** Every setting; `docs/configuration.md` is generated from this table. */
export const settings = {
  PETSTORE_PROFILE: {
    meaning: "`sandbox` has sample pets and well-known keys; `production` has neither",
    default: "sandbox",
  },
  PETSTORE_HOST: { meaning: "Address to listen on", default: "127.0.0.1" },
  PETSTORE_PORT: { meaning: "Port to listen on; 0 takes a free one", default: "8080" },
  PETSTORE_DATA_DIR: {
    meaning: "Directory of the embedded database, the key its secrets are encrypted with, and the images",
    default: "./data",
  },
  PETSTORE_DATABASE_URL: {
    meaning:
      "`sqlite:PATH` or `postgres://USER:PASSWORD@HOST:PORT/DATABASE`, with parameters such as `sslmode=verify-full`; several hosts " +
      "as `HOST:PORT,HOST:PORT`",
    default: "petstore.db in the data directory",
  },
  PETSTORE_DATABASE_CONNECTIONS: {
    meaning: "Connections this process opens to PostgreSQL at most, 2 to 500",
    default: "20",
  },
  PETSTORE_BLOB_URL: {
    meaning:
      "Where images are stored: `file:PATH`, or `s3://BUCKET[/PREFIX][?endpoint=URL&region=REGION]` with the usual `AWS_…` credentials",
    default: "images in the data directory",
  },
  PETSTORE_BLOB_DOWNLOADS: {
    meaning: "How images in S3 are downloaded: `stream` through the service, or by `redirect` to a signed URL",
    default: "stream",
  },
  PETSTORE_REDIS_URL: {
    meaning:
      "The Redis or Valkey that replicas share limits and signals by: `redis://HOST:PORT`, or `rediss://` with TLS",
    default: "none",
  },
  PETSTORE_PHOTOS_FREE: { meaning: "MiB of images an account on the Free plan may store", default: "100" },
  PETSTORE_PHOTOS_PRO: { meaning: "MiB of images an account on the Pro plan may store", default: "10240" },
  PETSTORE_PHOTOS_ENTERPRISE: {
    meaning: "MiB of images an account on the Enterprise plan may store",
    default: "102400",
  },
  PETSTORE_PUBLIC_URL: {
    meaning: "The URL clients use, such as https://petstore.example",
    default: "from host and port",
  },
  PETSTORE_PLAN_FREE: {
    meaning: "Requests the Free plan allows: `N/minute, M/day`, or `unlimited`",
    default: "60/minute, 1000/day",
  },
  PETSTORE_PLAN_PRO: { meaning: "The same for the Pro plan", default: "600/minute, 50000/day" },
  PETSTORE_PLAN_ENTERPRISE: { meaning: "The same for the Enterprise plan", default: "unlimited" },
  ...policySettings,
  ...observabilitySettings,
  PETSTORE_PUBLIC_STORE: {
    meaning:
      "`on` shows the pets, and what happens to them, at `/` to everybody; `off` leads from there to the console",
    default: "off (sandbox: on)",
  },
  PETSTORE_CLASSIC_V2: {
    meaning: "`on` serves the paths of the classic petstore's v2 below /v2, too",
    default: "off (sandbox: on)",
  },
  PETSTORE_DRAIN_SECONDS: { meaning: "Seconds that a shutdown waits for requests in flight; 0 to 3600", default: "10" },
  PETSTORE_OIDC_ISSUER: {
    meaning: "An issuer of JWT access tokens (RFC 9068) to trust besides the service's own",
    default: "none",
  },
  PETSTORE_OIDC_AUDIENCE: {
    meaning: "The audience its tokens must have; required with PETSTORE_OIDC_ISSUER",
    default: "none",
  },
  PETSTORE_TRUSTED_PROXIES: {
    meaning: "Address blocks (CIDR, separated by commas) of proxies whose `X-Forwarded-For` is trusted",
    default: "none",
  },
  PETSTORE_UNLIMITED_ADDRESSES: {
    meaning: "Address blocks whose requests without a valid credential are not limited",
    default: "none (sandbox: loopback)",
  },
  PETSTORE_CONNECTIONS_PER_ADDRESS: {
    meaning: "Open connections one address may have, 1 to 10000; proxies and unlimited addresses may have any number",
    default: "256",
  },
  PETSTORE_SECRET_KEY: {
    meaning: "The key that encrypts secrets at rest: 32 bytes in base64, the same for every replica",
    default: "`secret.key` in the data directory, created at the first start",
  },
  PETSTORE_SECRET_KEY_PREVIOUS: {
    meaning: "The key before PETSTORE_SECRET_KEY: what is encrypted with it is encrypted anew at the start",
    default: "none",
  },
  PETSTORE_WEBHOOK_ALLOW: {
    meaning: "Non-public addresses that webhooks may point to: CIDR blocks, separated by commas",
    default: "none (sandbox listening on loopback: loopback)",
  },
  PETSTORE_URL: { meaning: "URL of the service, for the command line", default: "http://127.0.0.1:8080" },
  PETSTORE_API_KEY: {
    meaning: "The API key the command line sends",
    default: "the login of `petstore login`, else the sandbox's `special-key` when PETSTORE_URL is this machine",
  },
  PETSTORE_TOKEN: {
    meaning: "The access token the command line sends, as returned by `petstore users login`",
    default: "none",
  },
} as const

export type Environment = Record<string, string | undefined>

/** Throws CannotStart for a variable that begins with `PETSTORE_` and is not a setting. */
export function refuseUnknown(env: Environment): void {
  for (const name of Object.keys(env))
    if (name.startsWith("PETSTORE_") && !(name in settings) && !isFromKubernetes(name, env))
      throw new CannotStart(`${name} is not a setting${suggestSetting(name)}`)
}

/** Compares names without their prefix, which would make every setting resemble every other one. */
function suggestSetting(name: string): string {
  const bare = (setting: string) => setting.slice("PETSTORE_".length)
  const own = Object.keys(settings).filter((setting) => setting.startsWith("PETSTORE_"))
  const near = findNearest(bare(name), own.map(bare))
  return near === undefined ? "; docs/configuration.md lists all of them" : `. Did you mean PETSTORE_${near}?`
}

/** Whether Kubernetes set a variable, for a service named petstore or petstore-…, as it does in every container of the namespace. */
export const isFromKubernetes = (name: string, env: Environment): boolean =>
  /_SERVICE_(HOST|PORT(_[A-Z0-9_]+)?)$|_PORT_\d+_(TCP|UDP|SCTP)(_(ADDR|PORT|PROTO))?$/.test(name) ||
  (name.endsWith("_PORT") && /^(tcp|udp|sctp):\/\//.test(env[name] ?? ""))
