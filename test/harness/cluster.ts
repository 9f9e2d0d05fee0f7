import { randomBytes } from "node:crypto"
import { createClient } from "../../src/client/client.ts"
import { api } from "../../src/core/domain/api.ts"
import { startBalancer } from "./balancer.ts"
import { startPostgres, withoutPostgres } from "./postgres.ts"
import { startRedis, withoutRedis } from "./redis.ts"
import { type Spawned, spawnPetstore } from "./spawn.ts"

/** The reason why tests that need a cluster are skipped; false when they are not. */
export const withoutCluster = withoutPostgres || withoutRedis

type Options = {
  replicas?: number
  databaseUrl: string
  /** Starts the server of the Redis protocol, by default the installed one. */
  startCounters?: () => ReturnType<typeof startRedis>
  /** Further settings of every replica. */
  env?: Record<string, string>
}

/** Sandbox replicas behind a balancer, started together on an empty durable database and a shared Redis. */
export async function startCluster(options: Omit<Options, "databaseUrl"> = {}) {
  await using opened = new AsyncDisposableStack()
  const postgres = opened.use(await startPostgres({ durable: true }))
  const cluster = opened.use(await startReplicas({ ...options, databaseUrl: await postgres.createDatabase() }))
  const kept = opened.move()
  return { ...cluster, postgres, [Symbol.asyncDispose]: () => kept.disposeAsync() }
}

/** The same on an existing database. */
export async function startReplicas({
  replicas: count = 3,
  databaseUrl,
  startCounters = () => startRedis(),
  env = {},
}: Options) {
  await using opened = new AsyncDisposableStack()
  const redis = opened.use(await startCounters())
  const replicas: Spawned[] = []
  const excluded = new Set<Spawned>()
  const balancer = opened.use(
    await startBalancer(() => replicas.filter((replica) => !excluded.has(replica)).map(({ url }) => url)),
  )
  const settings = {
    PETSTORE_DATABASE_URL: databaseUrl,
    PETSTORE_REDIS_URL: redis.url,
    PETSTORE_SECRET_KEY: randomBytes(32).toString("base64"),
    PETSTORE_PUBLIC_URL: balancer.url,
    ...env,
  }
  const started = await Promise.all(Array.from({ length: count }, () => spawnPetstore({ env: settings })))
  for (const replica of started) replicas.push(opened.use(replica))
  const kept = opened.move()

  return {
    url: balancer.url,
    settings,
    replicas,
    redis,
    /** The balancer sends this replica no requests until disposed of, as when its health check fails. */
    exclude(replica: Spawned): Disposable {
      excluded.add(replica)
      return { [Symbol.dispose]: () => void excluded.delete(replica) }
    },
    /** The typed client, through the balancer. */
    as: (key: string) => createClient(api, { url: balancer.url, headers: { api_key: key } }),
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  }
}
