import { randomBytes, randomUUID } from "node:crypto"
import { cpSync, rmSync, statSync } from "node:fs"
import { join } from "node:path"
import type { Config } from "./config/config.ts"
import { openSealing } from "./crypto/sealing-key.ts"
import { type Database, StoreUnavailable } from "./domain/ports/store.ts"
import { addImages } from "./http/images/images.ts"
import { offerStore, type Shared } from "./http/operations/offer-store.ts"
import { createRouter } from "./http/pipeline/router.ts"
import type { SandboxMaker, Served } from "./http/server/server.ts"
import { addPages } from "./http/site/pages.ts"
import { CannotStart } from "./kernel/cannot-start.ts"
import { basePath, sandboxPath } from "./kernel/network/path.ts"
import { Problem } from "./kernel/problem.ts"
import { moveSandboxTo } from "./sandbox/address.ts"
import { fillSandbox } from "./sandbox/first-start.ts"
import { sandboxKeys } from "./sandbox/keys.ts"
import { sandboxReset } from "./sandbox/reset.ts"
import { sandboxSeeds } from "./sandbox/seeds.ts"
import { openDiskBlobs } from "./storage/disk/blobs.ts"
import { boundBlobs } from "./storage/disk/bounded-blobs.ts"
import { namedSandboxesName } from "./storage/disk/data-directory.ts"
import { mapDiskErrors } from "./storage/disk/disk-errors.ts"
import { makePrivateDirectory } from "./storage/disk/private.ts"
import { openCounters } from "./storage/open.ts"
import { endProcess } from "./storage/sqlite/disk.ts"
import { openSqlite } from "./storage/sqlite/open.ts"
import { descriptionPages } from "./web/pages.ts"
import type { Site } from "./web/site.ts"
import { createDelivery, type DeliveryWorkerDeps } from "./workers/delivery/worker.ts"

const mebibyte = 1024 * 1024
/** What one of them may hold. */
const databaseSize = { bytesMax: 32 * mebibyte, cacheKiB: 1024 }
const imageBytesMax = 64 * mebibyte
/** What was written need not outlive the process. */
const openNoDisk = () => ({ syncLog: async () => {}, syncDatabase: async () => {}, close() {} })

type Parts = {
  config: Config
  /** Those of the service's own store, of which a sandbox shares what is not about a store. */
  ports: Served["ports"]
  offered: Pick<Served, "api" | "operations" | "steady" | "streamPace">
  /** The hashes of the sample users' passwords. */
  hashes(): Promise<string[]>
  describe: Site["describe"]
  delivery: Omit<DeliveryWorkerDeps, "store" | "sealing">
}

/**
 * Opens sandboxes for test runs: stores in this process that begin as copies of a filled one and last no longer than it.
 * Nothing is put on the disk on purpose, because nobody counts on finding it there. `close` removes what is left.
 */
