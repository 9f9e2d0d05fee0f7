import { CannotStart } from "../../kernel/cannot-start.ts"
import { steadyClock } from "../../kernel/clock.ts"
import { openConnection } from "./connection.ts"
import { type Script, script } from "./script.ts"
import { watchProgress } from "./watch-progress.ts"

/** Redis did not do what it was asked, or its reply got lost. */
export class RedisAway extends Error {}

/** Runs a script in one round trip and resolves with its reply; those of one turn of the event loop share it. Throws RedisAway. */
export type Run = (script: Script, keys: readonly string[], args: readonly (string | number)[]) => Promise<number[]>

/** A connection that is given up while Redis does not respond, and taken up again when it does. */
export type Link = {
  run: Run
  /** Sends a message to all who subscribed; throws RedisAway. */
  publish(channel: string, message: string): Promise<void>
  isUp(): boolean
  /** Milliseconds by the clock of Redis, as far as it is known. */
  now(): number
  close(): Promise<void>
}

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
export async function openLink(
  url: string,
  { scripts, timeoutMs, now: countedNow, tell, restore }: Options,
): Promise<Link> {
  const redis = openConnection(url, { enableAutoPipelining: true, lazyConnect: true })
  const watchFor = (ms: number) =>
    watchProgress(ms, () => {
      giveUp(`no reply for ${ms} ms`)
      redis.disconnect(true)
    })
  const [watch, watchPatiently] = [watchFor(timeoutMs), watchFor(restoreTimeoutMs)]
  const begun = Promise.withResolvers<void>()
  let isUp = false
  let isAway = false
  let isClosing = false
  let aheadMs = 0
  /** Which connection this is; what belonged to an earlier one says nothing about it. */
  let connection = 0
  let identity: string | undefined
  let problem = "it does not respond"
  let greeted = Promise.resolve()

  const now = () => countedNow?.() ?? steadyClock.now() + aheadMs

  const deadlineIn = (ms: number) => Math.floor(steadyClock.now() + aheadMs + ms)
  const ask: Run = (...asked) => evaluate(asked, deadlineIn(timeoutMs), watch)
  const askPatiently: Run = (...asked) => evaluate(asked, deadlineIn(restoreTimeoutMs), watchPatiently)

  async function evaluate(asked: Parameters<Run>, deadline: number, watching: typeof watch): Promise<number[]> {
    const [{ lua, sha1 }, keys, args] = asked
    const given = [keys.length, ...keys, countedNow?.() ?? "", deadline, ...args] as const
    const replied = redis.evalsha(sha1, ...given).catch((error: Error) => {
      if (error.message.startsWith("NOSCRIPT")) return redis.eval(lua, ...given)
      throw error
    })
    const reply = (await watching(replied)) as number[]
    const [clock = 0] = reply
    aheadMs = clock - steadyClock.now()
    if (clock > deadline) throw new RedisAway("it is too slow")
    return reply
  }

  function takeUp(): void {
    isUp = true
    begun.resolve()
    if (isAway) tell(undefined)
    isAway = false
  }

  function giveUp(reason: string): void {
    isUp = false
    problem = reason
    if (isAway || isClosing) return
    isAway = true
    tell(reason)
  }

  async function whileUp<T>(asking: () => Promise<T>): Promise<T> {
    if (!isUp) throw new RedisAway(problem)
    const over = connection
    try {
      return await asking()
    } catch (error) {
      if (isUp && over === connection) {
        giveUp((error as Error).message)
        redis.disconnect(true)
      }
      throw new RedisAway(problem)
    }
  }

  async function greet(over: number): Promise<void> {
    try {
      // Without a deadline: how far its clock is ahead is not known yet.
      const asked = [identityScript, ["petstore:identity"], [crypto.randomUUID()]] as const
      const found = String((await evaluate([...asked], Number.MAX_SAFE_INTEGER, watch))[1])
      const isOther = identity !== undefined && identity !== found
      identity = found
      await watch(Promise.all(scripts.map(({ lua }) => redis.script("LOAD", lua))))
      await restore(askPatiently, isOther, () => over === connection && takeUp())
    } catch (error) {
      if (over !== connection) return
      giveUp((error as Error).message)
      setTimeout(() => over === connection && redis.disconnect(true), unusableMs).unref()
    }
  }

  redis.on("ready", () => {
    const over = ++connection
    greeted = greeted.then(() => greet(over))
  })
  redis.on("close", () => giveUp(problem))
  redis.on("error", (error: Error) => {
    problem = error.message
    if (isRefusal(error)) begun.reject(new CannotStart(`Redis refuses PETSTORE_REDIS_URL: ${error.message}`))
  })
  const pinging = setInterval(() => isUp && void whileUp(() => watch(redis.ping())).catch(() => undefined), pingMs)
  pinging.unref()

  async function close(): Promise<void> {
    isClosing = true
    isUp = false
    clearInterval(pinging)
    redis.disconnect()
  }

  const patience = setTimeout(begun.resolve, startPatienceMs)
  redis.connect().catch(() => undefined)
  try {
    await begun.promise
  } catch (error) {
    await close()
    throw error
  } finally {
    clearTimeout(patience)
  }
  if (!isUp) giveUp(problem)

  return {
    run: (...given) => whileUp(() => ask(...given)),
    publish: (channel, message) => whileUp(async () => void (await watch(redis.publish(channel, message)))),
    isUp: () => isUp,
    now,
    close,
  }
}

/** Which data this is: a name that is written once, and gone with the data. */
const identityScript = script(`
if redis.call("EXISTS", KEYS[1]) == 0 then redis.call("SET", KEYS[1], ARGV[3]) end
return { clock, redis.call("GET", KEYS[1]) }
`)

const isRefusal = ({ message }: Error): boolean => /^(WRONGPASS|NOAUTH|NOPERM|ERR invalid password)/.test(message)
