import { policySettings } from "./config-policy.ts"
import { CannotStart } from "./kernel/cannot-start.ts"
import { findNearest } from "./kernel/did-you-mean.ts"

/** Every setting there is: the only facts about the environment. `docs/configuration.md` is made from this table. */
export const settings = {
  PETSTORE_PROFILE: {
    meaning: "`sandbox` brings sample pets and well-known keys; `production` brings neither",
    default: "sandbox",
  },
  PETSTORE_HOST: { meaning: "Address to listen on", default: "127.0.0.1" },
  PETSTORE_PORT: { meaning: "Port to listen on; 0 takes a free one", default: "8080" },
  PETSTORE_DATA_DIR: {
    meaning: "Directory of the embedded database, of the key that secrets in it are encrypted with, and of photos",
    default: "./data",
  },
  PETSTORE_DATABASE_URL: { meaning: "`sqlite:PATH`", default: "petstore.db in the data directory" },
  PETSTORE_BLOB_URL: { meaning: "Where photos are kept: `file:PATH`", default: "images in the data directory" },
  PETSTORE_PHOTOS_FREE: { meaning: "MiB of photos an account of the plan Free may keep", default: "100" },
  PETSTORE_PHOTOS_PRO: { meaning: "MiB of photos an account of the plan Pro may keep", default: "10240" },
  PETSTORE_PHOTOS_ENTERPRISE: {
    meaning: "MiB of photos an account of the plan Enterprise may keep",
    default: "102400",
  },
  PETSTORE_PUBLIC_URL: {
    meaning: "The address clients use, such as https://petstore.example",
    default: "from host and port",
  },
  PETSTORE_PLAN_FREE: {
    meaning: "What the plan Free allows: `N/minute, M/day`, or `unlimited`",
    default: "60/minute, 1000/day",
  },
  PETSTORE_PLAN_PRO: { meaning: "What the plan Pro allows, likewise", default: "600/minute, 50000/day" },
  PETSTORE_PLAN_ENTERPRISE: { meaning: "What the plan Enterprise allows, likewise", default: "unlimited" },
  ...policySettings,
  PETSTORE_DRAIN_SECONDS: { meaning: "How long SIGTERM waits for requests under way; 0 to 3600", default: "10" },
  PETSTORE_OIDC_ISSUER: {
    meaning: "An issuer of JWT access tokens (RFC 9068) to trust besides the service's own",
    default: "none",
  },
  PETSTORE_OIDC_AUDIENCE: { meaning: "The audience its tokens must name; required with it", default: "none" },
  PETSTORE_TRUSTED_PROXIES: {
    meaning: "Address blocks (CIDR, separated by commas) of proxies whose `X-Forwarded-For` is believed",
    default: "none",
  },
  PETSTORE_UNLIMITED_ADDRESSES: {
    meaning: "Address blocks whose requests without a valid credential are not limited",
    default: "none (sandbox: loopback)",
  },
  PETSTORE_CONNECTIONS_PER_ADDRESS: {
    meaning:
      "Connections one address may have open at once; proxies and unlimited addresses may have any number. 1 to 10000",
    default: "256",
  },
  PETSTORE_SECRET_KEY: {
    meaning: "The key that seals secrets at rest: 32 bytes in base64. The same for every replica; never changed",
    default: "`secret.key` in the data directory, made at the first start",
  },
  PETSTORE_WEBHOOK_ALLOW: {
    meaning: "Addresses webhooks may lead to besides public ones: CIDR blocks, separated by commas",
    default: "none (sandbox that listens on loopback: this machine)",
  },
  PETSTORE_URL: { meaning: "Where the command line finds the service", default: "http://127.0.0.1:8080" },
  PETSTORE_API_KEY: {
    meaning: "The API key the command line sends",
    default: "the sandbox's `special-key` when PETSTORE_URL is this machine",
  },
  PETSTORE_TOKEN: {
    meaning: "The access token the command line sends, as `petstore users login` answers it",
    default: "none",
  },
} as const

export type Environment = Record<string, string | undefined>

/** Throws CannotStart for a variable that looks like a setting and is none. */
export function refuseUnknown(env: Environment): void {
  for (const name of Object.keys(env))
    if (name.startsWith("PETSTORE_") && !(name in settings) && !isFromKubernetes(name, env))
      throw new CannotStart(`${name} is not a setting${suggestSetting(name)}`)
}

/** Compares what follows the prefix: with it, every setting would resemble every other one. */
function suggestSetting(name: string): string {
  const bare = (setting: string) => setting.slice("PETSTORE_".length)
  const near = findNearest(bare(name), Object.keys(settings).map(bare))
  return near === undefined ? "; docs/configuration.md lists all of them" : `. Did you mean PETSTORE_${near}?`
}

/** Whether Kubernetes set a variable, for a service named petstore or petstore-…: every container in its namespace is given these. */
export const isFromKubernetes = (name: string, env: Environment): boolean =>
  /_SERVICE_(HOST|PORT(_[A-Z0-9_]+)?)$|_PORT_\d+_(TCP|UDP|SCTP)(_(ADDR|PORT|PROTO))?$/.test(name) ||
  (name.endsWith("_PORT") && /^(tcp|udp|sctp):\/\//.test(env[name] ?? ""))
