import type { ExternalIssuer } from "./api/authentication/external-issuer.ts"
import { openIssuer } from "./api/authentication/open-issuer.ts"
import { descriptionsOf } from "./api/descriptions/descriptions.ts"
import { NamedSandboxes } from "./api/sandbox/named.ts"
import { recorder } from "./api/sandbox/record-request.ts"
import type { Config } from "./config/config.ts"
import { api } from "./domain/api.ts"
import { sandboxMaker } from "./named-sandboxes.ts"
import { addressOf, reportIssuer } from "./observability/greeting.ts"
import type { Log } from "./observability/log.ts"
import { metricsReader } from "./observability/metrics.ts"
import { administration } from "./operator/administration.ts"
import { listenForAdmin } from "./operator/socket.ts"
import { version } from "./program.ts"
import { addMetrics } from "./server/metrics-route.ts"
import { serveMetrics } from "./server/metrics-server.ts"
import { requestLog } from "./server/writing/request-log.ts"
import { httpContextOf, openService, siteParts, storeRouter } from "./service.ts"
import { type Overrides, openShared } from "./shared.ts"
import { rotateSigningKeys } from "./site/oauth-server/signing-keys.ts"
import { disksOf } from "./storage/open.ts"
import { configuredLocation, type OpenStore, openStore } from "./store.ts"
import { createHashCheck } from "./workers/check-hashes.ts"
import { startMaintenance } from "./workers/maintenance.ts"
import { watchClock } from "./workers/watch-clock.ts"
import { type DiskWatch, openDiskWatch } from "./workers/watch-disk.ts"

type OpenPetstore = {
  /** The address clients use, and the one the service listens on. */
  url: string
  address: string
  version: string
  /** The port of the separate metrics server. */
  metricsPort: number | undefined
  /** Production's first key, if this start created it, and its file. */
  firstKey: OpenStore["firstKey"]
  isDraining(): boolean
  /** Finishes running requests, aborts them on the signal, and closes storage. */
  close(deadline: AbortSignal): Promise<void>
  /** Parts that tests and benches inspect. */
  parts: Pick<OpenStore, "worker" | "signals"> &
    Pick<OpenStore["ports"], "store" | "limiter" | "blobs"> & { disks: DiskWatch }
}

/** Starts the service. Its parts start in order and stop in reverse order. Throws CannotStart, and leaves nothing open. */
export async function createPetstore(config: Config, output: Log, overrides: Overrides = {}): Promise<OpenPetstore> {
  await using opened = new AsyncDisposableStack()
  const shared = opened.use(await openShared(config, output.log, overrides))
  const main = opened.use(await openStore(configuredLocation(shared), shared))
  const { store, clock, limiter, blobs, log } = main.ports
  const disks = opened.use(openDiskWatch({ directories: disksOf(config), log, ...overrides.disk }))
  const issuer = opened.use(await openIssuer(config.externalIssuer, shared.steady, reportIssuer(log)))
  const clockWatch = watchClock(main.ports)
  const hashCheck = createHashCheck()
  const http = httpContextOf(main, shared, overrides)
  const sampleKey = shared.profile.knownKeys[0]?.secret
  const describe = (publicUrl: () => string) => descriptionsOf({ api, version, publicUrl, sampleKey }, config.hasV2)
  const sandboxes = new NamedSandboxes(opened.use(sandboxMaker(main, shared, http, describe)))
  const routed = storeRouter(main, shared, http, { house: sandboxes.house(), externalIssuer: issuer })
  const service = await openService({
    http,
    sandboxes,
    store: routed,
    mount: { prefix: "", logged: "", ...recorder(main.sandbox?.journal, http.publicUrl) },
    tracer: shared.tracer,
    hasKnownKeys: shared.profile.hasKnownKeys,
    needsCredential: config.anonymousKey === undefined,
    log: requestLog(output.requestLines, config.logging.address),
    refusesWrites: () => store.refusesWrites?.() ?? disks.refusal(),
    degraded: () => [...main.degraded(), ...awayParts(issuer, clockWatch)],
    metrics: [main, shared, disks, hashCheck, ...(issuer ? [issuer.keys] : [])].flatMap(({ metrics }) => metrics),
    site: await siteParts(main, shared, describe(http.publicUrl), issuer),
  })
  const readMetrics = metricsReader(service.metrics, version, shared.steady)
  if (shared.profile.isSandbox) addMetrics(service.router, readMetrics)
  const metricsServer = opened.use(await serveMetrics(config.host, config.metricsPort, readMetrics))
  const servingSince = clock.now()
  const address = addressOf(await service.listen(config.host, config.port), config.host)
  shared.address.publicUrl ||= address
  await shared.profile.moveTo(store, http.publicUrl())
  main.worker.start()
  await disks.inspect()
  const url = http.publicUrl()
  const kept = { store, clock, sealing: main.sealing, blobs, log, hashCheck }
  const administer = administration({ ...kept, url, address, reset: routed.api.reset })
  opened.defer(await listenForAdmin(config.dataDir, administer, log))
  const rounds = { ...kept, retention: config.retention, clockWatch, servingSince, holder: main.membership.id }
  if (overrides.housekeeping !== false) opened.defer(startMaintenance(rounds, [rotateSigningKeys]))
  const open = opened.move()

  return {
    url,
    address,
    version,
    metricsPort: metricsServer?.port,
    firstKey: main.firstKey,
    isDraining: http.isDraining,
    async close(deadline) {
      await Promise.all([service.close(deadline), main.worker.drain(deadline)])
      await open.disposeAsync()
    },
    parts: { store, worker: main.worker, limiter, blobs, signals: main.signals, disks },
  }
}

/** Unavailable parts without which the service continues, as words for operators. */
const awayParts = (issuer: ExternalIssuer | undefined, clockWatch: { isDoubted(): boolean }): string[] => [
  ...(issuer?.keys.isAway() ? ["issuer"] : []),
  ...(clockWatch.isDoubted() ? ["retention"] : []),
]
