import { hash, randomBytes } from "node:crypto"
import { createFaultRules } from "./api/faults/fault-rules.ts"
import type { StreamPace } from "./api/feeds/streams.ts"
import { type SandboxBounds, sandboxBounds } from "./api/sandbox/bounds.ts"
import type { Config } from "./config/config.ts"
import { argon2Passwords, type HashingCost } from "./crypto/argon2.ts"
import { openSealing, type RotatableSealing, type SealingKeys } from "./crypto/sealing-key.ts"
import type { Ports } from "./domain/ports/ports.ts"
import type { Database } from "./domain/ports/store.ts"
import type { Forks, SandboxParts } from "./domain/sandbox/model.ts"
import { type DecoderLimits, decoderProcesses } from "./imaging/decoder.ts"
import { decodersWithin } from "./imaging/decoder-memory.ts"
import { type Clock, steadyClock, systemClock } from "./kernel/clock.ts"
import type { Measured } from "./kernel/measure.ts"
import { isLoopback } from "./kernel/network/ip-address.ts"
import type { Tracer } from "./kernel/network/trace.ts"
import { reportImages, reportRedis, reportStorage } from "./observability/greeting.ts"
import type { Log } from "./observability/log.ts"
import { memoryLimit } from "./observability/memory-limit.ts"
import { oncePerCause } from "./observability/once-per-cause.ts"
import { openTracing, traceDecoding, traceTransactions } from "./observability/tracing.ts"
import { version } from "./program.ts"
import type { SandboxClocks } from "./sandbox/clock.ts"
import { type JournalBounds, Journals } from "./sandbox/journal.ts"
import { profiles } from "./sandbox/profile.ts"
import { sandboxSeeds } from "./sandbox/seeds.ts"
import { sandboxTime } from "./sandbox/time.ts"
import { sampleHashes } from "./sandbox/users.ts"
import type { HttpOverrides } from "./server/http-context.ts"
import { bindBlobs } from "./storage/blob-binding.ts"
import type { ServiceBlobs, StartOfBlobs } from "./storage/blobs/service-blobs.ts"
import { firstKeyFile } from "./storage/disk/first-key-file.ts"
import { type Counters, openCounters, openDatabase, openServiceBlobs, type ServiceStart } from "./storage/open.ts"
import { allowAddresses } from "./workers/delivery/sending/address-guard.ts"
import { createDelivery, type DeliveryWorker, type DeliveryWorkerDeps } from "./workers/delivery/worker.ts"
import { cancelStaleOrders, forgetOld } from "./workers/forget-old.ts"
import { joinReplicas, type Membership, type ReplicaOptions } from "./workers/replicas.ts"
import { deleteUnreferenced } from "./workers/sweep-images.ts"
import type { DiskWatchDeps } from "./workers/watch-disk.ts"

/** Replacements in tests and benches; everything else follows from the settings. */
export type Overrides = HttpOverrides & {
  /** The wall clock, and a monotonic one. */
  clock?: Clock
  steady?: Clock
  delivery?: Partial<DeliveryWorkerDeps>
  decoding?: Partial<DecoderLimits>
  hashing?: HashingCost
  replicas?: Partial<ReplicaOptions>
  /** Intervals of the checks on event streams. */
  streams?: Partial<StreamPace>
  sandboxes?: Partial<SandboxBounds>
  journals?: Partial<JournalBounds>
  disk?: Pick<DiskWatchDeps, "inspect">
  /** How long a start waits for images in S3, and how long the service waits before it tries again. */
  imagePace?: StartOfBlobs["pace"]
  /** False starts no maintenance. */
  housekeeping?: boolean
}

type StoreLocation = {
  openDatabase(): Promise<Database>
  openBlobs(start: ServiceStart): Promise<ServiceBlobs>
  /** The sealing key: a setting, or a file in the directory. */
  keys: SealingKeys
  redisUrl: string | undefined
  /** The base address of its operations, without a trailing slash. */
  publicUrl(): string
}

/** The parts that the stores of a process share. */
export type Shared = AsyncDisposable &
  Measured & {
    config: Config
    clock: Clock
    /** A monotonic clock. */
    steady: Clock
    log: Log["log"]
    tracer: Tracer | undefined
    profile: (typeof profiles)[Config["profile"]]
    overrides: Overrides
    /** The ports of operations besides the store's own. */
    tools: Omit<OpenStore["ports"], "store" | "limiter" | "sealing" | "targets" | "blobs" | "attempts" | "publicUrl">
    delivery: Omit<DeliveryWorkerDeps, "store" | "sealing" | "faults">
    /** The hashes of the sample users' passwords. */
    hashes(): Promise<string[]>
    journals: Journals
    /** The public address; known once the service listens. */
    address: { publicUrl: string }
  }

