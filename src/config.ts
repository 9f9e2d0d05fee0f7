import { join, resolve } from "node:path"

/** Every setting there is: the only facts about the environment. `docs/configuration.md` is made from this table. */
export const settings = {
  PETSTORE_PROFILE: {
    meaning: "`sandbox` brings sample pets and well-known keys; `production` brings neither",
    default: "sandbox",
  },
  PETSTORE_HOST: { meaning: "Address to listen on", default: "127.0.0.1" },
  PETSTORE_PORT: { meaning: "Port to listen on; 0 takes a free one", default: "8080" },
  PETSTORE_DATA_DIR: { meaning: "Directory of the embedded database", default: "./data" },
  PETSTORE_DATABASE_URL: { meaning: "`sqlite:PATH`", default: "petstore.db in the data directory" },
  PETSTORE_PUBLIC_URL: {
    meaning: "The address clients use, such as https://petstore.example",
    default: "from host and port",
  },
} as const

type Name = keyof typeof settings

export type Config = {
  profile: "sandbox" | "production"
  host: string
  port: number
  /** The file of the embedded database, as an absolute path. */
  databaseFile: string
  /** Without a trailing slash; undefined when it follows from where the server listens. */
  publicUrl: string | undefined
}

/** A setting that cannot be used; the message says which and what would do. */
export class ConfigError extends Error {}

/** Reads the settings from an environment; throws ConfigError for the first one that cannot be used. */
export function readConfig(env: Record<string, string | undefined>): Config {
  for (const name of Object.keys(env))
    if (name.startsWith("PETSTORE_") && !(name in settings)) throw unknownSetting(name)
  const read = (name: Name) => env[name] || undefined
  const profile = oneOf("PETSTORE_PROFILE", read("PETSTORE_PROFILE") ?? settings.PETSTORE_PROFILE.default, [
    "sandbox",
    "production",
  ])
  const publicUrl = publicUrlOf(read("PETSTORE_PUBLIC_URL"))
  if (profile === "production" && publicUrl === undefined)
    throw new ConfigError(
      "PETSTORE_PUBLIC_URL is required in production: the address clients use, such as https://petstore.example",
    )

  return Object.freeze({
    profile,
    host: read("PETSTORE_HOST") ?? settings.PETSTORE_HOST.default,
    port: portOf(read("PETSTORE_PORT") ?? settings.PETSTORE_PORT.default),
    databaseFile: databaseFileOf(
      read("PETSTORE_DATABASE_URL"),
      read("PETSTORE_DATA_DIR") ?? settings.PETSTORE_DATA_DIR.default,
    ),
    publicUrl,
  })
}

function oneOf<const T extends string>(name: Name, value: string, allowed: readonly T[]): T {
  if ((allowed as readonly string[]).includes(value)) return value as T
  throw new ConfigError(`${name} is ${JSON.stringify(value)}; it must be ${allowed.join(" or ")}`)
}

function portOf(value: string): number {
  const port = Number(value)
  if (/^\d{1,5}$/.test(value) && port <= 65_535) return port
  throw new ConfigError(`PETSTORE_PORT is ${JSON.stringify(value)}; it must be a number from 0 to 65535`)
}

function publicUrlOf(value: string | undefined): string | undefined {
  if (value === undefined) return undefined
  const url = URL.parse(value)
  if (url && /^https?:$/.test(url.protocol) && url.search === "" && url.hash === "") return url.href.replace(/\/+$/, "")
  throw new ConfigError(
    `PETSTORE_PUBLIC_URL is ${JSON.stringify(value)}; it must be an http or https address without query`,
  )
}

function databaseFileOf(url: string | undefined, dataDir: string): string {
  if (url === undefined) return resolve(join(dataDir, "petstore.db"))
  if (url.startsWith("sqlite:") && url.length > "sqlite:".length) return resolve(url.slice("sqlite:".length))
  throw new ConfigError(`PETSTORE_DATABASE_URL is ${JSON.stringify(url)}; it must be sqlite:PATH`)
}

function unknownSetting(name: string): ConfigError {
  const [nearest] = Object.keys(settings)
    .map((known) => ({ known, distance: editDistance(name, known) }))
    .sort((a, b) => a.distance - b.distance)
  return new ConfigError(`${name} is not a setting; the nearest one is ${nearest?.known}`)
}

/** How many characters must be added, dropped or changed to turn one text into the other (Levenshtein). */
function editDistance(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, n) => n)
  for (const [i, letter] of [...from].entries()) {
    const next = [i + 1]
    for (const [j, other] of [...to].entries())
      next.push(
        Math.min((row[j] as number) + (letter === other ? 0 : 1), (row[j + 1] as number) + 1, (next[j] as number) + 1),
      )
    row = next
  }
  return row.at(-1) as number
}
