import type { Logger } from "pino"

type Started = {
  url: string
  address: string
  version: string
  metricsPort: number | undefined
  firstKey: { secret: string; path: string } | undefined
  greetings: readonly { text: string; warn(log: Logger): void }[]
}

/** Tells people, the log, and the program that started it with a channel, that the service is ready and at which address. */
export function announce(
  { url, address, metricsPort, version, ...started }: Started,
  { anonymousKey, profile }: { anonymousKey: string | undefined; profile: string },
  log: Logger,
): void {
  if (started.firstKey) process.stdout.write(firstKey(started.firstKey, process.stdout.isTTY))
  for (const { text, warn } of started.greetings) {
    process.stdout.write(text)
    warn(log)
  }
  if (anonymousKey !== undefined) warnOfAnonymous(anonymousKey, log)
  log.info({ url, address, metricsPort, version, profile }, "listening")
  process.send?.(url)
}

/** Prints production's first key to a terminal, and its path anywhere else. */
export const firstKey = ({ secret, path }: { secret: string; path: string }, isTerminal: boolean): string =>
  isTerminal
    ? `\nThe first API key, with every scope:\n\n  ${secret}\n\nIt is in ${path} too; keep it and delete that file.\n\n`
    : `The first API key, with every scope, is in ${path}. Keep it and delete that file.\n`

/** Warns that requests need no credential. */
const warnOfAnonymous = (key: string, log: Logger): void =>
  log.warn(`PETSTORE_ANONYMOUS is set: requests without a valid credential act for ${key}`)

/** Logs, once per change, that a dependency fails (and why) or works again. */
const reportChange =
  (level: "warn" | "error", fails: string, works: string) =>
  (log: Logger) =>
  (reason: string | undefined): void =>
    reason === undefined ? log.warn(works) : log[level]({ reason }, fails)

export const reportRedis = reportChange(
  "warn",
  "Redis is unavailable: each replica admits its share, and other replicas may accept revoked credentials for 5 s",
  "Redis is available: limits are shared again",
)

export const reportImages = reportChange(
  "warn",
  "images are unavailable: uploads and downloads return 503, and all other requests continue",
  "images are available again",
)

export const reportIssuer = reportChange(
  "warn",
  "the external issuer does not respond: its known keys are used for up to a day",
  "the external issuer responds again",
)

const storageReports = {
  flush: reportChange(
    "error",
    "nothing can be written until the disk responds",
    "the disk responds: writes are accepted again",
  ),
  checkpoint: reportChange(
    "error",
    "the write-ahead log cannot be copied into the database, and grows",
    "the write-ahead log is copied into the database again",
  ),
}

/** The same for a part of the storage. */
export const reportStorage =
  (log: Logger) =>
  (part: keyof typeof storageReports, reason: string | undefined): void =>
    storageReports[part](log)(reason)

/** The address of a listening server; localhost for one that listens on all interfaces. */
export function addressOf(listening: unknown, host: string): string {
  const reachable = host === "0.0.0.0" || host === "::" ? "localhost" : host.includes(":") ? `[${host}]` : host
  return `http://${reachable}:${(listening as { port: number }).port}`
}
