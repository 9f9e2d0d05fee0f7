import { isAbsolute, join } from "node:path"
import { CannotStart } from "../kernel/cannot-start.ts"
import type { Profile } from "../kernel/profile.ts"
import type { Locations } from "../storage/blobs/locations.ts"
import { commandLine } from "./command-line.ts"
import { dayMs, days } from "./kinds.ts"
import { logging, telemetry } from "./observability.ts"
import { photoBytes, plans } from "./plans.ts"
import { policy } from "./policy.ts"
import { eventDaysMin, retention } from "./retention.ts"
import { security } from "./security.ts"
import { server } from "./server.ts"
import { type Environment, readTopic, type Setting, type Values } from "./setting.ts"
import { refuseUnknown } from "./settings.ts"
import { storage } from "./storage.ts"

export type Config = Readonly<Locations> &
  Values<typeof server> &
  Values<typeof telemetry> &
  Omit<Values<typeof security>, "oidcIssuer" | "oidcAudience"> & {
    /** The issuer of JWT access tokens that is trusted in addition to the service itself, and their audience. */
    readonly externalIssuer: { issuer: string; audience: string } | undefined
    readonly logging: Values<typeof logging>
    readonly plans: Values<typeof plans>
    readonly photoBytes: Values<typeof photoBytes>
    readonly policy: Values<typeof policy> & { readonly unlimitedAddresses: readonly string[] }
    readonly retention: Values<typeof retention> & { readonly deliveries: number }
  }

/** Throws CannotStart for the first invalid setting. */
export function readConfig(env: Environment): Config {
  refuseUnknown(env)
  const { profile } = readTopic({ profile: server.profile }, env, "sandbox")
  const read = {
    ...readTopic(server, env, profile),
    ...locationsIn(env, profile),
    ...readTopic(telemetry, env, profile),
  }
  const { oidcIssuer, oidcAudience, ...keys } = readTopic(security, env, profile)
  requirePublicUrl(read)
  refuseAnonymous(profile, keys.anonymousKey)
  refuseInProduction(profile, env, server.seed, "production begins without pets")
  refuseInProduction(profile, env, server.defects, "production has none on purpose")
  requireSharedKey(read.database, keys.secretKey)
  const { unlimitedAddresses } = read
  return Object.freeze({
    ...read,
    ...keys,
    externalIssuer: pairOf(oidcIssuer, oidcAudience),
    logging: readTopic(logging, env, profile),
    plans: readTopic(plans, env, profile),
    photoBytes: readTopic(photoBytes, env, profile),
    policy: { ...readTopic(policy, env, profile), unlimitedAddresses },
    retention: retentionIn(env, profile),
  })
}

/** Reads only the locations of the data; throws CannotStart for an unknown name and the first invalid value. */
export function readLocations(env: Environment): Locations {
  refuseUnknown(env)
  return locationsIn(env, "sandbox")
}

/** Reads the settings of the command line; throws CannotStart for an unknown name. */
export function readClientConfig(env: Environment, homeDir: string) {
  refuseUnknown(env)
  return { ...readTopic(commandLine, env, "sandbox"), stateDir: join(stateHomeIn(env, homeDir), "petstore") }
}

/** The directory for state of a user's programs; a relative path is ignored (XDG Base Directory Specification). */
const stateHomeIn = ({ XDG_STATE_HOME: stateHome }: Environment, homeDir: string): string =>
  stateHome && isAbsolute(stateHome) ? stateHome : join(homeDir, ".local", "state")

function locationsIn(env: Environment, profile: Profile): Locations {
  const { dataDir, connections, redirects, redisUrl, ...stores } = readTopic(storage, env, profile)
  const database = stores.database ?? { kind: "sqlite", file: join(dataDir, "petstore.db") }
  const images = stores.images ?? { kind: "disk", directory: join(dataDir, "images") }
  if (redirects && images.kind !== "s3")
    throw new CannotStart(
      `${storage.redirects.variable} is redirect; only images in S3 (${storage.images.variable}) can be redirected to`,
    )
  return {
    dataDir,
    database: database.kind === "sqlite" ? database : { ...database, connections },
    images: images.kind === "disk" ? images : { ...images, directory: join(dataDir, "staged"), redirects },
    redisUrl,
  }
}

/** Deliveries refer to events, so they are kept at most as long. */
function retentionIn(env: Environment, profile: Profile) {
  const { deliveries: ownMs, ...read } = readTopic(retention, env, profile)
  const max = read.events / dayMs
  const range = { min: eventDaysMin, max }
  if (ownMs !== undefined && ownMs > read.events)
    throw new CannotStart(
      `${retention.deliveries.variable} is ${JSON.stringify(String(ownMs / dayMs))}; it must be ${days(range).form}`,
    )
  return { ...read, deliveries: ownMs ?? Math.min(30 * dayMs, read.events) }
}

function requirePublicUrl({ profile, publicUrl }: { profile: Profile; publicUrl: string | undefined }): void {
  if (profile === "production" && publicUrl === undefined)
    throw new CannotStart(
      `${server.publicUrl.variable} is required in production: the address clients use, such as https://petstore.example`,
    )
}

function refuseAnonymous(profile: Profile, key: string | undefined): void {
  if (profile === "production" && key !== undefined)
    throw new CannotStart(
      `${security.anonymousKey.variable} is for the sandbox; production has no key that everyone knows`,
    )
}

function refuseInProduction(profile: Profile, env: Environment, { variable }: Setting, because: string): void {
  if (profile === "production" && env[variable]) throw new CannotStart(`${variable} is for the sandbox; ${because}`)
}

function requireSharedKey(database: Locations["database"], key: Uint8Array | undefined): void {
  if (database.kind === "postgres" && key === undefined)
    throw new CannotStart(
      `${security.secretKey.variable} is required with PostgreSQL, the same for every replica: make one with openssl rand -base64 32`,
    )
}

function pairOf(issuer: string | undefined, audience: string | undefined) {
  if (issuer !== undefined && audience !== undefined) return { issuer, audience }
  if (issuer === undefined && audience === undefined) return undefined
  const { oidcIssuer, oidcAudience } = security
  throw new CannotStart(`${oidcIssuer.variable} and ${oidcAudience.variable} are set together or not at all`)
}
