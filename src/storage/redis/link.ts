import type { Redis } from "ioredis"
import { CannotStart } from "../../kernel/cannot-start.ts"
import { steadyClock } from "../../kernel/clock.ts"
import { openConnection } from "./connection.ts"
import { type Script, script } from "./script.ts"
import { watchProgress } from "./watch-progress.ts"

/** Redis did not do what it was asked, or its reply got lost. */
class RedisAway extends Error {}

/** Runs a script in one round trip and resolves with its reply; those of one turn of the event loop share it. Throws RedisAway. */
export type Run = (script: Script, keys: readonly string[], args: readonly (string | number)[]) => Promise<number[]>

type Options = {
  /** Those that are known to Redis before anybody asks it, so that what is asked in turn is done in turn. */
  scripts: readonly Script[]
  /** How long nothing may come back while a reply is due. */
  timeoutMs: number
  /** The time that counts, in place of that of Redis. */
  now?: (() => number) | undefined
  /** Called with what is wrong when Redis goes away, and with undefined when it is back. */
  tell(reason: string | undefined): void
  /**
   * Called when Redis is there again; `isOther` says, once, that its data is not what it was. Nobody else asks it before
   * `takeUp` is called, and it stays away when this throws.
   */
  restore(run: Run, isOther: boolean, takeUp: () => void): Promise<void>
}

/** How long a start waits for Redis. */
export const startPatienceMs = 1_000
const unusableMs = 1_000
const pingMs = 1_000
const restoreTimeoutMs = 5_000

/** Connects, and waits a second for that; throws CannotStart when Redis refuses the credentials. */
export async function openLink(url: string, options: Options): Promise<Link> {
  const link = new Link(url, options)
  await link.begin()
  return link
}

/** What Redis replies, or what `otherwise` returns while Redis is away. */
export const orWhileAway = <T, U>(asking: Promise<T>, otherwise: () => U | Promise<U>): Promise<T | U> =>
  asking.catch((error) => {
    if (error instanceof RedisAway) return otherwise()
    throw error
  })

type Watch = ReturnType<typeof watchProgress>

/** A connection that is given up while Redis does not respond, and taken up again when it does. */
export class Link {
  readonly #options: Options
  readonly #redis: Redis
  readonly #watch: Watch
  readonly #watchPatiently: Watch
  readonly #pinging: NodeJS.Timeout
  readonly #begun = Promise.withResolvers<void>()
  #isUp = false
  #isAway = false
  #isClosing = false
  #aheadMs = 0
  /** Which connection this is; what belonged to an earlier one says nothing about it. */
  #connection = 0
  #identity: string | undefined
  #problem = "it does not respond"
  #greeted = Promise.resolve()

