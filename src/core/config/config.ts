import { isAbsolute, join } from "node:path"
import { CannotStart } from "../kernel/cannot-start.ts"
import type { Locations } from "../storage/locations.ts"
import { commandLine } from "./command-line.ts"
import { dayMs, days } from "./kinds.ts"
import { logging, telemetry } from "./observability.ts"
import { photoBytes, plans } from "./plans.ts"
import { policy } from "./policy.ts"
import { eventDaysMin, retention } from "./retention.ts"
import { security } from "./security.ts"
import { connections, server } from "./server.ts"
import { type Environment, readTopic, refuseInProduction, type Topic, type Values } from "./setting.ts"
import { coreTopics, refuseUnknown, settingsOf } from "./settings.ts"
import { storage } from "./storage.ts"

export type Config = Readonly<Locations> &
  Values<typeof server> &
  Values<typeof connections> &
  Values<typeof telemetry> &
  Omit<Values<typeof security>, "oidcIssuer" | "oidcAudience"> & {
    /** The issuer of JWT access tokens that is trusted in addition to the service itself, and their audience. */
    readonly externalIssuer: { issuer: string; audience: string } | undefined
    readonly logging: Values<typeof logging>
    readonly plans: Values<typeof plans>
    readonly photoBytes: Values<typeof photoBytes>
    readonly policy: Values<typeof policy> & { readonly unlimitedAddresses: readonly string[] }
    readonly retention: Values<typeof retention> & { readonly deliveries: number }
    /** Reads the settings of a part. Throws CannotStart for the first invalid one. */
    read<T extends Topic>(topic: T): Values<T>
  }

/** `parts` are the settings of parts. Throws CannotStart for the first invalid setting. */
export function readConfigWith(parts: readonly Topic[], env: Environment): Config {
  const settings = settingsOf(parts, coreTopics)
  refuseUnknown(env, settings)
  const isProduction = readTopic({ profile: server.profile }, env).profile === "production"
  const read = {
    ...readTopic(server, env, isProduction),
    ...readTopic(connections, env, isProduction),
    ...locationsIn(env),
    ...readTopic(telemetry, env, isProduction),
  }
  const { oidcIssuer, oidcAudience, ...keys } = readTopic(security, env, isProduction)
  if (isProduction) {
    requirePublicUrl(read.publicUrl)
    refuseInProduction(settings, env)
  }
  requireSharedKey(read.database, keys.secretKey)
  const { unlimitedAddresses } = read
  return Object.freeze({
    ...read,
    ...keys,
    externalIssuer: pairOf(oidcIssuer, oidcAudience),
    logging: readTopic(logging, env, isProduction),
    plans: readTopic(plans, env, isProduction),
    photoBytes: readTopic(photoBytes, env, isProduction),
    policy: { ...readTopic(policy, env, isProduction), unlimitedAddresses },
    retention: retentionIn(env, isProduction),
    read: <T extends Topic>(topic: T) => readTopic(topic, env, isProduction),
  })
}

/** Reads the settings of the command line. */
export function clientConfigIn(env: Environment, homeDir: string) {
  return { ...readTopic(commandLine, env), stateDir: join(stateHomeIn(env, homeDir), "petstore") }
}

/** The directory for state of a user's programs; a relative path is ignored (XDG Base Directory Specification). */
const stateHomeIn = ({ XDG_STATE_HOME: stateHome }: Environment, homeDir: string): string =>
  stateHome && isAbsolute(stateHome) ? stateHome : join(homeDir, ".local", "state")

/** Reads only the locations of the data. Throws CannotStart for the first invalid value. */
export function locationsIn(env: Environment): Locations {
  const { dataDir, connections, redirects, redisUrl, ...stores } = readTopic(storage, env)
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
function retentionIn(env: Environment, isProduction: boolean) {
  const { deliveries: ownMs, ...read } = readTopic(retention, env, isProduction)
  const max = read.events / dayMs
  const range = { min: eventDaysMin, max }
  if (ownMs !== undefined && ownMs > read.events)
    throw new CannotStart(
      `${retention.deliveries.variable} is ${JSON.stringify(String(ownMs / dayMs))}; it must be ${days(range).form}`,
    )
  return { ...read, deliveries: ownMs ?? Math.min(30 * dayMs, read.events) }
}

function requirePublicUrl(publicUrl: string | undefined): void {
  if (publicUrl === undefined)
    throw new CannotStart(
      `${server.publicUrl.variable} is required in production: the address clients use, such as https://petstore.example`,
    )
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
