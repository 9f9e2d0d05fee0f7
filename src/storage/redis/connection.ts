import { Redis, type RedisOptions } from "ioredis"

const connectTimeoutMs = 1_000
const retryMs = { least: 100, most: 1_000 }

type Options = Pick<RedisOptions, "enableAutoPipelining" | "enableReadyCheck" | "lazyConnect">

/** Opens a connection that fails at once rather than queueing, and keeps trying to connect. */
export function openConnection(url: string, options: Options): Redis {
  const redis: Redis = new Redis(url, {
    connectTimeout: connectTimeoutMs,
    enableOfflineQueue: false,
    // The client's own does not handle its failure, which would end the process.
    autoResubscribe: false,
    autoResendUnfulfilledCommands: false,
    maxRetriesPerRequest: 0,
    disconnectTimeout: 0,
    retryStrategy: (times: number) => Math.min(retryMs.least * times, retryMs.most) * (0.5 + Math.random() / 2),
    ...options,
  })
  // The client waits without end for the replies that introduce it, should they get lost.
  let timer: NodeJS.Timeout | undefined
  redis.on("connect", () => {
    timer = setTimeout(() => redis.disconnect(true), connectTimeoutMs).unref()
  })
  for (const event of ["ready", "close"]) redis.on(event, () => clearTimeout(timer))
  return redis
}
