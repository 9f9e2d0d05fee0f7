import type { Logger } from "pino"
import manifest from "../package.json" with { type: "json" }
import type { Config } from "./config.ts"
import { argon2Passwords, type HashingCost } from "./crypto/argon2.ts"
import { openSealing } from "./crypto/sealing-key.ts"
import { api } from "./domain/api.ts"
import { operations } from "./domain/operations.ts"
import { addressOf } from "./greeting.ts"
import type { BodyPace } from "./http/messages/slow-bodies.ts"
import { serveOAuth } from "./http/oauth/mount.ts"
import { rotateSigningKeys } from "./http/oauth/signing-keys.ts"
import { type ConnectionLimits, connectionsMax } from "./http/rate-limiting/connection-limit.ts"
import { addressLimit } from "./http/rate-limiting/ip-rate-limit.ts"
import { type Load, processLoad } from "./http/rate-limiting/load-shedding.ts"
import { answerHealth } from "./http/routes/health.ts"
import { serveImages } from "./http/routes/images.ts"
import { type Served, serve } from "./http/server.ts"
import { type DecoderLimits, decoderProcesses } from "./imaging/decoder.ts"
import { type Clock, steadyClock, systemClock } from "./kernel/clock.ts"
import { isLoopback } from "./kernel/ip-address.ts"
import { docsClientId, pointDocsClientAt, sandboxHint } from "./sandbox/clients.ts"
import { fillSandbox, makeFirstKey } from "./sandbox/first-start.ts"
import { sandboxKeys } from "./sandbox/keys.ts"
import { bindBlobs } from "./storage/blob-binding.ts"
import { openDiskBlobs } from "./storage/disk/blobs.ts"
import { tightenData } from "./storage/disk/data-directory.ts"
import { firstKeyFile } from "./storage/disk/first-key-file.ts"
import { memoryAttempts } from "./storage/memory/attempts.ts"
import { memoryLimiter } from "./storage/memory/limiter.ts"
import { memorySignals } from "./storage/memory/signals.ts"
import { openSqlite } from "./storage/sqlite/open.ts"
import { servePages } from "./web/pages.ts"
import { allowAddresses } from "./workers/delivery/address-guard.ts"
import { createDelivery, type DeliveryOptions } from "./workers/delivery/delivery.ts"
import { startMaintenance } from "./workers/maintenance.ts"

/** What a service may be given in place of its own; everything else follows from the settings. */
export type Overrides = {
  /** Wall clock, and one that never jumps. */
  clock?: Clock
  steady?: Clock
  load?: Partial<Load>
  connectionLimits?: Partial<ConnectionLimits>
  delivery?: Partial<DeliveryOptions>
  decoding?: Partial<DecoderLimits>
  /** How fast bodies must come in. */
  pace?: Partial<BodyPace>
  hashing?: HashingCost
  /** False leaves what is due from time to time undone. */
  housekeeping?: boolean
}

export type Petstore = Awaited<ReturnType<typeof createPetstore>>

/** Starts the whole service: opens storage, serves the contract, delivers events. Throws CannotStart, and leaves nothing open. */
export async function createPetstore(config: Config, log: Logger, overrides: Overrides = {}) {
  const { clock = systemClock, steady = steadyClock } = overrides
  const isSandbox = config.profile === "sandbox"
  await using opened = new AsyncDisposableStack()

  const exposed = tightenData(config)
  const store = openSqlite(config.databaseFile)
  opened.defer(store.close)
  if (exposed.length > 0) log.warn({ paths: exposed }, "others on this machine may look into these")
  const sealing = await openSealing(store, config)
  const allowed = allowAddresses(isSandbox, isLoopback(config.host), config.webhookAllow)
  const { targets, worker } = createDelivery({ store, clock, sealing, log, allowed, ...overrides.delivery })
  const passwords = argon2Passwords(overrides.hashing)
  const blobs = await openDiskBlobs(config.imageDirectory)
  await bindBlobs(store, blobs, config.imageDirectory)
  const decoder = opened.use(decoderProcesses(overrides.decoding))
  const keyFile = firstKeyFile(config.dataDir)
  if (isSandbox) await fillSandbox(store, clock, passwords, blobs)
  const firstKey = isSandbox ? undefined : await makeFirstKey(store, clock, keyFile.keep)
  const limiter = await memoryLimiter(store, steady, (error) => log.error({ err: error }, "counts not stored yet"))
  opened.defer(limiter.close)

  let url = config.publicUrl ?? ""
  const state = { draining: false }
  const served: Served = {
    ...config,
    api,
    operations: operations as unknown as Served["operations"],
    store,
    signals: memorySignals(),
    sealing,
    targets,
    limiter,
    passwords,
    attempts: memoryAttempts(steady),
    byAddress: addressLimit(memoryAttempts(steady), config.unlimitedAddresses),
    connectionLimits: {
      perAddress: config.connectionsPerAddress,
      total: connectionsMax.total,
      exempt: [...config.trustedProxies, ...config.unlimitedAddresses],
      ...overrides.connectionLimits,
    },
    load: { ...processLoad(), ...overrides.load },
    pace: overrides.pace ?? {},
    hasKnownKeys: isSandbox,
    lab: { blobs, decoder, quotaBytes: config.photoBytes },
    state,
    clock,
    log,
    publicUrl: () => url,
  }
  const { app, requireCapacity } = serve(served)
  answerHealth(app, { store, requireCapacity, state })
  await serveOAuth(app, { ...served, hint: isSandbox ? sandboxHint : undefined })
  serveImages(app, store, blobs)
  const known = isSandbox ? { knownKeys: sandboxKeys, docsClientId } : { knownKeys: [], docsClientId: undefined }
  servePages(app, { api, version: manifest.version, publicUrl: served.publicUrl, store, ...known })
  await app.listen({ host: config.host, port: config.port })
  // Once and for all: while the service drains it listens no more and still answers.
  const address = addressOf(app.server.address(), config.host)
  url ||= address
  if (isSandbox) await pointDocsClientAt(store, url)
  worker.start()
  if (overrides.housekeeping !== false) opened.defer(startMaintenance(served, [rotateSigningKeys]))
  const open = opened.move()

  /** Answers what is under way, breaks off what takes longer than the signal allows, and closes storage. */
  async function stop(impatience: AbortSignal): Promise<void> {
    state.draining = true
    impatience.addEventListener("abort", () => app.server.closeAllConnections())
    await Promise.all([app.close(), worker.stop(impatience)])
    await open.disposeAsync()
  }

  return {
    /** The address clients use, and the one the service listens at. */
    url,
    address,
    version: manifest.version,
    /** Production's first key when this start made it, and the file it is in. */
    firstKey: firstKey === undefined ? undefined : { secret: firstKey, path: keyFile.path },
    isDraining: () => state.draining,
    stop,
    /** What tests and benches look at. */
    parts: { store, worker, limiter, blobs, signals: served.signals },
  }
}
