import { spawn } from "node:child_process"
import { once } from "node:events"
import { existsSync } from "node:fs"
import { delimiter, join } from "node:path"
import { Redis } from "ioredis"
import { freePort } from "./free-port.ts"
import { temporaryDirectory } from "./petstore.ts"
import { alone } from "./postgres.ts"

/** A server of the Redis protocol in a process of its own, on a free port of loopback, with nothing in it. */
type RedisServer = AsyncDisposable & {
  readonly url: string
  pid(): number
  /** A connection of the test's own, for looking into it. */
  readonly client: Redis
  /** Sends a signal; resolves once it has ended, unless it only stops or goes on. */
  kill(signal: NodeJS.Signals): Promise<void>
  /** Starts it again on the same port and directory, once it has ended. */
  restart(): Promise<void>
}

const programs = ["valkey-server", "redis-server"]
const program = programs.find((name) =>
  (process.env.PATH ?? "").split(delimiter).some((directory) => existsSync(join(directory, name))),
)

/** Why there is no server to test with, for the option `skip` of a test; false when there is one. */
export const withoutRedis = program === undefined && `NOT TESTED: install ${programs.join(" or ")}`

/**
 * Starts Valkey or, where that is not installed, Redis; `options` are options of its command line, `password` is in its URL,
 * `under` a command that runs it.
 */
export async function startRedis(options: string[] = [], password?: string, under = alone): Promise<RedisServer> {
  const directory = temporaryDirectory()
  const port = await freePort()
  const url = `redis://${password === undefined ? "" : `:${password}@`}127.0.0.1:${port}`
  const fixed = ["--port", `${port}`, "--bind", "127.0.0.1", "--dir", directory.path, "--save", "", "--daemonize", "no"]
  const launch = () => spawn(...under(program as string, ...fixed, ...options), { stdio: "ignore" })
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
