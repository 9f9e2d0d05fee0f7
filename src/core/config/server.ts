import { httpUrl } from "./addresses.ts"
import { anyText, cidrs, hostNames, integer, oneOf, onOrOff, port, seconds } from "./kinds.ts"
import type { Topic } from "./setting.ts"

/** The profile, and where the service is. */
export const server = {
  profile: {
    variable: "PETSTORE_PROFILE",
    kind: oneOf("sandbox", "production"),
    default: "sandbox",
    meaning: "`sandbox` has sample pets and well-known keys; `production` has neither",
  },
  host: { variable: "PETSTORE_HOST", kind: anyText, default: "127.0.0.1", meaning: "Address to listen on" },
  port: {
    variable: "PETSTORE_PORT",
    kind: port,
    default: "8080",
    meaning: "Port to listen on; 0 selects a free one",
  },
  /** Without a trailing slash; undefined when it follows from the listening address. */
  publicUrl: {
    variable: "PETSTORE_PUBLIC_URL",
    kind: httpUrl,
    otherwise: "from host and port; required in production",
    meaning: "The URL that clients use, such as https://petstore.example",
  },
  hosts: {
    variable: "PETSTORE_HOSTS",
    kind: hostNames,
    default: "",
    meaning: "Further host names of a sandbox, separated by commas: requests to other names may not administer it",
  },
  hasPublicStore: {
    variable: "PETSTORE_PUBLIC_STORE",
    kind: onOrOff,
    default: "on",
    inProduction: "off",
    meaning: "`on` shows the pets and their events at `/` to anonymous clients; `off` redirects to the console",
  },
} as const satisfies Topic

/** Connections and limits. */
export const connections = {
  hasV2: {
    variable: "PETSTORE_CLASSIC_V2",
    kind: onOrOff,
    default: "on",
    inProduction: "off",
    meaning: "`on` also serves the paths of the classic petstore's v2, below `/v2`",
  },
  drainTimeoutMs: {
    variable: "PETSTORE_DRAIN_SECONDS",
    kind: seconds({ min: 0, max: 3600 }),
    default: "10",
    meaning: "Seconds that a shutdown waits for requests in flight",
  },
  trustedProxies: {
    variable: "PETSTORE_TRUSTED_PROXIES",
    kind: cidrs,
    default: "",
    meaning: "Address blocks (CIDR, separated by commas) of proxies whose `X-Forwarded-For` is trusted",
  },
  unlimitedAddresses: {
    variable: "PETSTORE_UNLIMITED_ADDRESSES",
    kind: cidrs,
    default: "127.0.0.0/8, ::1",
    inProduction: "",
    meaning: "Address blocks whose requests without a valid credential are not limited",
  },
  connectionsPerAddress: {
    variable: "PETSTORE_CONNECTIONS_PER_ADDRESS",
    kind: integer({ min: 1, max: 10_000 }),
    default: "256",
    meaning: "Maximum number of open connections per address; proxies and unlimited addresses are exempt",
  },
  /** CIDR blocks. */
  webhookAllow: {
    variable: "PETSTORE_WEBHOOK_ALLOW",
    kind: cidrs,
    default: "",
    otherwise: "none (sandbox listening on loopback: loopback)",
    meaning: "Non-public addresses that webhooks may point to: CIDR blocks, separated by commas",
  },
} as const satisfies Topic