/** Opens the parts that the stores of a process share: clocks, log, tracer, decoder processes, password hashing. */
export async function openShared(config: Config, written: Log["log"], overrides: Overrides): Promise<Shared> {
  const { clock = systemClock, steady = steadyClock } = overrides
  await using opened = new AsyncDisposableStack()
  const log = oncePerCause(written, steady)
  const { traceEndpoint: endpoint, plans, policy, photoBytes: imageBytesMax } = config
  const tracer = endpoint === undefined ? undefined : opened.use(await openTracing({ endpoint, version, log }))
  const processes = opened.use(decoderProcesses({ ...decodersWithin(memoryLimit()), ...overrides.decoding }))
  const passwords = argon2Passwords(overrides.hashing)
  const profile = profiles[config.profile]
  const allowed = allowAddresses(profile.isSandbox, isLoopback(config.host), config.webhookAllow)
  const open = opened.move()
  return {
    ...{ config, clock, steady, log, tracer, profile, overrides },
    tools: {
      ...{ clock, log, passwords, plans, policy, imageBytesMax, random: randomBytes },
      decoder: tracer ? traceDecoding(processes, tracer) : processes,
      knownKeys: new Set(profile.knownKeys.map(({ secret }) => hash("sha256", secret))),
      knownPeople: new Map(profile.samplePeople.map(({ username, role }) => [username, role])),
      sha256: (text) => hash("sha256", text),
    },
    delivery: { clock, realClock: clock, log, allowed, tracer, ...overrides.delivery },
    hashes: sampleHashes(passwords),
    journals: new Journals(overrides.journals),
    address: { publicUrl: config.publicUrl ?? "" },
    metrics: [...passwords.metrics, ...processes.metrics],
    [Symbol.asyncDispose]: () => open.disposeAsync(),
  }
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
    sandbox: SandboxParts | undefined
    /** Unavailable parts without which the store continues, as words for operators. */
    degraded(): string[]
  }

/** The parts that only a named sandbox has. */
type NamedParts = { clocks: SandboxClocks; forks: Forks }

/** Opens a store: database, images, sealing, counters and delivery. An empty store is seeded. Throws CannotStart. */
export async function openStore(location: StoreLocation, shared: Shared & { named?: NamedParts }): Promise<OpenStore> {
  const { config, clock, steady, log, tracer, profile, overrides } = shared
  const { redisUrl, publicUrl } = location
  await using opened = new AsyncDisposableStack()
  const database = await location.openDatabase()
  opened.defer(database.close)
  const store = tracer ? traceTransactions(database, tracer) : database
  const membership = await joinReplicas(store, log, { isAlone: redisUrl === undefined, ...overrides.replicas })
  opened.defer(membership.stop)
  const sealing = await openSealing(store, location.keys, clock)
  const journal = opened.use(shared.journals.open(clock))
  const rules = createFaultRules()
  const faults = profile.isSandbox ? { rules, journal } : undefined
  const { targets, worker } = createDelivery({ store, sealing, faults, ...shared.delivery })
  const images = await location.openBlobs({
    bind: (blobs, name) => bindBlobs(store, blobs, name),
    report: reportImages(log),
    pace: overrides.imagePace,
  })
  opened.defer(images.close)
  const { blobs } = images
  const seeds = sandboxSeeds({ store, clock, blobs, hashes: shared.hashes })
  const keyFile = firstKeyFile(config.dataDir)
  const filling = { store, seeds, publicUrl: publicUrl(), clock, keepKey: keyFile.keep }
  const firstKey = await profile.fill(filling)
  const counters = await openCounters({ redisUrl }, store, {
    clock: steady,
    report: (error: unknown) => log.error({ err: error }, "counts not stored yet"),
    reportOutage: reportRedis(log),
    liveReplicas: membership.live,
  })
  opened.defer(counters.close)
  const { limiter, signals, attempts } = counters
  const ports: OpenStore["ports"] = {
    ...{ ...shared.tools, store, limiter, sealing, targets, blobs, publicUrl },
    attempts: attempts("people"),
  }
  const { clocks, forks } = shared.named ?? {}
  const kept = { store, clock, log, retention: config.retention }
  const time =
    clocks &&
    sandboxTime({
      ...{ clocks, store, worker, placedOrdersMs: config.retention.placedOrders },
      ...{ ...sandboxBounds, ...overrides.sandboxes },
      cancelStaleOrders: () => cancelStaleOrders(kept),
      async forgetOld() {
        await forgetOld(kept)
        await deleteUnreferenced(store, blobs, clock.now())
      },
    })
  const open = opened.move()

  return {
    ...{ ports, images, sealing, signals, counters, worker, membership },
    firstKey: firstKey === undefined ? undefined : { secret: firstKey, path: keyFile.path },
    sandbox: profile.sandbox({ ...ports, seeds, signals, counters, worker, time, forks, journal, faults: rules }),
    degraded: () => [
      ...(store.degraded?.() ?? []),
      ...(counters.isAway() ? ["redis"] : []),
      ...(images.isAway() ? ["images"] : []),
    ],
    metrics: [store, membership, counters, worker].flatMap((part) => part.metrics ?? []),
    [Symbol.asyncDispose]: () => open.disposeAsync(),
  }
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
