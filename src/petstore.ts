import { hash, randomBytes } from "node:crypto"
import type { Config } from "./config/config.ts"
import { argon2Passwords } from "./crypto/argon2.ts"
import { openSealing } from "./crypto/sealing-key.ts"
import { api } from "./domain/api.ts"
import { operations } from "./domain/operations.ts"
import { openIssuer } from "./http/authentication/open-issuer.ts"
import { addImages } from "./http/images/images.ts"
import { addOAuth } from "./http/oauth/mount.ts"
import { rotateSigningKeys } from "./http/oauth/signing-keys.ts"
import { describeService } from "./http/openapi/descriptions.ts"
import { problemExample } from "./http/openapi/problem-example.ts"
import { connectionsMax } from "./http/rate-limiting/connection-limit.ts"
import { ipRateLimit } from "./http/rate-limiting/ip-rate-limit.ts"
import { processLoad } from "./http/rate-limiting/load-shedding.ts"
import { unreadBudgetsFor } from "./http/rate-limiting/unread-budgets.ts"
import { addMetrics } from "./http/server/metrics-route.ts"
import { serveMetrics } from "./http/server/metrics-server.ts"
import { createHttpServer, type Served } from "./http/server/server.ts"
import { addConsole } from "./http/site/mount.ts"
import { addPages } from "./http/site/pages.ts"
import { addEntrance, addStore } from "./http/site/store.ts"
import { decoderProcesses } from "./imaging/decoder.ts"
import { decodersWithin } from "./imaging/decoder-memory.ts"
import { steadyClock, systemClock } from "./kernel/clock.ts"
import { isLoopback } from "./kernel/network/ip-address.ts"
import { namedSandboxes } from "./named-sandboxes.ts"
import { addressOf, reportIssuer, reportRedis, reportStorage } from "./observability/greeting.ts"
import type { Log } from "./observability/log.ts"
import { memoryLimit } from "./observability/memory-limit.ts"
import { metricsReader } from "./observability/metrics.ts"
import { oncePerCause } from "./observability/once-per-cause.ts"
import { openTracing, traceDecoding, traceTransactions } from "./observability/tracing.ts"
import { administration } from "./operator/administration.ts"
import { listenForAdmin } from "./operator/socket.ts"
import type { Overrides } from "./overrides.ts"
import { moveSandboxTo } from "./sandbox/address.ts"
import { docsClientId, sandboxHint } from "./sandbox/clients.ts"
import { fillSandbox, makeFirstKey } from "./sandbox/first-start.ts"
import { sandboxKeys } from "./sandbox/keys.ts"
import { sandboxReset } from "./sandbox/reset.ts"
import { sandboxSeeds } from "./sandbox/seeds.ts"
import { sampleHashes, sampleStaff } from "./sandbox/users.ts"
import { bindBlobs } from "./storage/blob-binding.ts"
import { firstKeyFile } from "./storage/disk/first-key-file.ts"
import { readLastBackup } from "./storage/disk/last-backup.ts"
import { findImageOrigin } from "./storage/image-origin.ts"
import { disksOf, openBlobs, openCounters, openDatabase } from "./storage/open.ts"
import { version } from "./version.ts"
import { createPages } from "./web/pages.ts"
import { notFoundPage } from "./web/problem-pages.ts"
import { allowAddresses } from "./workers/delivery/sending/address-guard.ts"
import { createDelivery } from "./workers/delivery/worker.ts"
import { startMaintenance } from "./workers/maintenance.ts"
import { joinReplicas } from "./workers/replicas.ts"
import { watchClock } from "./workers/watch-clock.ts"
import { watchDisk } from "./workers/watch-disk.ts"

