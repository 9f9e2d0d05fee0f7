import type { Redis } from "ioredis"
import { CannotStart } from "../../../core/kernel/cannot-start.ts"
import { steadyClock } from "../../../core/kernel/clock.ts"
import { openConnection } from "./connection.ts"
import { type Script, script } from "./script.ts"
import { type Watch, watchProgress } from "./watch-progress.ts"

/** Redis failed, or its reply got lost. */
class RedisAway extends Error {}

/** Runs a script and resolves with its reply; calls in one turn of the event loop share a round trip. Throws RedisAway. */
export type Run = (script: Script, keys: readonly string[], args: readonly (string | number)[]) => Promise<number[]>

export type LinkOptions = {
  /** Loaded on connecting, so that commands run in the order in which they are sent. */
  scripts: readonly Script[]
  /** Without any reply for this time while one is due, Redis is unavailable. */
  timeoutMs: number
  /** Replaces the clock of Redis. */
  now?: (() => number) | undefined
  /** Called with the reason when Redis becomes unavailable, and with undefined when it is available again. */
  reportOutage(reason: string | undefined): void
  /**
   * Called on every connection, with the id of the data that Redis has. Others can use the connection after `connected` is called;
   * when `restore` throws, Redis stays unavailable.
   */
  restore(run: Run, dataId: string, connected: () => void): Promise<void>
}

export const startTimeoutMs = 1_000
const unusableMs = 1_000
const pingMs = 1_000
const restoreTimeoutMs = 5_000

/** Connects, and waits a second for that. Throws CannotStart when Redis refuses the credentials. */
export async function openLink(url: string, options: LinkOptions): Promise<Link> {
  const link = new Link(url, options)
  await link.start()
  return link
}

/** The reply of Redis, or the result of `otherwise` while Redis is unavailable. */
export const orWhileAway = <T, U>(reply: Promise<T>, otherwise: () => U | Promise<U>): Promise<T | U> =>
  reply.catch((error) => {
    if (error instanceof RedisAway) return otherwise()
    throw error
  })

/** A connection that reconnects when Redis does not respond. */
export class Link {
  readonly #options: LinkOptions
  readonly #redis: Redis
  readonly #watch: Watch
  readonly #watchPatiently: Watch
  readonly #pinging: NodeJS.Timeout
  readonly #started = Promise.withResolvers<void>()
  #isUp = false
  #isAway = false
  #isClosing = false
  #aheadMs = 0
  /** The number of the connection: failures of an earlier one do not concern it. */
  #connection = 0
  #problem = "it does not respond"
  #handshakes = Promise.resolve()

