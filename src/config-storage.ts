import { join, resolve } from "node:path"
import { imagesOf } from "./config-images.ts"
import { CannotStart } from "./kernel/cannot-start.ts"
import { splitHosts } from "./kernel/database-hosts.ts"
import type { Places } from "./storage/places.ts"

/** Reads where the service stores what, from a reader of settings; throws CannotStart for an address it cannot use. */
export function storageOf(
  read: (
    name:
      | "PETSTORE_DATABASE_URL"
      | "PETSTORE_DATABASE_CONNECTIONS"
      | "PETSTORE_BLOB_URL"
      | "PETSTORE_BLOB_DOWNLOADS"
      | "PETSTORE_REDIS_URL",
  ) => string | undefined,
  dataDir: string,
): Places {
  return {
    dataDir,
    database: databaseOf(read("PETSTORE_DATABASE_URL"), connectionsOf(read("PETSTORE_DATABASE_CONNECTIONS")), dataDir),
    images: imagesOf(read("PETSTORE_BLOB_URL"), read("PETSTORE_BLOB_DOWNLOADS"), dataDir),
    redisUrl: redisOf(read("PETSTORE_REDIS_URL")),
  }
}

function databaseOf(url: string | undefined, connections: number, dataDir: string): Places["database"] {
  if (url === undefined) return { kind: "sqlite", file: resolve(join(dataDir, "petstore.db")) }
  const path = pathIn("sqlite:", url)
  if (path !== undefined) return { kind: "sqlite", file: path }
  if (/^postgres(ql)?:\/\//.test(url) && splitHosts(url).every((one) => URL.canParse(one)))
    return { kind: "postgres", url, connections }
  // The message does not repeat what may hold a password.
  const given = url.includes("@") ? "cannot be used" : `is ${JSON.stringify(url)}`
  throw new CannotStart(
    `PETSTORE_DATABASE_URL ${given}; it must be sqlite:PATH or postgres://USER:PASSWORD@HOST:PORT/DATABASE, several hosts as HOST:PORT,HOST:PORT`,
  )
}

function connectionsOf(value = "20"): number {
  if (/^\d{1,3}$/.test(value) && Number(value) >= 2 && Number(value) <= 500) return Number(value)
  throw new CannotStart(
    `PETSTORE_DATABASE_CONNECTIONS is ${JSON.stringify(value)}; it must be a whole number from 2 to 500`,
  )
}

/** The message does not repeat the address: it may hold a password. */
function redisOf(url: string | undefined): string | undefined {
  if (url === undefined) return undefined
  const { protocol, hostname, pathname } = URL.parse(url) ?? {}
  const isDatabase = /^(\/\d{0,4})?$/.test(pathname ?? "")
  if ((protocol === "redis:" || protocol === "rediss:") && hostname && isDatabase) return url
  throw new CannotStart(
    "PETSTORE_REDIS_URL must be like redis://HOST:PORT, or rediss:// with TLS, with USER:PASSWORD@ before the host and /DATABASE after it where needed",
  )
}

/** The path in an address of this scheme, as an absolute one. */
const pathIn = (scheme: string, url: string): string | undefined =>
  url.startsWith(scheme) && url.length > scheme.length ? resolve(url.slice(scheme.length)) : undefined
