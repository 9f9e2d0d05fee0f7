import { Redis, type RedisOptions } from "ioredis"

const connectTimeoutMs = 1_000
const retryMs = { min: 100, max: 1_000 }

/** Opens a connection that fails commands instead of queueing them, and keeps reconnecting. */
export function openConnection(
  url: string,
  options: Pick<RedisOptions, "enableAutoPipelining" | "enableReadyCheck" | "lazyConnect">,
): Redis {
  const redis: Redis = new Redis(url, {
    connectTimeout: connectTimeoutMs,
    enableOfflineQueue: false,
    // The client does not handle a failure of its own resubscription, which would end the process.
    autoResubscribe: false,
    autoResendUnfulfilledCommands: false,
    maxRetriesPerRequest: 0,
    disconnectTimeout: 0,
    retryStrategy: (times: number) => Math.min(retryMs.min * times, retryMs.max) * (0.5 + Math.random() / 2),
    ...options,
  })
  // The client has no timeout for the replies of its handshake.
  let timer: NodeJS.Timeout | undefined
  redis.on("connect", () => {
    timer = setTimeout(() => redis.disconnect(true), connectTimeoutMs).unref()
  })
  for (const event of ["ready", "close"]) redis.on(event, () => clearTimeout(timer))
  return redis
}
