import { randomUUID } from "node:crypto"
import { setTimeout as pause } from "node:timers/promises"
import type { Logger } from "pino"
import type { Database } from "../domain/ports/store.ts"
import { CannotStart } from "../kernel/cannot-start.ts"
import { gauge, type Measured } from "../kernel/measure.ts"

/** The interval of heartbeats. A replica without one for three times as long is considered dead. */
const beatMs = 5_000
const leaseMs = 15_000
const sole = "sole replica"

export type ReplicaOptions = {
  /** Whether this process must be the only one: without Redis it counts limits in its memory. */
  isAlone: boolean
  /** How long to wait for another process that is stopping, or was killed. */
  patienceMs: number
}

/** This process as a replica of the database. */
export type Membership = Measured & {
  /** The holder of this process's leases. */
  id: string
  /** The processes that serve the database as far as this one knows, including itself. */
  live(): number
  /** Removes this process from the replicas. */
  close(): Promise<void>
}

/** Registers this process as a replica of the database. Throws CannotStart when it must be alone and is not. */
export async function openMembership(
  store: Database,
  log: Pick<Logger, "error" | "warn">,
  { isAlone = true, patienceMs = leaseMs + 2_000 }: Partial<ReplicaOptions> = {},
): Promise<Membership> {
  let live = 1
  const membership = {
    id: randomUUID(),
    live: () => live,
    metrics: [gauge("petstore_replicas", replicasHelp, () => live)],
  }
  if (!store.isShared) return { ...membership, close: async () => {} }

  const { id } = membership
  let wasAlone = true
  const beat = () =>
    store.transaction(async (tx) => {
      live = await tx.replicas.beat(id)
      return !isAlone || (await tx.leases.take(sole, id, leaseMs))
    })
  const leave = () =>
    store.transaction(async (tx) => {
      await tx.leases.release(sole, id)
      await tx.replicas.leave(id)
    })

  const giveUpAt = performance.now() + patienceMs
  while (!(await beat()) || (isAlone && live > 1)) {
    await leave()
    if (performance.now() > giveUpAt) throw new CannotStart(notAlone)
    await pause(Math.min(500, patienceMs))
  }

  let beating = Promise.resolve()
  const timer = setInterval(() => {
    beating = beat().then(
      (isSole) => {
        if (wasAlone && !isSole) log.error("another replica serves this database: limits are counted by each of them")
        wasAlone = isSole
      },
      (error: unknown) => log.warn({ err: error }, "the heartbeat was not stored"),
    )
  }, beatMs)
  timer.unref()
  return {
    ...membership,
    async close() {
      clearInterval(timer)
      await beating
      await leave().catch((error: unknown) => log.warn({ err: error }, "the end of this replica was not stored"))
    },
  }
}

const replicasHelp = "Processes that serve the database as far as this one knows, itself included"

const notAlone =
  "Another Petstore serves this database. Several on one PostgreSQL database need a Redis or Valkey to share limits and signals: " +
  "set PETSTORE_REDIS_URL for all of them, or stop the other one."
