import { createDefectSwitch } from "./api/defects/defects.ts"
import { createFaultRules } from "./api/faults/fault-rules.ts"
import { sandboxBounds } from "./api/sandbox/bounds.ts"
import { openSealing, type RotatableSealing, type SealingKeys } from "./crypto/sealing-key.ts"
import type { Ports } from "./domain/ports/ports.ts"
import type { Database } from "./domain/ports/store.ts"
import type { Forks, SandboxParts, SandboxTime } from "./domain/sandbox/model.ts"
import type { Measured } from "./kernel/measure.ts"
import { reportImages, reportRedis, reportStorage } from "./observability/greeting.ts"
import type { Log } from "./observability/log.ts"
import { traceTransactions } from "./observability/tracing.ts"
import type { SandboxClocks } from "./sandbox/clock.ts"
import { defectiveSending } from "./sandbox/defective-sending.ts"
import { faultySending } from "./sandbox/faulty-sending.ts"
import type { Filling } from "./sandbox/first-start.ts"
import { sandboxSeeds } from "./sandbox/seeds.ts"
import { sandboxTime } from "./sandbox/time.ts"
import type { Shared } from "./shared.ts"
import { bindBlobs } from "./storage/blob-binding.ts"
import type { ServiceBlobs } from "./storage/blobs/service-blobs.ts"
import { firstKeyFile } from "./storage/disk/first-key-file.ts"
import { type Counters, openCounters, openDatabase, openServiceBlobs, type ServiceStart } from "./storage/open.ts"
import { createDelivery, type DeliveryWorker } from "./workers/delivery/worker.ts"
import { cancelStaleOrders, forgetOld } from "./workers/forget-old.ts"
import { type Membership, openMembership } from "./workers/replicas.ts"
import { deleteUnreferenced } from "./workers/sweep-images.ts"

export type StoreLocation = {
  openDatabase(): Promise<Database>
  openBlobs(start: ServiceStart): Promise<ServiceBlobs>
  /** The sealing key: a setting, or a file in the directory. */
  keys: SealingKeys
  redisUrl: string | undefined
  /** The base address of its operations, without a trailing slash. */
  publicUrl(): string
}

/** A store with what works on it. */
export type OpenStore = AsyncDisposable &
  Measured & {
    ports: Ports & { log: Log["log"]; store: Database }
    images: ServiceBlobs
    sealing: RotatableSealing
    signals: Counters["signals"]
    counters: Counters
    worker: DeliveryWorker
    membership: Membership
    /** Production's first key, if this start created it, and its file. */
    firstKey: { secret: string; path: string } | undefined
    /** Undefined in production. */
    sandbox: Omit<SandboxParts, "house"> | undefined
    /** Unavailable parts without which the store continues, as words for operators. */
    degraded(): string[]
  }

/** The parts that only a named sandbox has. */
type NamedParts = { clocks: SandboxClocks; forks: Forks }

type StoreParts = Shared & { named?: NamedParts }

/** Opens a store: database, images, sealing, counters and delivery. An empty store is seeded. Throws CannotStart. */
export async function openStore(location: StoreLocation, shared: StoreParts): Promise<OpenStore> {
  const { clock, log, tracer, profile, overrides } = shared
  const { redisUrl, publicUrl } = location
  await using opened = new AsyncDisposableStack()
  const database = await location.openDatabase()
  opened.defer(database.close)
  const store = tracer ? traceTransactions(database, tracer) : database
  const membership = await openMembership(store, log, { isAlone: redisUrl === undefined, ...overrides.replicas })
  opened.defer(membership.close)
  const sealing = await openSealing(store, location.keys, clock)
  const journal = opened.use(shared.journals.open(clock))
  const rules = createFaultRules()
  const defects = createDefectSwitch(shared.config.defects)
  const decorate = profile.isSandbox ? defectiveSending(defects, faultySending({ rules, journal })) : undefined
  const { targets, worker } = createDelivery({ store, sealing, decorate, ...shared.delivery })
  const images = await location.openBlobs({
    bind: (blobs, name) => bindBlobs(store, blobs, name),
    report: reportImages(log),
    pace: overrides.imagePace,
  })
  opened.defer(images.close)
  const { blobs } = images
  const seeds = sandboxSeeds({ store, clock, blobs, sealing, hashes: shared.hashes, initial: shared.initial })
  const firstKey = await fill(shared, { store, seeds, clock, publicUrl: publicUrl() })
  const counters = await openStoreCounters(shared, location, store, membership)
  opened.defer(counters.close)
  const { limiter, signals, attempts } = counters
  const ports: OpenStore["ports"] = {
    ...shared.tools,
    store,
    limiter,
    sealing,
    targets,
    blobs,
    publicUrl,
    attempts: attempts("people"),
  }
  const open = opened.move()

  return {
    ports,
    images,
    sealing,
    signals,
    counters,
    worker,
    membership,
    firstKey,
    sandbox: profile.sandbox({
      ...ports,
      seeds,
      signals,
      counters,
      worker,
      time: timeOf(shared, ports, worker),
      forks: shared.named?.forks,
      journal,
      faults: rules,
      defects,
    }),
    degraded: () => degradedParts(store, counters, images),
    metrics: [store, membership, counters, worker].flatMap((part) => part.metrics ?? []),
    [Symbol.asyncDispose]: () => open.disposeAsync(),
  }
}

/** Returns production's first key, if this start created it. */
async function fill(
  { profile, config }: Shared,
  filling: Omit<Filling, "keepKey">,
): Promise<OpenStore["firstKey"] | undefined> {
  const keyFile = firstKeyFile(config.dataDir)
  const secret = await profile.fill({ ...filling, keepKey: keyFile.keep })
  return secret === undefined ? undefined : { secret, path: keyFile.path }
}

const openStoreCounters = (
  { steady, log }: Shared,
  { redisUrl }: StoreLocation,
  store: Database,
  { live }: Membership,
) =>
  openCounters({ redisUrl }, store, {
    clock: steady,
    report: (error: unknown) => log.error({ err: error }, "counts not stored yet"),
    reportOutage: reportRedis(log),
    liveReplicas: live,
  })

const degradedParts = (store: Database, counters: Counters, images: ServiceBlobs): string[] => [
  ...(store.degraded?.() ?? []),
  ...(counters.isAway() ? ["redis"] : []),
  ...(images.isAway() ? ["images"] : []),
]

/** The time of a named sandbox; undefined for the main store. */
function timeOf(
  { named, config, overrides }: StoreParts,
  { store, clock, log, blobs }: OpenStore["ports"],
  worker: DeliveryWorker,
): SandboxTime | undefined {
  if (!named) return undefined
  const kept = { store, clock, log, retention: config.retention }
  return sandboxTime({
    clocks: named.clocks,
    store,
    worker,
    placedOrdersMs: config.retention.placedOrders,
    ...sandboxBounds,
    ...overrides.sandboxes,
    cancelStaleOrders: () => cancelStaleOrders(kept),
    async forgetOld() {
      await forgetOld(kept)
      await deleteUnreferenced(store, blobs, clock.now())
    },
  })
}

export const configuredLocation = ({ config, log, address }: Shared): StoreLocation => ({
  async openDatabase() {
    const { store, exposed } = await openDatabase(config, reportStorage(log))
    if (exposed.length > 0) log.warn({ paths: exposed }, "other users of this machine can read these")
    return store
  },
  openBlobs: (start) => openServiceBlobs(config, start),
  keys: config,
  redisUrl: config.redisUrl,
  publicUrl: () => address.publicUrl,
})
