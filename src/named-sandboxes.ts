import { randomBytes, randomUUID } from "node:crypto"
import { join } from "node:path"
import { sandboxDocuments } from "./api/openapi/descriptions.ts"
import { bytesWithin, sandboxBounds } from "./api/sandbox/bounds.ts"
import type { Making, NamedSandbox } from "./api/sandbox/sandbox-entry.ts"
import { mountOf } from "./api/sandbox/selected-name.ts"
import type { SealingKeys } from "./crypto/sealing-key.ts"
import { StoreUnavailable } from "./domain/ports/store.ts"
import type { Forks } from "./domain/sandbox/model.ts"
import { CannotStart } from "./kernel/cannot-start.ts"
import { sandboxPath } from "./kernel/network/path.ts"
import { Problem } from "./kernel/problem.ts"
import { memoryLimit } from "./observability/memory-limit.ts"
import { moveCopyTo } from "./sandbox/address.ts"
import { type SandboxClocks, sandboxClocks } from "./sandbox/clock.ts"
import { readTime } from "./sandbox/time.ts"
import type { HttpContext } from "./server/http-context.ts"
import { storeRouter } from "./service.ts"
import type { Shared } from "./shared.ts"
import { descriptionPages } from "./site/pages/reference/description.ts"
import type { Site } from "./site/pages/site.ts"
import { addPages } from "./site/serving/pages.ts"
import { namedSandboxesName } from "./storage/disk/data-directory.ts"
import { mapDiskErrors } from "./storage/disk/disk-errors.ts"
import { isInMemory } from "./storage/disk/file-system.ts"
import { openBoundDisk } from "./storage/open.ts"
import { openTemporaryData, type TemporaryData } from "./storage/temporary.ts"
import { type OpenStore, openStore, type StoreLocation } from "./store.ts"

/** Opens named sandboxes: stores that last as long as this process and are never flushed to the disk. Disposal removes their files. */
export function sandboxMaker(main: OpenStore, shared: Shared, http: HttpContext, describe: Site["describe"]) {
  const keys = { secretKey: randomBytes(32), dataDir: shared.config.dataDir }
  async function fill(data: TemporaryData): Promise<void> {
    const filled = await openStore(locationIn(data, keys, ""), shared)
    await filled[Symbol.asyncDispose]()
  }
  const temporaryData = openTemporaryData(join(shared.config.dataDir, namedSandboxesName), fill, (error) =>
    shared.log.warn({ err: error }, "named sandboxes of an ended process could not be removed"),
  )

  async function open({ name, forks, house, start, seed }: Making, copied?: Copied): Promise<NamedSandbox> {
    await using opening = new AsyncDisposableStack()
    const data = await temporaryData.make(copied?.data)
    opening.defer(data.remove)
    const publicUrl = shared.address.publicUrl + sandboxPath(name)
    const clocks = sandboxClocks(shared, copied?.clocks.state() ?? { start })
    if (start.isFrozen) clocks.setFrozen(true)
    const own = withOwn(clocks, forks, shared)
    const opened = opening.use(await openStore(locationIn(data, keys, publicUrl), own))
    const { store, limiter } = opened.ports
    await store.transaction((tx) => tx.origin.renewStoreId(randomUUID()))
    await moveCopyTo(store, publicUrl)
    const { router, api } = storeRouter(opened, own, http, { house })
    if (seed !== undefined) await api.reset?.(seed)
    addPages(router, descriptionPages(sandboxDocuments(describe, () => publicUrl)), ({ path }) => {
      throw new Problem("not-found", `There is no resource at ${path}`)
    })
    opened.worker.start()
    const open = opening.move()
    return {
      router,
      mount: mountOf(name, opened.sandbox?.journal),
      api,
      readClock: () => readTime(clocks),
      bytes: data.bytes,
      drain: api.drain,
      async copy(making) {
        await Promise.all([limiter.flush(), api.flush()])
        return make({ ...making, seed: undefined }, { data, clocks })
      },
      async close() {
        await opened.worker.drain(AbortSignal.abort())
        await api.flush()
        await open.disposeAsync()
      },
    }
  }

  const make: Make = (...args) => mapDiskErrors(() => open(...args)).catch(sayUnavailable)

  return {
    open: (making: Making) => make(making),
    /** Why named sandboxes are not available, as the end of a sentence. */
    unavailableReason: shared.profile.noSandboxesReason ?? (main.ports.store.isShared ? "they need SQLite" : undefined),
    http,
    log: shared.log,
    clock: shared.clock,
    steady: shared.steady,
    bounds: { bytesMax: sandboxBytesMax(shared.config.dataDir), ...shared.overrides.sandboxes },
    /** Why writes are refused, as the end of a sentence: sandboxes would take the space in which the main store deletes. */
    refusesWrites: () => main.ports.store.refusesWrites?.(),
    exempt: shared.config.unlimitedAddresses,
    keys: shared.config.anonymousKey === undefined ? shared.profile.knownKeys : undefined,
    [Symbol.asyncDispose]: temporaryData[Symbol.asyncDispose],
  }
}

/** The files and the clocks of the sandbox that is copied. */
type Copied = { data: TemporaryData; clocks: SandboxClocks }

/** Opens a sandbox with the data of the one that is copied, or from the seed. */
type Make = (making: Making, copied?: Copied) => Promise<NamedSandbox>

const locationIn = (
  { openDatabase, openBlobs, directory }: TemporaryData,
  keys: SealingKeys,
  publicUrl: string,
): StoreLocation => ({
  openDatabase: async () => openDatabase(),
  openBlobs: (start) => openBoundDisk(openBlobs(), directory, start),
  keys,
  redisUrl: undefined,
  publicUrl: () => publicUrl,
})

/** The shared parts, with those that one sandbox has of its own. */
function withOwn(clocks: SandboxClocks, forks: Forks, shared: Shared) {
  const { clock, steady } = clocks
  const { tools, delivery } = shared
  return {
    ...shared,
    clock,
    steady,
    named: { clocks, forks },
    tools: { ...tools, clock },
    delivery: { ...delivery, clock },
  }
}

/** Less where the files of sandboxes are in memory. */
const sandboxBytesMax = (dataDir: string): number =>
  isInMemory(dataDir) ? bytesWithin(memoryLimit()) : sandboxBounds.bytesMax

/** An error that would stop a start makes a sandbox unavailable. */
function sayUnavailable(error: unknown): never {
  throw error instanceof CannotStart
    ? new StoreUnavailable("the sandbox could not be created", { cause: error })
    : error
}