  constructor(url: string, options: LinkOptions) {
    this.#options = options
    this.#redis = openConnection(url, { enableAutoPipelining: true, lazyConnect: true })
    this.#watch = this.#watchFor(options.timeoutMs)
    this.#watchPatiently = this.#watchFor(restoreTimeoutMs)
    this.#redis.on("ready", () => {
      const connection = ++this.#connection
      this.#handshakes = this.#handshakes.then(() => this.#handshake(connection))
    })
    this.#redis.on("close", () => this.#lost(this.#problem))
    this.#redis.on("error", (error: Error) => {
      this.#problem = error.message
      if (isRefusal(error)) this.#started.reject(new CannotStart(`Redis refuses PETSTORE_REDIS_URL: ${error.message}`))
    })
    const ping = () => this.#isUp && void this.#whileUp(() => this.#watch(this.#redis.ping())).catch(() => undefined)
    this.#pinging = setInterval(ping, pingMs).unref()
  }

  async start(): Promise<void> {
    const timeout = setTimeout(this.#started.resolve, startTimeoutMs)
    this.#redis.connect().catch(() => undefined)
    try {
      await this.#started.promise
    } catch (error) {
      await this.close()
      throw error
    } finally {
      clearTimeout(timeout)
    }
    if (!this.#isUp) this.#lost(this.#problem)
  }

  readonly run: Run = (...command) => this.#whileUp(() => this.#evaluate(command, this.#options.timeoutMs, this.#watch))

  /** Sends a message to all subscribers; throws RedisAway. */
  publish(channel: string, message: string): Promise<void> {
    return this.#whileUp(async () => void (await this.#watch(this.#redis.publish(channel, message))))
  }

  isUp(): boolean {
    return this.#isUp
  }

  /** Milliseconds by the last known clock of Redis. */
  now(): number {
    return this.#options.now?.() ?? steadyClock.now() + this.#aheadMs
  }

  async close(): Promise<void> {
    this.#isClosing = true
    this.#isUp = false
    clearInterval(this.#pinging)
    this.#redis.disconnect()
  }

  #watchFor(ms: number): Watch {
    return watchProgress(ms, () => {
      this.#lost(`no reply for ${ms} ms`)
      this.#redis.disconnect(true)
    })
  }

  /** Runs a script that does nothing after `withinMs`, by the clock of Redis. */
  async #evaluate([{ lua, sha1 }, keys, args]: Parameters<Run>, withinMs: number, watch: Watch): Promise<number[]> {
    const deadline = Math.min(Math.floor(steadyClock.now() + this.#aheadMs + withinMs), Number.MAX_SAFE_INTEGER)
    const parameters = [keys.length, ...keys, this.#options.now?.() ?? "", deadline, ...args] as const
    const replied = this.#redis.evalsha(sha1, ...parameters).catch((error: Error) => {
      if (error.message.startsWith("NOSCRIPT")) return this.#redis.eval(lua, ...parameters)
      throw error
    })
    const reply = (await watch(replied)) as number[]
    const [clock = 0] = reply
    this.#aheadMs = clock - steadyClock.now()
    if (clock > deadline) throw new RedisAway("it is too slow")
    return reply
  }

  #connected(): void {
    this.#isUp = true
    this.#started.resolve()
    if (this.#isAway) this.#options.reportOutage(undefined)
    this.#isAway = false
  }

  #lost(reason: string): void {
    this.#isUp = false
    this.#problem = reason
    if (this.#isAway || this.#isClosing) return
    this.#isAway = true
    this.#options.reportOutage(reason)
  }

  async #whileUp<T>(send: () => Promise<T>): Promise<T> {
    if (!this.#isUp) throw new RedisAway(this.#problem)
    const connection = this.#connection
    try {
      return await send()
    } catch (error) {
      if (this.#isUp && connection === this.#connection) {
        this.#lost((error as Error).message)
        this.#redis.disconnect(true)
      }
      throw new RedisAway(this.#problem)
    }
  }

  async #handshake(connection: number): Promise<void> {
    const isOld = () => connection !== this.#connection
    try {
      const dataId = await this.#learnData()
      await this.#watch(Promise.all(this.#options.scripts.map(({ lua }) => this.#redis.script("LOAD", lua))))
      const run: Run = (...command) => this.#evaluate(command, restoreTimeoutMs, this.#watchPatiently)
      await this.#options.restore(run, dataId, () => void (isOld() || this.#connected()))
    } catch (error) {
      if (isOld()) return
      this.#lost((error as Error).message)
      setTimeout(() => isOld() || this.#redis.disconnect(true), unusableMs).unref()
    }
  }

  async #learnData(): Promise<string> {
    // Without a deadline, because the offset of its clock is not known yet.
    const command: Parameters<Run> = [identityScript, ["petstore:identity"], [crypto.randomUUID()]]
    return String((await this.#evaluate(command, Number.POSITIVE_INFINITY, this.#watch))[1])
  }
}

/** Identifies the data: an id that is written once and lost with the data. */
const identityScript = script(`
if redis.call("EXISTS", KEYS[1]) == 0 then redis.call("SET", KEYS[1], ARGV[3]) end
return { clock, redis.call("GET", KEYS[1]) }
`)

const isRefusal = ({ message }: Error): boolean => /^(WRONGPASS|NOAUTH|NOPERM|ERR invalid password)/.test(message)