export function namedSandboxes({ config, ports, offered, hashes, describe, delivery }: Parts) {
  const { clock, log } = ports
  const directory = join(config.dataDir, namedSandboxesName)
  const keys = { secretKey: randomBytes(32), dataDir: directory }
  let template: Promise<Home> | undefined
  let count = 0

  async function makeTemplate(): Promise<Home> {
    const home = join(directory, "template")
    // Those of a process that was killed.
    rmSync(directory, { recursive: true, force: true })
    makePrivateDirectory(home)
    const { store, blobs } = await openHome(home)
    try {
      await fillSandbox(store, sandboxSeeds({ store, clock, blobs, hashes }), "")
    } finally {
      await store.close()
    }
    return { path: home, imageBytes: blobs.bytes() }
  }

  const open: SandboxMaker["open"] = async (name, shared) => {
    template ??= makeTemplate().catch((error: unknown) => {
      template = undefined
      throw error
    })
    const home = join(directory, String(++count))
    await using opened = new AsyncDisposableStack()
    opened.defer(() => rmSync(home, { recursive: true, force: true }))
    const { path, imageBytes } = await template
    cpSync(path, home, { recursive: true })
    const { store, blobs } = await openHome(home)
    opened.defer(store.close)
    await store.transaction((tx) => tx.origin.renewStoreId(randomUUID()))
    const sealing = await openSealing(store, keys, clock)
    const { targets, worker } = createDelivery({ ...delivery, store, sealing })
    const report = (error: unknown) => log.error({ err: error, sandbox: name }, "counts not stored yet")
    const counting = { clock: offered.steady, report, tell: () => {}, liveReplicas: () => 1 }
    const counters = await openCounters({ ...config, redisUrl: undefined }, store, counting)
    opened.defer(counters.close)
    const { limiter, signals, attempts } = counters
    const publicUrl = () => ports.publicUrl() + sandboxPath(name)
    await moveSandboxTo(store, publicUrl())
    const own = { ...ports, store, sealing, targets, blobs, limiter, attempts: attempts("people"), publicUrl }
    const seeds = sandboxSeeds({ ...own, hashes })
    const reset = sandboxReset({ ...own, seeds, signals, counters, worker })

    const router = createRouter()
    const { end, save } = offerStore(
      router,
      { ...config, ...offered, ports: own, signals, hasKnownKeys: true, reset, externalIssuer: undefined },
      shared,
    )
    addImages(router, store, blobs)
    addPages(router, descriptionPages(describeAt(publicUrl)), ({ path }) => {
      throw new Problem("not-found", `There is nothing at ${path}`)
    })
    worker.start()
    const open = opened.move()
    return {
      router,
      bytes: () => databaseBytes(home) + imageBytes + blobs.bytes(),
      end,
      async close() {
        await worker.stop(AbortSignal.abort())
        await save()
        await open.disposeAsync()
      },
    }
  }

  /** The descriptions of the service, with the address of a sandbox. */
  const describeAt = (publicUrl: () => string): Site["describe"] => {
    const servers = () => [{ url: publicUrl() + basePath, description: "This sandbox" }]
    return {
      whole: () => ({ ...describe.whole(), servers: servers() }),
      classic: () => ({ ...describe.classic(), servers: servers() }),
    }
  }

  return {
    open: (name: string, shared: Shared) => mapDiskErrors(() => open(name, shared)).catch(sayUnavailable),
    isFirstKey: (secret: string) => firstKeys.has(secret),
    close: () => template && rmSync(directory, { recursive: true, force: true }),
  }
}

const firstKeys: ReadonlySet<string> = new Set(sandboxKeys.map(({ secret }) => secret))

/** A directory that sandboxes begin as copies of, and how much of it is images. */
type Home = { path: string; imageBytes: number }

/** What the database in a home takes up, with its log. */
const databaseBytes = (home: string): number =>
  ["petstore.db", "petstore.db-wal"].reduce(
    (sum, name) => sum + (statSync(join(home, name), { throwIfNoEntry: false })?.size ?? 0),
    0,
  )

/** What keeps a service from starting keeps a sandbox from being made. */
function sayUnavailable(error: unknown): never {
  throw error instanceof CannotStart ? new StoreUnavailable("the sandbox could not be made", { cause: error }) : error
}

async function openHome(home: string): Promise<{ store: Database; blobs: ReturnType<typeof boundBlobs> }> {
  const store = openSqlite(join(home, "petstore.db"), { openDisk: openNoDisk, endProcess }, databaseSize)
  const blobs = boundBlobs(await openDiskBlobs(join(home, "images")), imageBytesMax)
  return { store: { ...store, transaction: (work) => store.transaction(work).catch(sayWhatIsFull) }, blobs }
}

const sqliteFull = 13

function sayWhatIsFull(error: unknown): never {
  if (!(error instanceof StoreUnavailable) || (error.cause as { errcode?: number } | undefined)?.errcode !== sqliteFull)
    throw error
  throw new StoreUnavailable("the sandbox is full; a reset lets it begin anew", { cause: error })
}
