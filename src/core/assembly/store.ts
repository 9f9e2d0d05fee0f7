import { openSealing, type SealingKeys } from "../crypto/sealing-key.ts"
import { firstKeyFile } from "../disk/first-key-file.ts"
import type { Database } from "../domain/ports/store.ts"
import { reportImages, reportRedis, reportStorage } from "../observability/greeting.ts"
import { traceTransactions } from "../observability/tracing.ts"
import { bindBlobs } from "../storage/blob-binding.ts"
import type { Counters, ServiceStart } from "../storage/open.ts"
import type { ServiceBlobs } from "../storage/service-blobs.ts"
import { createDelivery } from "../workers/delivery/worker.ts"
import { type Membership, openMembership } from "../workers/replicas.ts"
import { makeFirstKey } from "./first-start.ts"
import type { OpenStore, Shared, StorePart } from "./part.ts"

export type StoreLocation = {
  openDatabase(): Promise<Database>
  openBlobs(start: ServiceStart): Promise<ServiceBlobs>
  /** The sealing key: a setting, or a file in the directory. */
  keys: SealingKeys
  redisUrl: string | undefined
  /** The base address of its operations, without a trailing slash. */
  publicUrl(): string
}

/** Opens a store: database, images, sealing, counters and delivery. An empty store is filled. Throws CannotStart. */
export async function openStore(location: StoreLocation, shared: Shared): Promise<OpenStore> {
  const { clock, log, tracer, overrides } = shared
  const { redisUrl, publicUrl } = location
  await using opened = new AsyncDisposableStack()
  const database = await location.openDatabase()
  opened.defer(database.close)
  const store = tracer ? traceTransactions(database, tracer) : database
  const membership = await openMembership(store, log, { isAlone: redisUrl === undefined, ...overrides.replicas })
  opened.defer(membership.close)
  const sealing = await openSealing(store, location.keys, clock)
  const parts = shared.parts.flatMap(({ openStore: open }) => open?.({ store, clock, sealing }) ?? [])
  for (const part of parts) opened.defer(() => part[Symbol.dispose]?.())
  const decorate = parts.find((part) => part.decorate)?.decorate
  const { targets, worker } = createDelivery({ store, sealing, decorate, ...shared.delivery })
  const images = await location.openBlobs({
    bind: (blobs, name) => bindBlobs(store, blobs, name),
    report: reportImages(log),
    pace: overrides.imagePace,
  })
  opened.defer(images.close)
  const { blobs } = images
  const firstKey = await fill(shared, parts, { store, blobs, publicUrl: publicUrl() })
  const counters = await openStoreCounters(shared, location, store, membership)
  opened.defer(counters.close)
  const { limiter, signals, attempts } = counters
  const open = opened.move()
  const openedStore: OpenStore = {
    ports: {
      ...shared.tools,
      store,
      limiter,
      sealing,
      targets,
      blobs,
      publicUrl,
      attempts: attempts("people"),
    },
    images,
    sealing,
    signals,
    counters,
    worker,
    membership,
    firstKey,
    parts,
    degraded: () => degradedParts(store, counters, images),
    metrics: [store, membership, counters, worker].flatMap((part) => part.metrics ?? []),
    [Symbol.asyncDispose]: () => open.disposeAsync(),
  }
  for (const part of parts) part.opened?.(openedStore)
  return openedStore
}

type Filled = { store: Database; blobs: ServiceBlobs["blobs"]; publicUrl: string }

/** Fills the store at its first start; returns the first key, if this start created it. */
async function fill(
  { config, clock }: Shared,
  parts: readonly StorePart[],
  { store, blobs, publicUrl }: Filled,
): Promise<OpenStore["firstKey"]> {
  const part = parts.find((one) => one.fill)
  if (part) {
    await part.fill?.(blobs, publicUrl)
    return undefined
  }
  const keyFile = firstKeyFile(config.dataDir)
  const secret = await makeFirstKey({ store, clock, profile: config.profile, keepKey: keyFile.keep })
  return secret === undefined ? undefined : { secret, path: keyFile.path }
}

const openStoreCounters = (
  { steady, log, storage }: Shared,
  { redisUrl }: StoreLocation,
  store: Database,
  { live }: Membership,
) =>
  storage.openCounters({ redisUrl }, store, {
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

export const configuredLocation = ({ config, log, address, storage }: Shared): StoreLocation => ({
  async openDatabase() {
    const { store, exposed } = await storage.openDatabase(config, reportStorage(log))
    if (exposed.length > 0) log.warn({ paths: exposed }, "other users of this machine can read these")
    return store
  },
  openBlobs: (start) => storage.openServiceBlobs(config, start),
  keys: config,
  redisUrl: config.redisUrl,
  publicUrl: () => address.publicUrl,
})
