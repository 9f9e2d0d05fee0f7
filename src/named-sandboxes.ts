import { randomBytes, randomUUID } from "node:crypto"
import { join } from "node:path"
import { bytesWithin, sandboxBounds } from "./api/sandbox/bounds.ts"
import type { Making, NamedSandbox } from "./api/sandbox/sandbox-entry.ts"
import { mountOf } from "./api/sandbox/selected-name.ts"
import type { SealingKeys } from "./crypto/sealing-key.ts"
import { StoreUnavailable } from "./domain/ports/store.ts"
import type { Forks } from "./domain/sandbox/model.ts"
import { CannotStart } from "./kernel/cannot-start.ts"
import { sandboxPath } from "./kernel/network/path.ts"
import { at, Problem, problem } from "./kernel/problem.ts"
import { memoryLimit } from "./observability/memory-limit.ts"
import { moveCopyTo } from "./sandbox/address.ts"
import { type SandboxClocks, sandboxClocks } from "./sandbox/clock.ts"
import { readTime } from "./sandbox/time.ts"
import { type SandboxSource, sandboxSources } from "./sandbox-sources.ts"
import type { HttpContext } from "./server/http-context.ts"
import { storeRouter } from "./service.ts"
import type { Shared } from "./shared.ts"
import { addSandboxSite, type Describe } from "./site/sandbox-site.ts"
import { namedSandboxesName } from "./storage/disk/data-directory.ts"
import { mapDiskErrors } from "./storage/disk/disk-errors.ts"
import { isInMemory } from "./storage/disk/file-system.ts"
import { openBoundDisk } from "./storage/open.ts"
import { openTemporaryData, type TemporaryData } from "./storage/temporary.ts"
import { type OpenStore, openStore, type StoreLocation } from "./store.ts"

/** Opens named sandboxes: stores that last as long as this process and are never flushed to the disk. Disposal removes their files. */
export function sandboxMaker(main: OpenStore, shared: Shared, http: HttpContext, describe: Describe) {
  const keys = { secretKey: randomBytes(32), dataDir: shared.config.dataDir }
  async function fill(data: TemporaryData): Promise<void> {
    const filled = await openStore(locationIn(data, keys, ""), shared)
    await filled[Symbol.asyncDispose]()
  }
  const temporaryData = openTemporaryData(join(shared.config.dataDir, namedSandboxesName), fill, (error) =>
    shared.log.warn({ err: error }, "named sandboxes of an ended process could not be removed"),
  )

  const sources = sandboxSources(shared, shared.initial, temporaryData, keys)

  async function open({ name, forks, house, start, seed }: Making, source: SandboxSource): Promise<NamedSandbox> {
    await using opening = new AsyncDisposableStack()
    const data = await source.makeData()
    opening.defer(data.remove)
    const publicUrl = shared.address.publicUrl + sandboxPath(name)
    const clocks = sandboxClocks(shared, source.clocks())
    if (start.isFrozen) clocks.setFrozen(true)
    const own = withOwn(clocks, forks, shared)
    const opened = opening.use(await openStore(locationIn(data, source.keys, publicUrl), own))
    const { store, limiter } = opened.ports
    await store.transaction((tx) => tx.origin.renewStoreId(randomUUID()))
    await moveCopyTo(store, publicUrl)
    const { router, api } = storeRouter(opened, own, http, { house })
    if (seed !== undefined) await api.reset?.(seed)
    addSandboxSite(router, { name, opened, api, http, shared, describe })
    opened.worker.start()
    const open = opening.move()
    const flush = () => Promise.all([limiter.flush(), api.flush()])
    const copied = { data, clocks, keys: source.keys, flush }
    return {
      router,
      mount: mountOf(name, opened.sandbox?.journal, opened.ports.publicUrl),
      api,
      readClock: () => readTime(clocks),
      bytes: data.bytes,
      drain: api.drain,
      copy: (making) => make({ ...making, seed: undefined }, sources.ofCopy(copied)),
      save: () => sources.save(copied),
      async close() {
        await opened.worker.drain(AbortSignal.abort())
        await api.flush()
        await open.disposeAsync()
      },
    }
  }

  const make = (making: Making, source: SandboxSource): Promise<NamedSandbox> =>
    mapDiskErrors(() => open(making, source)).catch(making.data ? sayUnreadable : sayUnavailable)

  return {
    open: (making: Making) => make(making, sources.ofNew(making)),
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

/** Data of a file that passed the checks and cannot be opened all the same. */
function sayUnreadable(error: unknown): never {
  if (error instanceof Problem || error instanceof StoreUnavailable) throw error
  throw problem("invalid-body", at("/data", "wrong-form", `cannot be read: ${(error as Error).message}`))
}
