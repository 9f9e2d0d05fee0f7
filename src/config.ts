import { isAbsolute, join, resolve } from "node:path"
import { type LogSettings, logSettingsOf, traceEndpointOf } from "./config-observability.ts"
import { policyOf, retentionOf } from "./config-policy.ts"
import { storageOf } from "./config-storage.ts"
import type { Policy, Retention } from "./domain/policy.ts"
import { CannotStart } from "./kernel/cannot-start.ts"
import { isCidr } from "./kernel/ip-address.ts"
import { type Environment, isFromKubernetes, refuseUnknown, settings } from "./settings.ts"
import type { Places } from "./storage/places.ts"

type Name = keyof typeof settings

export type Config = Places & {
  profile: "sandbox" | "production"
  host: string
  port: number
  /** Where metrics are served by themselves; undefined when they are not. */
  metricsPort: number | undefined
  logging: LogSettings
  /** Where traces are sent; undefined when they are not. */
  traceEndpoint: string | undefined
  /** How many bytes of images an account of each plan may store. */
  photoBytes: Readonly<Record<"free" | "pro" | "enterprise", number>>
  /** Without a trailing slash; undefined when it follows from where the server listens. */
  publicUrl: string | undefined
  /** Address blocks of proxies whose `X-Forwarded-For` is trusted. */
  trustedProxies: readonly string[]
  /** Address blocks whose requests without a valid credential are not limited. */
  unlimitedAddresses: readonly string[]
  connectionsPerAddress: number
  /** 32 bytes; undefined when they are in the data directory. */
  secretKey: Uint8Array | undefined
  /** CIDR blocks. */
  webhookAllow: readonly string[]
  /** Requests each plan allows; undefined means no limit. */
  plans: Readonly<Record<"free" | "pro" | "enterprise", Quota | undefined>>
  policy: Policy
  retention: Retention
  /** Whether everybody may see the pets at `/`. */
  hasPublicStore: boolean
  /** Whether the paths of the classic v2 are served. */
  hasV2: boolean
  drainTimeoutMs: number
  /** The key before `secretKey`, for the start that leaves it behind. */
  previousSecretKey: Uint8Array | undefined
  externalIssuer: { issuer: string; audience: string } | undefined
}

type Quota = { readonly minute: number; readonly day: number }

