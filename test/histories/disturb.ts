import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { setTimeout as after } from "node:timers/promises"
import type { startReplicas } from "../harness/cluster.ts"
import type { lossyProxy } from "../harness/lossy-proxy.ts"
import type { PostgresServer } from "../harness/postgres.ts"
import type { Spawned } from "../harness/spawn.ts"
import type { Recorder } from "./record.ts"
import type { disconnected, killed } from "./record-and-judge.ts"
import { type Disturbance, type Failure, type FailureKind, kindsOfProcess } from "./schedule.ts"

/** Makes something fail, and resolves once it works again. */
type Act = (failure: Failure) => Promise<void>

/** After so long a balancer notices that a replica does not respond. */
const noticedMs = 50
/** Until replicas are connected again. */
const reconnectedMs = 2_000
/** Bounds the starts of a replica whose database is away; only to end a test that hangs. */
const startsMax = 60

/** Settings of a service whose wall clock can be shifted. */
export const shiftable = { NODE_OPTIONS: `--import=${join(import.meta.dirname, "..", "harness", "shifted-clock.ts")}` }

/**
 * Performs a schedule, and records when what was lost, late or forgotten has an excuse: `killed` where a request ends with the only
 * process, `disconnected` where another one may still have its effect. A pause of a process, or a wrong clock, is no excuse.
 */
export async function disturb<K extends FailureKind>(
  recorder: Recorder,
  schedule: readonly Disturbance<K>[],
  acts: Record<K, Act>,
  excuse: typeof killed | typeof disconnected,
): Promise<void> {
  for (const { afterMs, failures } of schedule) {
    await after(afterMs)
    const perform = () =>
      Promise.all(
        failures.map(async (failure) => {
          await after(failure.afterMs)
          await acts[failure.kind](failure)
        }),
      )
    const kinds = failures.map(({ kind }): FailureKind => kind)
    const isElsewhere = kinds.some((kind) => !kindsOfProcess.some((own) => own === kind))
    if (!isElsewhere && !kinds.includes("kill replica")) await perform()
    else
      await recorder.during(excuse, async () => {
        await perform()
        if (isElsewhere) await after(reconnectedMs)
      })
  }
  await after(1_000)
}

/** What can fail of processes; `exclude` makes a balancer skip one until disposed of. */
export function failuresOfReplicas(
  replicas: readonly Spawned[],
  exclude: (replica: Spawned) => Disposable = () => new DisposableStack(),
): Record<(typeof kindsOfProcess)[number], Act> {
  const of = (failure: Failure) => replicas[failure.replica] as Spawned
  return {
    async "kill replica"(failure) {
      await of(failure).kill("SIGKILL")
      await after(failure.forMs)
      await restart(of(failure))
    },
    async "pause replica"(failure) {
      process.kill(of(failure).pid, "SIGSTOP")
      await after(noticedMs)
      using _ = exclude(of(failure))
      await after(failure.forMs)
      process.kill(of(failure).pid, "SIGCONT")
    },
    async "shift clock"(failure) {
      const set = (ms: number) => writeFileSync(join(of(failure).dataDir, "..", "clock-shift"), String(ms))
      set(failure.shiftMs)
      await after(failure.forMs)
      set(0)
    },
  }
}

/** Starts it again until it is ready, as a supervisor does. */
async function restart(replica: Spawned): Promise<void> {
  for (let n = 1; ; n++)
    try {
      return await replica.restart()
    } catch (error) {
      if (n === startsMax) throw error
      await after(500)
    }
}

type Cluster = Awaited<ReturnType<typeof startReplicas>>
type Network = Awaited<ReturnType<typeof lossyProxy>>
type Servers = { postgres: PostgresServer; toPostgres: Network; toRedis: Network }

/** What can fail of a cluster. */
export function failuresOfCluster(
  { replicas, redis, exclude }: Cluster,
  { postgres, toPostgres, toRedis }: Servers,
): Record<FailureKind, Act> {
  return {
    ...failuresOfReplicas(replicas, exclude),
    async "kill PostgreSQL"({ forMs }) {
      await postgres.stop("immediate")
      await after(forMs)
      await postgres.start()
    },
    async "pause PostgreSQL"({ forMs }) {
      using _ = postgres.freeze()
      await after(forMs)
    },
    "cut PostgreSQL": cut(toPostgres),
    "delay PostgreSQL": delay(toPostgres),
    "lose PostgreSQL": lose(toPostgres),
    "hold PostgreSQL": hold(toPostgres),
    "abandon PostgreSQL": abandon(toPostgres),
    async "kill Redis"({ forMs }) {
      await redis.kill("SIGKILL")
      await after(forMs)
      await redis.restart()
    },
    async "pause Redis"({ forMs }) {
      await redis.kill("SIGSTOP")
      await after(forMs)
      await redis.kill("SIGCONT")
    },
    "cut Redis": cut(toRedis),
    "delay Redis": delay(toRedis),
    "lose Redis": lose(toRedis),
    "hold Redis": hold(toRedis),
    "abandon Redis": abandon(toRedis),
  }
}

type OfNetwork = (network: Network) => Act

const cut: OfNetwork = (network) => async () => network.cut()

const delay: OfNetwork =
  (network) =>
  async ({ forMs }) => {
    network.delay(200)
    await after(forMs)
    network.delay(0)
  }

const lose: OfNetwork =
  (network) =>
  async ({ forMs }) => {
    network.lose(true)
    await after(forMs)
    network.cut()
    network.lose(false)
  }

const hold: OfNetwork =
  (network) =>
  async ({ forMs }) => {
    network.hold()
    await after(forMs)
    network.release()
    network.cut()
  }

const abandon: OfNetwork = (network) => async () => network.abandon()