/** Starts the whole service: opens storage, serves the contract, delivers events. Throws CannotStart, and leaves nothing open. */
export async function createPetstore(config: Config, { log: written, requestLines }: Log, overrides: Overrides = {}) {
  const { clock = systemClock, steady = steadyClock } = overrides
  const log = oncePerCause(written, steady)
  const isSandbox = config.profile === "sandbox"
  await using opened = new AsyncDisposableStack()

  const { traceEndpoint: endpoint } = config
  const tracer = endpoint === undefined ? undefined : opened.use(await openTracing({ endpoint, version, log }))
  const { store: database, exposed } = await openDatabase(config, reportStorage(log))
  opened.defer(database.close)
  const store = tracer ? traceTransactions(database, tracer) : database
  const membership = await joinReplicas(store, log, { isAlone: config.redisUrl === undefined, ...overrides.replicas })
  opened.defer(membership.stop)
  if (exposed.length > 0) log.warn({ paths: exposed }, "others on this machine may look into these")
  const sealing = await openSealing(store, config, clock)
  const allowed = allowAddresses(isSandbox, isLoopback(config.host), config.webhookAllow)
  const delivery = { clock, log, allowed, tracer, ...overrides.delivery }
  const { targets, worker } = createDelivery({ store, sealing, ...delivery })
  const passwords = argon2Passwords(overrides.hashing)
  const { blobs, name } = await openBlobs(config)
  await bindBlobs(store, blobs, name)
  const imageOrigin = await findImageOrigin(blobs)
  const disks = opened.use(watchDisk({ directories: disksOf(config), log, ...overrides.disk }))
  const processes = opened.use(decoderProcesses({ ...decodersWithin(memoryLimit()), ...overrides.decoding }))
  const decoder = tracer ? traceDecoding(processes, tracer) : processes
  const keyFile = firstKeyFile(config.dataDir)
  const hashes = sampleHashes(passwords)
  const seeds = sandboxSeeds({ store, clock, blobs, hashes })
  if (isSandbox) await fillSandbox(store, seeds, config.publicUrl ?? "")
  const firstKey = isSandbox ? undefined : await makeFirstKey(store, clock, keyFile.keep)
  const report = (error: unknown) => log.error({ err: error }, "counts not stored yet")
  const tell = reportRedis(log)
  const counters = await openCounters(config, store, { clock: steady, report, tell, liveReplicas: membership.live })
  opened.defer(counters.close)
  const { limiter, signals, attempts } = counters
  const externalIssuer = config.externalIssuer && (await openIssuer(config.externalIssuer, steady, reportIssuer(log)))
  if (externalIssuer) opened.use(externalIssuer.keys)

  const clockWatch = watchClock({ store, clock, log })
  let url = config.publicUrl ?? ""
  const state = { draining: false }
  const { plans, policy, photoBytes: imageBytesMax } = config
  const ports = {
    ...{ store, clock, limiter, passwords, sealing, targets, blobs, decoder, plans, policy, imageBytesMax, log },
    attempts: attempts("people"),
    knownKeys: new Set(isSandbox ? sandboxKeys.map(({ secret }) => hash("sha256", secret)) : []),
    random: randomBytes,
    sha256: (text: string) => hash("sha256", text),
    publicUrl: () => url,
  }
  const describe = describeService(api, version, ports.publicUrl)
  const offered = {
    api,
    operations: operations as unknown as Served["operations"],
    steady,
    streamPace: overrides.streams,
  }
  const named = namedSandboxes({ config, ports, offered, hashes, describe, delivery })
  opened.defer(named.close)
  const served: Served = {
    ...config,
    ...offered,
    ports,
    signals,
    externalIssuer,
    degraded: () => [
      ...(counters.isAway() ? ["redis"] : []),
      ...(externalIssuer?.keys.isAway() ? ["issuer"] : []),
      ...(store.degraded?.() ?? []),
      ...(clockWatch.isDoubted() ? ["retention"] : []),
    ],
    limitAddress: ipRateLimit(attempts("addresses"), config.unlimitedAddresses),
    connectionLimits: {
      perAddress: config.connectionsPerAddress,
      total: connectionsMax.total,
      exempt: [...config.trustedProxies, ...config.unlimitedAddresses],
      ...overrides.connectionLimits,
    },
    unreadBudgets: { ...unreadBudgetsFor(memoryLimit()), ...overrides.unreadBudgets },
    load: { ...processLoad(), ...overrides.load },
    pace: overrides.pace ?? {},
    hasKnownKeys: isSandbox,
    reset: isSandbox ? sandboxReset({ ...ports, seeds, signals, counters, worker }) : undefined,
    tracer,
    refusesWrites: () => store.refusesWrites?.() ?? disks.refusal(),
    state,
    requestLines,
    notFoundPage,
    sandboxes: isSandbox ? (store.isShared ? "they need SQLite" : named) : "production has none",
    sandboxBounds: overrides.sandboxes,
  }
  const { server, router, respondNotFound, streams, operate, resetAlone, metrics, operating, listen, close } =
    createHttpServer(served)
  const parts = [store, membership, counters, passwords, decoder, worker, disks, externalIssuer?.keys, { metrics }]
  const measured = parts.flatMap((part) => part?.metrics ?? [])
  const readMetrics = metricsReader(measured, version, steady)
  if (isSandbox) addMetrics(router, readMetrics)
  const { host, metricsPort } = config
  const metricsServer =
    metricsPort === undefined
      ? undefined
      : opened.use(await serveMetrics({ host, port: metricsPort, read: readMetrics }))
  const hint = isSandbox ? sandboxHint : undefined
  await addOAuth(router, { ...served, ...ports, hint, sampleStaff: isSandbox ? sampleStaff : undefined })
  const runsOn = { "Node.js": process.version.slice(1), Database: store.product }
  const about = { version, imageOrigin, runsOn, metrics: measured, lastBackup: () => readLastBackup(config.dataDir) }
  addConsole(router, { ...served, operating, about, hint })
  addImages(router, store, blobs)
  const known = isSandbox ? { knownKeys: sandboxKeys, docsClientId } : { knownKeys: [], docsClientId: undefined }
  const site = { api, describe, problemExample, version, publicUrl: ports.publicUrl, ...known }
  addPages(router, createPages(site), respondNotFound)
  const knownKey = known.knownKeys[0]?.secret
  if (config.hasPublicStore)
    addStore(router, {
      shop: { ...site, imageOrigin },
      operate,
      store,
      streams,
      knownKey,
      respondNotFound,
    })
  else addEntrance(router)
  const servingSince = clock.now()
  await listen(config.host, config.port)
  // Read once: while the service drains it no longer listens but still responds.
  const address = addressOf(server.address(), config.host)
  url ||= address
  // Not when it is first asked for: that request would hold up all others.
  describe.whole()
  if (isSandbox) await moveSandboxTo(store, url)
  worker.start()
  await disks.look()
  const administer = administration({ store, clock, sealing, blobs, reset: resetAlone, url, address, log })
  opened.defer(await listenForAdmin(config.dataDir, administer, log))
  const compactStore = () => store.compact()
  if (overrides.housekeeping !== false)
    opened.defer(
      startMaintenance(
        { ...config, ...ports, clockWatch, holder: membership.id, servingSince },
        { byAge: [rotateSigningKeys], others: [compactStore] },
      ),
    )
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
    /** Where metrics are by themselves. */
    metricsPort: metricsServer?.port,
    version,
    /** Production's first key when this start made it, and the file it is in. */
    firstKey: firstKey === undefined ? undefined : { secret: firstKey, path: keyFile.path },
    isDraining: () => state.draining,
    stop,
    /** What tests and benches look at. */
    parts: { store, worker, limiter, blobs, signals, disks },
  }
}