/** Reads the settings from an environment; throws CannotStart for the first invalid one. */
export function readConfig(env: Environment): Config {
  refuseUnknown(env)
  const read = (name: Name) => env[name] || undefined
  const profile = oneOf("PETSTORE_PROFILE", read("PETSTORE_PROFILE") ?? settings.PETSTORE_PROFILE.default, [
    "sandbox",
    "production",
  ])
  const publicUrl = publicUrlOf(read("PETSTORE_PUBLIC_URL"))
  const dataDir = resolve(read("PETSTORE_DATA_DIR") ?? settings.PETSTORE_DATA_DIR.default)
  if (profile === "production" && publicUrl === undefined)
    throw new CannotStart(
      "PETSTORE_PUBLIC_URL is required in production: the address clients use, such as https://petstore.example",
    )

  const places = storageOf(read, dataDir)
  const secretKey = secretKeyOf(read("PETSTORE_SECRET_KEY"))
  if (places.database.kind === "postgres" && secretKey === undefined)
    throw new CannotStart(
      "PETSTORE_SECRET_KEY is required with PostgreSQL, the same for every replica: make one with openssl rand -base64 32",
    )

  const unlimitedAddresses = cidrsOf("PETSTORE_UNLIMITED_ADDRESSES", env) ?? (profile === "sandbox" ? loopback : [])
  return Object.freeze({
    profile,
    host: read("PETSTORE_HOST") ?? settings.PETSTORE_HOST.default,
    port: portOf(
      "PETSTORE_PORT",
      (!isFromKubernetes("PETSTORE_PORT", env) && read("PETSTORE_PORT")) || settings.PETSTORE_PORT.default,
    ),
    metricsPort: env.PETSTORE_METRICS_PORT ? portOf("PETSTORE_METRICS_PORT", env.PETSTORE_METRICS_PORT) : undefined,
    logging: logSettingsOf(env),
    traceEndpoint: traceEndpointOf(env),
    ...places,
    photoBytes: {
      free: mebibytesOf("PETSTORE_PHOTOS_FREE", env),
      pro: mebibytesOf("PETSTORE_PHOTOS_PRO", env),
      enterprise: mebibytesOf("PETSTORE_PHOTOS_ENTERPRISE", env),
    },
    publicUrl,
    trustedProxies: cidrsOf("PETSTORE_TRUSTED_PROXIES", env) ?? [],
    connectionsPerAddress: wholeOf("PETSTORE_CONNECTIONS_PER_ADDRESS", env, 1, 10_000),
    unlimitedAddresses,
    policy: { ...policyOf(env, profile), unlimitedAddresses },
    retention: retentionOf(env, profile),
    secretKey,
    webhookAllow: cidrsOf("PETSTORE_WEBHOOK_ALLOW", env) ?? [],
    plans: {
      free: quotaOf("PETSTORE_PLAN_FREE", env),
      pro: quotaOf("PETSTORE_PLAN_PRO", env),
      enterprise: quotaOf("PETSTORE_PLAN_ENTERPRISE", env),
    },
    externalIssuer: externalIssuerOf(read("PETSTORE_OIDC_ISSUER"), read("PETSTORE_OIDC_AUDIENCE")),
    hasPublicStore: isOn("PETSTORE_PUBLIC_STORE", read, profile),
    hasV2: isOn("PETSTORE_CLASSIC_V2", read, profile),
    drainTimeoutMs: drainTimeoutOf(read("PETSTORE_DRAIN_SECONDS") ?? settings.PETSTORE_DRAIN_SECONDS.default),
    previousSecretKey: secretKeyOf(read("PETSTORE_SECRET_KEY_PREVIOUS"), "PETSTORE_SECRET_KEY_PREVIOUS"),
  })
}

/** Reads only where things are stored; throws CannotStart for an unknown name and the first invalid address. */
export function readPlaces(env: Environment): Places {
  refuseUnknown(env)
  const read = (name: Name) => env[name] || undefined
  return storageOf(read, resolve(read("PETSTORE_DATA_DIR") ?? settings.PETSTORE_DATA_DIR.default))
}

/** The settings of the command line; the service ignores them. */
type ClientConfig = {
  url: string
  apiKey: string | undefined
  token: string | undefined
  /** Where the command line keeps what it has to remember for this user. */
  stateDir: string
}

/** Reads the settings of the command line, for a user with this home; throws CannotStart for an unknown name. */
export function readClientConfig(env: Environment, homeDir: string): ClientConfig {
  refuseUnknown(env)
  return {
    url: env.PETSTORE_URL || settings.PETSTORE_URL.default,
    apiKey: env.PETSTORE_API_KEY || undefined,
    token: env.PETSTORE_TOKEN || undefined,
    stateDir: join(stateHomeOf(env, homeDir), "petstore"),
  }
}

/** Where a user's programs keep state; a relative path is ignored (XDG Base Directory Specification). */
const stateHomeOf = ({ XDG_STATE_HOME: stateHome }: Environment, homeDir: string): string =>
  stateHome && isAbsolute(stateHome) ? stateHome : join(homeDir, ".local", "state")

function oneOf<const T extends string>(name: Name, value: string, allowed: readonly T[]): T {
  if ((allowed as readonly string[]).includes(value)) return value as T
  throw new CannotStart(`${name} is ${JSON.stringify(value)}; it must be ${allowed.join(" or ")}`)
}

/** A switch that is on in the sandbox unless told. */
const isOn = (name: Name, read: (name: Name) => string | undefined, profile: Config["profile"]): boolean =>
  oneOf(name, read(name) ?? (profile === "sandbox" ? "on" : "off"), ["on", "off"]) === "on"

function wholeOf(name: Name, env: Environment, min: number, max: number): number {
  const value = env[name] || settings[name].default
  if (/^\d{1,9}$/.test(value) && Number(value) >= min && Number(value) <= max) return Number(value)
  throw new CannotStart(`${name} is ${JSON.stringify(value)}; it must be a whole number from ${min} to ${max}`)
}

