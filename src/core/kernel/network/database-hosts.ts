/** One URL for each host in the URL of a PostgreSQL database, in order: `HOST:PORT,HOST:PORT` as in libpq. */
export function splitHosts(url: string): string[] {
  const [, scheme, authority = "", rest] = /^([a-z]+:\/\/)([^/?#]*)(.*)$/is.exec(url) ?? []
  const credentials = authority.slice(0, authority.lastIndexOf("@") + 1)
  return authority
    .slice(credentials.length)
    .split(",")
    .map((host) => `${scheme}${credentials}${host}${rest}`)
}

/** The location of the data, without a password. */
export const locationOfData = (
  database: { kind: "sqlite"; file: string } | { kind: "postgres"; url: string },
): string =>
  database.kind === "sqlite"
    ? database.file
    : `PostgreSQL at ${splitHosts(database.url).map((url) => new URL(url).host)}`
