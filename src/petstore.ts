import type { ExternalIssuer } from "./core/api/authentication/external-issuer.ts"
import type { Overrides } from "./core/assembly/overrides.ts"
import type { Greeting, OpenStore, Part } from "./core/assembly/part.ts"
import { httpContextOf, openService, serveParts } from "./core/assembly/service.ts"
import { settle } from "./core/assembly/settle.ts"
import { openShared } from "./core/assembly/shared.ts"
import { configuredLocation, openStore } from "./core/assembly/store.ts"
import { untilRowsAreFree } from "./core/assembly/until-rows-are-free.ts"
import type { Config } from "./core/config/config.ts"
import { addressOf } from "./core/observability/greeting.ts"
import type { Log } from "./core/observability/log.ts"
import { metricsReader } from "./core/observability/metrics.ts"
import type { Router } from "./core/server/exchange/router.ts"
import { addMetrics } from "./core/server/metrics-route.ts"
import { serveMetrics } from "./core/server/metrics-server.ts"
import { requestLog } from "./core/server/writing/request-log.ts"
import { disksOf } from "./core/storage/open.ts"
import { createHashCheck } from "./core/workers/check-hashes.ts"
import { startMaintenance } from "./core/workers/maintenance.ts"
import { watchClock } from "./core/workers/watch-clock.ts"
import { type DiskWatch, openDiskWatch } from "./core/workers/watch-disk.ts"
import { partsOf } from "./parts.ts"
import { version } from "./program.ts"

type OpenPetstore = {
  /** The address clients use, and the one the service listens on. */
  url: string
  address: string
  version: string
  /** The port of the separate metrics server. */
  metricsPort: number | undefined
  /** Production's first key, if this start created it, and its file. */
  firstKey: OpenStore["firstKey"]
  greetings: readonly Greeting[]
  isDraining(): boolean
  /** Loads modules that the service does not start with, so that no request waits for them. Never rejects. */
  settle(): Promise<void>
  /** Finishes running requests, aborts them on the signal, and closes storage. */
  close(deadline: AbortSignal): Promise<void>
  /** Parts that tests and benches inspect. */
  parts: Pick<OpenStore, "worker" | "signals"> &
    Pick<OpenStore["ports"], "store" | "limiter" | "blobs"> & { disks: DiskWatch; router: Router }
}

/** Starts the service. Its parts start in order and stop in reverse order. Throws CannotStart, and leaves nothing open. */
export async function createPetstore(
  config: Config,
  output: Log,
  overrides: Overrides = {},
  parts: readonly Part[] = partsOf(config.profile),
): Promise<OpenPetstore> {
  await using opened = new AsyncDisposableStack()
  const shared = opened.use(await openShared(config, output.log, overrides, parts))
  const main = opened.use(await openStore(configuredLocation(shared), shared))
  const { store, clock, limiter, blobs, log } = main.ports
  const disks = opened.use(openDiskWatch(disksOf(config), log, overrides.disk?.inspect))
  const issuer = shared.externalIssuer
  const clockWatch = watchClock(store, clock, log)
  const hashCheck = createHashCheck()
  const http = httpContextOf(main, shared)
  const mainStore = { shared, opened: main, http, hashCheck }
  const served = await serveParts(opened, mainStore)
  const service = await openService(mainStore, served, requestLog(output.requestLines, config.logging.address), {
    refusesWrites: () => store.refusesWrites?.() ?? disks.refusal(),
    degraded: () => [...main.degraded(), ...awayParts(issuer, clockWatch)],
    metrics: [main, shared, disks, hashCheck, ...served, ...(issuer ? [issuer.keys] : [])].flatMap(
      ({ metrics = [] }) => metrics,
    ),
  })
  const readMetrics = metricsReader(service.metrics, version, shared.steady)
  if (config.profile !== "production") addMetrics(service.router, readMetrics)
  const metricsServer = opened.use(await serveMetrics(config.host, config.metricsPort, readMetrics))
  const servingSince = clock.now()
  let address = ""
  await service.listen(config.host, config.port, async (listening) => {
    address = addressOf(listening, config.host)
    shared.address.publicUrl ||= address
    for (const part of main.parts) await untilRowsAreFree(async () => part.moveTo?.(http.publicUrl()))
  })
  main.worker.start()
  await disks.inspect()
  const url = http.publicUrl()
  const running = { url, address, reset: served.find((part) => part.reset)?.reset }
  for (const part of served) if (part.listening) opened.defer(await part.listening(running))
  const kept = { ...main.ports, retention: config.retention }
  const process = { holder: main.membership.id, servingSince }
  const chores = served.flatMap((part) => part.chores ?? [])
  if (overrides.housekeeping !== false) opened.defer(startMaintenance(kept, process, chores, clockWatch, hashCheck))
  const open = opened.move()

  return {
    url,
    address,
    version,
    metricsPort: metricsServer?.port,
    firstKey: main.firstKey,
    greetings: served.flatMap((part) => part.greet?.(url) ?? []),
    isDraining: http.isDraining,
    settle: () => settle(parts, http.isDraining),
    async close(deadline) {
      await Promise.all([service.close(deadline), main.worker.drain(deadline)])
      await open.disposeAsync()
    },
    parts: { store, worker: main.worker, limiter, blobs, signals: main.signals, disks, router: service.router },
  }
}

/** Unavailable parts without which the service continues, as words for operators. */
const awayParts = (issuer: ExternalIssuer | undefined, clockWatch: { isDoubted(): boolean }): string[] => [
  ...(issuer?.keys.isAway() ? ["issuer"] : []),
  ...(clockWatch.isDoubted() ? ["retention"] : []),
]