function portOf(name: Name, value: string): number {
  const port = Number(value)
  if (/^\d{1,5}$/.test(value) && port <= 65_535) return port
  throw new CannotStart(`${name} is ${JSON.stringify(value)}; it must be a number from 0 to 65535`)
}

function drainTimeoutOf(value: string): number {
  if (/^\d{1,4}$/.test(value) && Number(value) <= 3600) return Number(value) * 1000
  throw new CannotStart(`PETSTORE_DRAIN_SECONDS is ${JSON.stringify(value)}; it must be a number from 0 to 3600`)
}

function publicUrlOf(value: string | undefined): string | undefined {
  if (value === undefined) return undefined
  const url = URL.parse(value)
  if (url && /^https?:$/.test(url.protocol) && url.search === "" && url.hash === "") return url.href.replace(/\/+$/, "")
  throw new CannotStart(
    `PETSTORE_PUBLIC_URL is ${JSON.stringify(value)}; it must be an http or https address without query`,
  )
}

const loopback = ["127.0.0.0/8", "::1"]

function cidrsOf(name: Name, env: Environment): string[] | undefined {
  const value = env[name]
  if (!value) return undefined
  const cidrs = value.split(",").map((part) => part.trim())
  const wrong = cidrs.find((cidr) => !isCidr(cidr))
  if (wrong === undefined) return cidrs
  throw new CannotStart(
    `${name} holds ${JSON.stringify(wrong)}; it must be address blocks like 10.0.0.0/8, 2001:db8::/32`,
  )
}

function secretKeyOf(value: string | undefined, name: Name = "PETSTORE_SECRET_KEY"): Uint8Array | undefined {
  if (value === undefined) return undefined
  // The message does not repeat the value: it may be nearly right.
  if (!/^[A-Za-z0-9+/_-]{43}=?$/.test(value))
    throw new CannotStart(`${name} must be 32 bytes in base64, such as from: openssl rand -base64 32`)
  return Buffer.from(value, "base64")
}

/** A larger quota needs too much memory for each account: leave such a plan unlimited. */
const quotaMax = { minute: 60_000, day: 10_000_000 }

function quotaOf(name: Name, env: Environment): Quota | undefined {
  const value = env[name] || settings[name].default
  if (value.trim() === "unlimited") return undefined
  const [, minute, day] = /^\s*(\d{1,9})\s*\/\s*min(?:ute)?\s*,\s*(\d{1,9})\s*\/\s*day\s*$/.exec(value) ?? []
  const quota = { minute: Number(minute), day: Number(day) }
  const fits = (window: keyof Quota) => quota[window] >= 1 && quota[window] <= quotaMax[window]
  if (fits("minute") && fits("day")) return quota
  throw new CannotStart(
    `${name} is ${JSON.stringify(value)}; it must be unlimited, or like 60/minute, 1000/day ` +
      `with at most ${quotaMax.minute} a minute and ${quotaMax.day} a day`,
  )
}

function externalIssuerOf(issuer: string | undefined, audience: string | undefined): Config["externalIssuer"] {
  if (issuer === undefined && audience === undefined) return undefined
  if (issuer === undefined || audience === undefined)
    throw new CannotStart("PETSTORE_OIDC_ISSUER and PETSTORE_OIDC_AUDIENCE are set together or not at all")
  const url = URL.parse(issuer)
  const isLoopback = url !== null && ["localhost", "127.0.0.1", "[::1]"].includes(url.hostname)
  const isSafe = url?.protocol === "https:" || (url?.protocol === "http:" && isLoopback)
  if (isSafe && url.search === "" && url.hash === "") return { issuer, audience }
  throw new CannotStart(`PETSTORE_OIDC_ISSUER is ${JSON.stringify(issuer)}; it must be an https address without query`)
}

function mebibytesOf(name: keyof typeof settings & `PETSTORE_PHOTOS_${string}`, env: Environment): number {
  const value = env[name] || settings[name].default
  if (/^\d{1,9}$/.test(value)) return Number(value) * 1024 * 1024
  throw new CannotStart(`${name} is ${JSON.stringify(value)}; it must be a whole number of MiB`)
}
