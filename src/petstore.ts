import { openIssuer } from "./api/authentication/open-issuer.ts"
import { openapiDocuments } from "./api/openapi/descriptions.ts"
import { NamedSandboxes } from "./api/sandbox/named.ts"
import type { Config } from "./config/config.ts"
import { api } from "./domain/api.ts"
import { sandboxMaker } from "./named-sandboxes.ts"
import { addressOf, reportIssuer } from "./observability/greeting.ts"
import type { Log } from "./observability/log.ts"
import { memoryLimit } from "./observability/memory-limit.ts"
import { metricsReader } from "./observability/metrics.ts"
import { administration } from "./operator/administration.ts"
import { listenForAdmin } from "./operator/socket.ts"
import { version } from "./program.ts"
import { addMetrics } from "./server/metrics-route.ts"
import { serveMetrics } from "./server/metrics-server.ts"
import { createServing, type ServingOverrides } from "./server/serving.ts"
import { openService } from "./service.ts"
import { rotateSigningKeys } from "./site/oauth-server/signing-keys.ts"
import { notFoundPage } from "./site/pages/problem-pages.ts"
import { readLastBackup } from "./storage/disk/last-backup.ts"
import { findImageOrigin } from "./storage/image-origin.ts"
import { disksOf } from "./storage/open.ts"
import { configuredLocation, type OpenStore, type Overrides, openShared, openStore, routeStore } from "./store.ts"
import { createHashCheck } from "./workers/check-hashes.ts"
import { startMaintenance } from "./workers/maintenance.ts"
import { watchClock } from "./workers/watch-clock.ts"
import { watchDisk } from "./workers/watch-disk.ts"

/** Starts the service. Its parts start in order and stop in reverse order. Throws CannotStart, and leaves nothing open. */
export async function createPetstore(config: Config, output: Log, overrides: Overrides = {}) {
  await using opened = new AsyncDisposableStack()
  const shared = opened.use(await openShared(config, output.log, overrides))
  const main = opened.use(await openStore(configuredLocation(shared), shared))
  const { store, clock, limiter, blobs, log } = main.ports
  const disks = opened.use(watchDisk({ directories: disksOf(config), log, ...overrides.disk }))
  const issuer = opened.use(await openIssuer(config.externalIssuer, shared.steady, reportIssuer(log)))
  const clockWatch = watchClock(main.ports)
  const hashCheck = createHashCheck()
  const serving = servingOf(main, config, overrides)
  const routed = routeStore(main, shared, serving, issuer)
  const describe = openapiDocuments(api, version, config.hasV2, serving.publicUrl)
  const sandboxes = new NamedSandboxes(opened.use(sandboxMaker(main, shared, serving, describe)))
  const service = await openService({
    ...{ serving, sandboxes, store: routed, tracer: shared.tracer },
    ...{ hasKnownKeys: shared.profile.hasKnownKeys, needsCredential: config.anonymousKey === undefined },
    ...{ logging: config.logging, requestLines: output.requestLines, journal: main.sandbox?.journal },
    refusesWrites: () => store.refusesWrites?.() ?? disks.refusal(),
    degraded: () => unavailableParts(main, issuer?.keys.isAway(), clockWatch.isDoubted()),
    metrics: [main, shared, disks, hashCheck, ...(issuer ? [issuer.keys] : [])].flatMap(({ metrics }) => metrics),
    site: {
      ...{ api, describe, samples: shared.profile, hasPublicStore: config.hasPublicStore },
      ...{ sealing: main.sealing, signals: main.signals, externalIssuer: issuer },
      about: await describeBuild(config, main),
    },
  })
  const readMetrics = metricsReader(service.metrics, version, shared.steady)
  if (shared.profile.isSandbox) addMetrics(service.router, readMetrics)
  const metricsServer = opened.use(await serveMetrics(config.host, config.metricsPort, readMetrics))
  const servingSince = clock.now()
  const address = addressOf(await service.listen(config.host, config.port), config.host)
  shared.address.publicUrl ||= address
  await shared.profile.moveTo(store, serving.publicUrl())
  main.worker.start()
  await disks.inspect()
  const url = serving.publicUrl()
  const kept = { store, clock, sealing: main.sealing, blobs, log, hashCheck }
  const administer = administration({ ...kept, url, address, reset: routed.resetAlone })
  opened.defer(await listenForAdmin(config.dataDir, administer, log))
  const rounds = { ...kept, retention: config.retention, clockWatch, servingSince, holder: main.membership.id }
  if (overrides.housekeeping !== false) opened.defer(startMaintenance(rounds, [rotateSigningKeys]))
  const open = opened.move()

  return {
    /** The address clients use, and the one the service listens on. */
    ...{ url, address, version, isDraining: serving.isDraining },
    /** Finishes running requests, aborts them on the signal, and closes storage. */
    async stop(impatience: AbortSignal): Promise<void> {
      await Promise.all([service.close(impatience), main.worker.stop(impatience)])
      await open.disposeAsync()
    },
    /** The port of the separate metrics server. */
    metricsPort: metricsServer?.port,
    /** Production's first key, if this start created it, and its file. */
    firstKey: main.firstKey,
    /** Parts that tests and benches inspect. */
    parts: { store, worker: main.worker, limiter, blobs, signals: main.signals, disks },
  }
}

/** The parts without which the service continues, as words for operators. */
function unavailableParts(main: OpenStore, isIssuerAway: boolean | undefined, isClockDoubted: boolean): string[] {
  const states: Record<string, boolean | undefined> = {
    redis: main.counters.isAway(),
    images: main.images.isAway(),
    issuer: isIssuerAway,
    retention: isClockDoubted,
  }
  return [...(main.ports.store.degraded?.() ?? []), ...Object.keys(states).filter((name) => states[name])]
}

/** The parts shared by the main store and the named sandboxes. */
function servingOf({ ports, counters }: OpenStore, config: Config, overrides: ServingOverrides) {
  const { clock, log, publicUrl } = ports
  const { connectionsPerAddress, trustedProxies, unlimitedAddresses, hasV2 } = config
  const limits = { connectionsPerAddress, trustedProxies, unlimitedAddresses, memoryBytes: memoryLimit(), overrides }
  const attempts = counters.attempts("addresses")
  return createServing({ clock, log, publicUrl, notFoundPage, attempts, hasV2, ...limits })
}

/** Facts about this build that pages show. */
const describeBuild = async ({ dataDir }: Config, { ports }: OpenStore) => ({
  version,
  imageOrigin: await findImageOrigin(ports.blobs),
  runsOn: { "Node.js": process.version.slice(1), Database: ports.store.product },
  lastBackup: () => readLastBackup(dataDir),
})
