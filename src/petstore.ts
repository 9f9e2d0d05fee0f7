import { hash, randomBytes } from "node:crypto"
import manifest from "../package.json" with { type: "json" }
import type { Config } from "./config.ts"
import { argon2Passwords, type HashingCost } from "./crypto/argon2.ts"
import { openSealing } from "./crypto/sealing-key.ts"
import { api } from "./domain/api.ts"
import { operations } from "./domain/operations.ts"
import { addressOf } from "./greeting.ts"
import type { BodyPace } from "./http/messages/slow-bodies.ts"
import { addOAuth } from "./http/oauth/mount.ts"
import { rotateSigningKeys } from "./http/oauth/signing-keys.ts"
import { describeService } from "./http/openapi/descriptions.ts"
import { problemExample } from "./http/openapi/problem-example.ts"
import { type ConnectionLimits, connectionsMax } from "./http/rate-limiting/connection-limit.ts"
import { ipRateLimit } from "./http/rate-limiting/ip-rate-limit.ts"
import { type Load, processLoad } from "./http/rate-limiting/load-shedding.ts"
import { addImages } from "./http/routes/images.ts"
import { addPages } from "./http/routes/pages.ts"
import { createHttpServer, type Served } from "./http/server.ts"
import { type DecoderLimits, decoderProcesses } from "./imaging/decoder.ts"
import { type Clock, steadyClock, systemClock } from "./kernel/clock.ts"
import { isLoopback } from "./kernel/ip-address.ts"
import type { Log } from "./observability/log.ts"
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
import { notFoundPage } from "./web/not-found.ts"
import { createPages } from "./web/pages.ts"
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

/** Starts the whole service: opens storage, serves the contract, delivers events. Throws CannotStart, and leaves nothing open. */
export async function createPetstore(config: Config, { log, requestLines }: Log, overrides: Overrides = {}) {
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
  const { plans, policy, photoBytes: imageBytesMax } = config
  const ports = {
    ...{ store, clock, limiter, passwords, sealing, targets, blobs, decoder, plans, policy, imageBytesMax, log },
    attempts: memoryAttempts(steady),
    random: randomBytes,
    sha256: (text: string) => hash("sha256", text),
    publicUrl: () => url,
  }
  const served: Served = {
    ...config,
    ports,
    api,
    operations: operations as unknown as Served["operations"],
    signals: memorySignals(),
    limitAddress: ipRateLimit(memoryAttempts(steady), config.unlimitedAddresses),
    connectionLimits: {
      perAddress: config.connectionsPerAddress,
      total: connectionsMax.total,
      exempt: [...config.trustedProxies, ...config.unlimitedAddresses],
      ...overrides.connectionLimits,
    },
    load: { ...processLoad(), ...overrides.load },
    pace: overrides.pace ?? {},
    hasKnownKeys: isSandbox,
    state,
    requestLines,
    notFoundPage,
  }
  const { server, router, respondNotFound, listen, close } = createHttpServer(served)
  await addOAuth(router, { ...served, ...ports, hint: isSandbox ? sandboxHint : undefined })
  addImages(router, store, blobs)
  const known = isSandbox ? { knownKeys: sandboxKeys, docsClientId } : { knownKeys: [], docsClientId: undefined }
  const { version } = manifest
  const describe = describeService(api, version, ports.publicUrl)
  const site = { api, describe, problemExample, version, publicUrl: ports.publicUrl, store, ...known }
  addPages(router, createPages(site), respondNotFound)
  await listen(config.host, config.port)
  // Read once: while the service drains it no longer listens but still responds.
  const address = addressOf(server.address(), config.host)
  url ||= address
  // Not when it is first asked for: that request would hold up all others.
  describe.whole()
  if (isSandbox) await pointDocsClientAt(store, url)
  worker.start()
  if (overrides.housekeeping !== false) opened.defer(startMaintenance({ ...config, ...ports }, [rotateSigningKeys]))
  const open = opened.move()

  /** Finishes requests in flight, aborts those that take longer than the signal allows, and closes storage. */
  async function stop(impatience: AbortSignal): Promise<void> {
    state.draining = true
    const closing = Promise.all([close(), worker.stop(impatience)])
    if (impatience.aborted) server.closeAllConnections()
    impatience.addEventListener("abort", () => server.closeAllConnections())
    await closing
    await open.disposeAsync()
  }

  return {
    /** The address clients use, and the one the service listens at. */
    url,
    address,
    version,
    /** Production's first key when this start made it, and the file it is in. */
    firstKey: firstKey === undefined ? undefined : { secret: firstKey, path: keyFile.path },
    isDraining: () => state.draining,
    stop,
    /** What tests and benches look at. */
    parts: { store, worker, limiter, blobs, signals: served.signals },
  }
}
