import { hash, randomBytes } from "node:crypto"
import type { StreamPace } from "./api/feeds/streams.ts"
import type { SandboxBounds } from "./api/sandbox/bounds.ts"
import type { Config } from "./config/config.ts"
import { argon2Passwords, type HashingCost } from "./crypto/argon2.ts"
import type { Ports } from "./domain/ports/ports.ts"
import { type DecoderLimits, decoderProcesses } from "./imaging/decoder.ts"
import { decodersWithin } from "./imaging/decoder-memory.ts"
import { readInitialData } from "./initial-data.ts"
import { type Clock, steadyClock, systemClock } from "./kernel/clock.ts"
import type { Measured } from "./kernel/measure.ts"
import { isLoopback } from "./kernel/network/ip-address.ts"
import type { Tracer } from "./kernel/network/trace.ts"
import type { Log } from "./observability/log.ts"
import { memoryLimit } from "./observability/memory-limit.ts"
import { oncePerCause } from "./observability/once-per-cause.ts"
import { openTracing, traceDecoding } from "./observability/tracing.ts"
import { version } from "./program.ts"
import type { InitialData } from "./sandbox/initial-data.ts"
import { type JournalBounds, Journals } from "./sandbox/journal.ts"
import { profiles } from "./sandbox/profile.ts"
import { sampleHashes } from "./sandbox/users.ts"
import type { HttpOverrides } from "./server/http-context.ts"
import type { StartOfBlobs } from "./storage/blobs/service-blobs.ts"
import { allowAddresses } from "./workers/delivery/sending/address-guard.ts"
import type { DeliveryWorkerDeps } from "./workers/delivery/worker.ts"
import type { ReplicaOptions } from "./workers/replicas.ts"
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

/** The parts that the stores of a process share. */
export type Shared = AsyncDisposable &
  Measured & {
    config: Config
    clock: Clock
    /** A monotonic clock. */
    steady: Clock
    /** The monotonic clock of the process, also where a sandbox has a time of its own. */
    realSteady: Clock
    log: Log["log"]
    tracer: Tracer | undefined
    profile: (typeof profiles)[Config["profile"]]
    overrides: Overrides
    /** The ports of operations besides the store's own. */
    tools: Omit<
      Ports & { log: Log["log"] },
      "store" | "limiter" | "sealing" | "targets" | "blobs" | "attempts" | "publicUrl"
    >
    delivery: Omit<DeliveryWorkerDeps, "store" | "sealing" | "decorate">
    /** The hashes of the sample users' passwords. */
    hashes(): Promise<string[]>
    journals: Journals
    /** What a sandbox contains at first. */
    initial: InitialData
    /** The public address; known once the service listens. */
    address: { publicUrl: string }
  }

/** Opens the parts that the stores of a process share: clocks, log, tracer, decoder processes, password hashing. */
export async function openShared(config: Config, written: Log["log"], overrides: Overrides): Promise<Shared> {
  const { clock = systemClock, steady = steadyClock } = overrides
  const initial = await readInitialData(config.seed)
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
    config,
    clock,
    steady,
    realSteady: steady,
    log,
    tracer,
    profile,
    overrides,
    tools: {
      clock,
      log,
      passwords,
      plans,
      policy,
      imageBytesMax,
      random: randomBytes,
      decoder: tracer ? traceDecoding(processes, tracer) : processes,
      knownKeys: new Set(profile.knownKeys.map(({ secret }) => hash("sha256", secret))),
      knownPeople: new Map(profile.samplePeople.map(({ username, role }) => [username, role])),
      sha256: (text) => hash("sha256", text),
    },
    delivery: { clock, realClock: clock, log, allowed, tracer, ...overrides.delivery },
    hashes: sampleHashes(passwords),
    initial,
    journals: new Journals(overrides.journals),
    address: { publicUrl: config.publicUrl ?? "" },
    metrics: [...passwords.metrics, ...processes.metrics],
    [Symbol.asyncDispose]: () => open.disposeAsync(),
  }
}
