import { mkdtempSync, rmSync } from "node:fs"
import type { AddressInfo } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import pino from "pino"
import manifest from "../../package.json" with { type: "json" }
import { argon2Passwords } from "../../src/argon2/passwords.ts"
import { bindBlobs } from "../../src/blob-binding.ts"
import { type ClientOptions, client } from "../../src/client/client.ts"
import { readConfig } from "../../src/config.ts"
import { api } from "../../src/domain/api.ts"
import { operations } from "../../src/domain/operations.ts"
import { fillSandbox } from "../../src/first-start.ts"
import { type DecoderLimits, decoderProcesses } from "../../src/imaging/decoder.ts"
import type { Clock } from "../../src/kernel/clock.ts"
import { docsClientId, pointDocsClientAt, sandboxHint } from "../../src/sandbox/clients.ts"
import { sandboxKeys } from "../../src/sandbox/keys.ts"
import { openSealing } from "../../src/secret-key.ts"
import { addressLimit } from "../../src/server/address-limit.ts"
import { type ConnectionLimits, connectionsMax } from "../../src/server/connections.ts"
import { allowedIn } from "../../src/server/delivery/address-guard.ts"
import { type DeliveryOptions, delivery } from "../../src/server/delivery/start.ts"
import { answerHealth } from "../../src/server/health.ts"
import { serveImages } from "../../src/server/images.ts"
import { serveOAuth } from "../../src/server/oauth/mount.ts"
import type { Load } from "../../src/server/overload.ts"
import { servePages } from "../../src/server/pages/pages.ts"
import { type Served, serve } from "../../src/server/serve.ts"
import type { BodyPace } from "../../src/server/slow-bodies.ts"
import { openDiskBlobs } from "../../src/storage/disk/blobs.ts"
import { memoryAttempts } from "../../src/storage/memory/attempts.ts"
import { memoryLimiter } from "../../src/storage/memory/limiter.ts"
import { memorySignals } from "../../src/storage/memory/signals.ts"
import { openSqlite } from "../../src/storage/sqlite/open.ts"

/** A clock that moves only when it is told to. */
export type ManualClock = Clock & {
  advance(ms: number): void
  /** Sets the wall clock forward or back; `steady` does not notice. */
  jump(ms: number): void
  readonly steady: Clock
}

export function manualClock(start = Date.UTC(2026, 0, 1)): ManualClock {
  let time = start
  let jumped = 0
  return {
    now: () => time + jumped,
    advance: (ms) => {
      time += ms
    },
    jump: (ms) => {
      jumped += ms
    },
    steady: { now: () => time },
  }
}

/** A directory that is gone when its owner is disposed. */
export function temporaryDirectory(): { path: string } & Disposable {
  const path = mkdtempSync(join(tmpdir(), "petstore-"))
  return { path, [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true }) }
}

/** Hashing that costs next to nothing, for users whose passwords everybody knows. */
const cheap = { memoryCost: 8, timeCost: 1, parallelism: 1 }

type StartOptions = {
  /** Settings, as in the environment. */
  env?: Record<string, string>
  /** What differs from a service that has nothing to do. */
  load?: Partial<Load>
  connectionLimits?: Partial<ConnectionLimits>
  /** What differs in how events are delivered. */
  delivery?: Partial<DeliveryOptions>
  decoding?: Partial<DecoderLimits>
  /** What differs in how fast bodies must come in. */
  pace?: Partial<BodyPace>
}

/** The whole service in this process on a free port, with the sandbox's data, its own clock, and every log line kept. */
export async function startPetstore({
  env = {},
  load = {},
  connectionLimits = {},
  delivery: deliveryOptions = {},
  decoding = {},
  pace = {},
}: StartOptions = {}) {
  const directory = temporaryDirectory()
  const config = readConfig({ PETSTORE_DATA_DIR: directory.path, ...env })
  const blobs = await openDiskBlobs(config.imageDirectory)
  const decoder = decoderProcesses(decoding)
  const clock = manualClock()
  const lines: string[] = []
  const log = pino({ base: null }, { write: (line: string) => void lines.push(line) })
  const database = openSqlite(config.databaseFile)
  const sealing = await openSealing(database, { secretKey: undefined, dataDir: directory.path })
  const { store, targets, worker, start } = delivery({
    store: database,
    clock,
    sealing,
    log,
    allowed: allowedIn(true, true, []),
    timeouts: { connectMs: 1000, attemptMs: 1000 },
    ...deliveryOptions,
  })
  const passwords = argon2Passwords(cheap)
  await bindBlobs(store, blobs, config.imageDirectory)
  await fillSandbox(store, clock, passwords, blobs)

  const limiter = await memoryLimiter(store, clock.steady, (error) => lines.push(String(error)))

  let url = config.publicUrl ?? ""
  const served = {
    api,
    operations: operations as unknown as Served["operations"],
    store,
    signals: memorySignals(),
    sealing,
    targets,
    limiter,
    plans: config.plans,
    policy: config.policy,
    retention: config.retention,
    lab: { blobs, decoder, quotaBytes: config.photoBytes },
    externalIssuer: config.externalIssuer,
    passwords,
    attempts: memoryAttempts(clock.steady),
    byAddress: addressLimit(memoryAttempts(clock.steady), config.unlimitedAddresses),
    trustedProxies: config.trustedProxies,
    connectionLimits: {
      perAddress: config.connectionsPerAddress,
      total: connectionsMax.total,
      exempt: [...config.trustedProxies, ...config.unlimitedAddresses],
      ...connectionLimits,
    },
    hasKnownKeys: config.profile === "sandbox",
    load: { requestsMax: 2_000, loopDelayMaxMs: 1_000, loopDelayMs: () => 0, ...load },
    pace,
    clock,
    log,
    publicUrl: () => url,
  }
  const { app, requireCapacity } = serve(served)
  answerHealth(app, { store, requireCapacity, state: { draining: false } })
  serveImages(app, store, blobs)
  servePages(app, {
    api,
    version: manifest.version,
    publicUrl: served.publicUrl,
    store,
    knownKeys: sandboxKeys,
    docsClientId,
  })
  await serveOAuth(app, { ...served, hint: sandboxHint })
  await app.listen({ host: "127.0.0.1", port: 0 })
  const address = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`
  url ||= address
  await pointDocsClientAt(store, url)

  start()

  return {
    url: address,
    clock,
    store,
    worker,
    limiter,
    blobs,
    databaseFile: config.databaseFile,
    imageDirectory: config.imageDirectory,
    retention: config.retention,
    signals: served.signals,
    lines,
    as: (key: string, options: Partial<ClientOptions> = {}) =>
      client(api, { url: address, headers: { api_key: key }, ...options }),
    async [Symbol.asyncDispose]() {
      await app.close()
      await worker.stop(AbortSignal.abort())
      await limiter.close()
      decoder[Symbol.dispose]()
      await database.close()
      directory[Symbol.dispose]()
    },
  }
}

/** Asserts with `assert.rejects` that a call is refused with this problem code. */
export const refusedAs = (code: string) => (error: unknown) =>
  (error as { problem?: { code: string } }).problem?.code === code
