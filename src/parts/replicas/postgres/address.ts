import { CannotStart } from "../../../core/kernel/cannot-start.ts"
import { splitHosts } from "../../../core/kernel/network/database-hosts.ts"

/** A PostgreSQL database, from `PETSTORE_DATABASE_URL`. */
export type Address = {
  /** One per host, for the driver, which reads user, password, database and TLS from it. */
  urls: readonly string[]
  /** Whether statements are prepared by name; undefined to detect it. */
  prepare: boolean | undefined
  /** Hosts, ports and database for messages, without the password. */
  name: string
}

/** Parses the URL of a database; other parameters than the two below are for the driver. Throws CannotStart. */
export function parseDatabaseUrl(text: string): Address {
  const urls = splitHosts(text).map((url) => new URL(url))
  const [{ searchParams, pathname }] = urls as [URL]
  const prepare = searchParams.get("prepare") ?? undefined
  if (prepare !== undefined && prepare !== "on" && prepare !== "off")
    throw new CannotStart("The parameter prepare of PETSTORE_DATABASE_URL must be on or off")
  const wanted = searchParams.get("target_session_attrs") ?? "read-write"
  if (wanted !== "read-write" && wanted !== "primary")
    throw new CannotStart("The parameter target_session_attrs of PETSTORE_DATABASE_URL must be read-write")
  for (const url of urls) for (const name of ["prepare", "target_session_attrs"]) url.searchParams.delete(name)
  return {
    urls: urls.map(({ href }) => href),
    prepare: prepare === undefined ? undefined : prepare === "on",
    name: `${urls.map(({ host }) => host).join(",") || "the local server"}${pathname}`,
  }
}
