import manifest from "../package.json" with { type: "json" }
import { argon2Passwords } from "./argon2/passwords.ts"
import { bindBlobs } from "./blob-binding.ts"
import { readConfig } from "./config.ts"
import { api } from "./domain/api.ts"
import { operations } from "./domain/operations.ts"
import { StoreUnavailable } from "./domain/store.ts"
import { fillSandbox, makeFirstKey } from "./first-start.ts"
import { decoderProcesses } from "./imaging/decoder.ts"
import { isLoopback } from "./kernel/address.ts"
import { CannotStart } from "./kernel/cannot-start.ts"
import { steadyClock, systemClock } from "./kernel/clock.ts"
import { docsClientId, pointDocsClientAt, sandboxHint } from "./sandbox/clients.ts"
import { sandboxKeys } from "./sandbox/keys.ts"
import { openSealing } from "./secret-key.ts"
import { addressLimit } from "./server/address-limit.ts"
import { connectionsMax } from "./server/connections.ts"
import { allowedIn } from "./server/delivery/address-guard.ts"
import { delivery } from "./server/delivery/start.ts"
import { drainWhenAsked } from "./server/drain.ts"
import { addressOf, firstKey, warnOfExposure, welcome } from "./server/greeting.ts"
import { answerHealth } from "./server/health.ts"
import { keepHouse } from "./server/housekeeping.ts"
import { serveImages } from "./server/images.ts"
import { openLog } from "./server/log.ts"
import { serveOAuth } from "./server/oauth/mount.ts"
import { processLoad } from "./server/overload.ts"
import { servePages } from "./server/pages/pages.ts"
import { type Served, serve } from "./server/serve.ts"
import { openDiskBlobs } from "./storage/disk/blobs.ts"
import { tightenData } from "./storage/disk/data-directory.ts"
import { firstKeyFile } from "./storage/disk/first-key-file.ts"
import { memoryAttempts } from "./storage/memory/attempts.ts"
import { memoryLimiter } from "./storage/memory/limiter.ts"
import { memorySignals } from "./storage/memory/signals.ts"
import { openSqlite } from "./storage/sqlite/open.ts"

let opened: { close(): Promise<void> } | undefined

async function start(): Promise<void> {
  // What is made from here on, decoders' files and SQLite's included, is for this user alone.
  process.umask(0o077)
  const config = readConfig(process.env)
  const log = openLog()
  const clock = systemClock
  const open = tightenData(config)
  const database = openSqlite(config.databaseFile)
  opened = database
  if (open.length > 0) log.warn({ paths: open }, "others on this machine may look into these")
  const sealing = await openSealing(database, config)
  const isSandbox = config.profile === "sandbox"
  const allowed = allowedIn(isSandbox, isLoopback(config.host), config.webhookAllow)
  const deliveries = delivery({ store: database, clock, sealing, log, allowed })
  const { store } = deliveries
  const passwords = argon2Passwords()
  const blobs = await openDiskBlobs(config.imageDirectory)
  await bindBlobs(store, blobs, config.imageDirectory)
  const decoder = decoderProcesses()
  if (isSandbox) await fillSandbox(store, clock, passwords, blobs)
  else {
    const { path, keep } = firstKeyFile(config.dataDir)
    process.stdout.write(firstKey(await makeFirstKey(store, clock, keep), path, process.stdout.isTTY))
  }

  const limiter = await memoryLimiter(store, steadyClock, (error) => log.error({ err: error }, "counts not stored yet"))

  let url = config.publicUrl ?? ""
  const served: Served = {
    api,
    operations: operations as unknown as Served["operations"],
    store,
    signals: memorySignals(),
    sealing,
    targets: deliveries.targets,
    limiter,
    plans: config.plans,
    policy: config.policy,
    retention: config.retention,
    externalIssuer: config.externalIssuer,
    passwords,
    attempts: memoryAttempts(steadyClock),
    byAddress: addressLimit(memoryAttempts(steadyClock), config.unlimitedAddresses),
    trustedProxies: config.trustedProxies,
    connectionLimits: {
      perAddress: config.connectionsPerAddress,
      total: connectionsMax.total,
      exempt: [...config.trustedProxies, ...config.unlimitedAddresses],
    },
    load: processLoad(),
    hasKnownKeys: isSandbox,
    lab: { blobs, decoder, quotaBytes: config.photoBytes },
    clock,
    log,
    publicUrl: () => url,
  }
  const { app, requireCapacity } = serve(served)
  const state = { draining: false }
  answerHealth(app, { store, requireCapacity, state })
  const stopKeepingHouse = keepHouse({ ...served, sealing })
  drainWhenAsked(app, {
    log,
    drainTimeoutMs: config.drainTimeoutMs,
    state,
    finish: deliveries.worker.stop,
    async close() {
      await stopKeepingHouse()
      decoder[Symbol.dispose]()
      await limiter.close()
      await database.close()
    },
  })
  const known = { knownKeys: isSandbox ? sandboxKeys : [], docsClientId: isSandbox ? docsClientId : undefined }
  await serveOAuth(app, { ...served, hint: isSandbox ? sandboxHint : undefined })
  serveImages(app, store, blobs)
  servePages(app, { api, version: manifest.version, publicUrl: served.publicUrl, store, ...known })
  await app.listen({ host: config.host, port: config.port })
  deliveries.start()

  // Once and for all: while the service drains it listens no more and still answers.
  const address = addressOf(app.server.address(), config.host)
  url ||= address
  if (isSandbox) await pointDocsClientAt(store, url)
  if (isSandbox) process.stdout.write(welcome(url, config.databaseFile))
  if (isSandbox && !isLoopback(config.host)) warnOfExposure(config.host, log)
  log.info({ url, address, version: manifest.version, profile: config.profile }, "listening")
}

start().catch(async (error: NodeJS.ErrnoException) => {
  const isKnown = error instanceof CannotStart || error instanceof StoreUnavailable || error.syscall !== undefined
  const advice = error.code === "EADDRINUSE" ? ". Set PETSTORE_PORT to another port." : ""
  // Nothing of it is left in a write-ahead log, which another file of this name would be given.
  await opened?.close()
  process.stderr.write(`petstore: ${isKnown ? error.message + advice : error.stack}\n`)
  process.exit(1)
})