  constructor(url: string, options: Options) {
    this.#options = options
    this.#redis = openConnection(url, { enableAutoPipelining: true, lazyConnect: true })
    this.#watch = this.#watchFor(options.timeoutMs)
    this.#watchPatiently = this.#watchFor(restoreTimeoutMs)
    this.#redis.on("ready", () => {
      const over = ++this.#connection
      this.#greeted = this.#greeted.then(() => this.#greet(over))
    })
    this.#redis.on("close", () => this.#giveUp(this.#problem))
    this.#redis.on("error", (error: Error) => {
      this.#problem = error.message
      if (isRefusal(error)) this.#begun.reject(new CannotStart(`Redis refuses PETSTORE_REDIS_URL: ${error.message}`))
    })
    const ping = () => this.#isUp && void this.#whileUp(() => this.#watch(this.#redis.ping())).catch(() => undefined)
    this.#pinging = setInterval(ping, pingMs).unref()
  }

  async begin(): Promise<void> {
    const patience = setTimeout(this.#begun.resolve, startPatienceMs)
    this.#redis.connect().catch(() => undefined)
    try {
      await this.#begun.promise
    } catch (error) {
      await this.close()
      throw error
    } finally {
      clearTimeout(patience)
    }
    if (!this.#isUp) this.#giveUp(this.#problem)
  }

  readonly run: Run = (...asked) => this.#whileUp(() => this.#evaluate(asked, this.#options.timeoutMs, this.#watch))

  /** Sends a message to all who subscribed; throws RedisAway. */
  publish(channel: string, message: string): Promise<void> {
    return this.#whileUp(async () => void (await this.#watch(this.#redis.publish(channel, message))))
  }

  isUp(): boolean {
    return this.#isUp
  }

  /** Milliseconds by the clock of Redis, as far as it is known. */
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
      this.#giveUp(`no reply for ${ms} ms`)
      this.#redis.disconnect(true)
    })
  }

  /** Runs a script that does nothing after `withinMs`, by the clock of Redis. */
  async #evaluate(asked: Parameters<Run>, withinMs: number, watch: Watch): Promise<number[]> {
    const [{ lua, sha1 }, keys, args] = asked
    const deadline = Math.min(Math.floor(steadyClock.now() + this.#aheadMs + withinMs), Number.MAX_SAFE_INTEGER)
    const given = [keys.length, ...keys, this.#options.now?.() ?? "", deadline, ...args] as const
    const replied = this.#redis.evalsha(sha1, ...given).catch((error: Error) => {
      if (error.message.startsWith("NOSCRIPT")) return this.#redis.eval(lua, ...given)
      throw error
    })
    const reply = (await watch(replied)) as number[]
    const [clock = 0] = reply
    this.#aheadMs = clock - steadyClock.now()
    if (clock > deadline) throw new RedisAway("it is too slow")
    return reply
  }

  #takeUp(): void {
    this.#isUp = true
    this.#begun.resolve()
    if (this.#isAway) this.#options.tell(undefined)
    this.#isAway = false
  }

  #giveUp(reason: string): void {
    this.#isUp = false
    this.#problem = reason
    if (this.#isAway || this.#isClosing) return
    this.#isAway = true
    this.#options.tell(reason)
  }

  async #whileUp<T>(asking: () => Promise<T>): Promise<T> {
    if (!this.#isUp) throw new RedisAway(this.#problem)
    const over = this.#connection
    try {
      return await asking()
    } catch (error) {
      if (this.#isUp && over === this.#connection) {
        this.#giveUp((error as Error).message)
        this.#redis.disconnect(true)
      }
      throw new RedisAway(this.#problem)
    }
  }

  async #greet(over: number): Promise<void> {
    const isOver = () => over !== this.#connection
    try {
      const isOther = await this.#learnIdentity()
      await this.#watch(Promise.all(this.#options.scripts.map(({ lua }) => this.#redis.script("LOAD", lua))))
      const ask: Run = (...asked) => this.#evaluate(asked, restoreTimeoutMs, this.#watchPatiently)
      await this.#options.restore(ask, isOther, () => void (isOver() || this.#takeUp()))
    } catch (error) {
      if (isOver()) return
      this.#giveUp((error as Error).message)
      setTimeout(() => isOver() || this.#redis.disconnect(true), unusableMs).unref()
    }
  }

  /** Whether the data of Redis is not what it was. */
  async #learnIdentity(): Promise<boolean> {
    // Without a deadline: how far its clock is ahead is not known yet.
    const asked: Parameters<Run> = [identityScript, ["petstore:identity"], [crypto.randomUUID()]]
    const found = String((await this.#evaluate(asked, Number.POSITIVE_INFINITY, this.#watch))[1])
    const isOther = this.#identity !== undefined && this.#identity !== found
    this.#identity = found
    return isOther
  }
}

/** Which data this is: a name that is written once, and gone with the data. */
const identityScript = script(`
if redis.call("EXISTS", KEYS[1]) == 0 then redis.call("SET", KEYS[1], ARGV[3]) end
return { clock, redis.call("GET", KEYS[1]) }
`)

const isRefusal = ({ message }: Error): boolean => /^(WRONGPASS|NOAUTH|NOPERM|ERR invalid password)/.test(message)
