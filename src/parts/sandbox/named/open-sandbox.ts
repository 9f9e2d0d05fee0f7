import { randomBytes, randomUUID } from "node:crypto"
import { join } from "node:path"
import type { MainStore, OpenPart, OpenStore, Shared } from "../../../core/assembly/part.ts"
import { storeRouter } from "../../../core/assembly/service.ts"
import { openStore, type StoreLocation } from "../../../core/assembly/store.ts"
import type { SealingKeys } from "../../../core/crypto/sealing-key.ts"
import { namedSandboxesName } from "../../../core/disk/data-directory.ts"
import { mapDiskErrors } from "../../../core/disk/disk-errors.ts"
import { isInMemory } from "../../../core/disk/file-system.ts"
import { StoreUnavailable } from "../../../core/domain/ports/store.ts"
import { CannotStart } from "../../../core/kernel/cannot-start.ts"
import { at, Problem, problem } from "../../../core/kernel/problem.ts"
import { memoryLimit } from "../../../core/observability/memory-limit.ts"
import { openBoundDisk } from "../../../core/storage/open.ts"
import { type SandboxClocks, sandboxClocks } from "../clock/clock.ts"
import { readTime } from "../clock/time.ts"
import { moveCopyTo } from "../files/address.ts"
import { type KeptSandbox, keptSandboxes } from "../files/kept.ts"
import { openTemporaryData, type TemporaryData } from "../files/temporary.ts"
import { openSandboxStore, type SandboxProcess, type SandboxStore } from "../sandbox-store.ts"
import { bytesWithin, sandboxBounds } from "./bounds.ts"
import type { SandboxMaker } from "./maker.ts"
import { sandboxPath } from "./path.ts"
import type { MakeSandbox, Making, NamedSandbox, SeedData } from "./sandbox-entry.ts"
import { sandboxFiles } from "./sandbox-files.ts"
import { addSandboxSite } from "./sandbox-site.ts"
import { type SandboxSource, sandboxSources } from "./sandbox-sources.ts"
import { mountOf } from "./selected-name.ts"

/** Opens named sandboxes: stores that are not flushed to the disk while they are open. Disposal removes the files of those not kept. */
export function openSandboxMaker(
  { shared, opened: main, http }: MainStore,
  process: SandboxProcess,
  self: OpenPart,
): SandboxMaker {
  const keys = { secretKey: randomBytes(32), dataDir: shared.config.dataDir }
  const parent = join(shared.config.dataDir, namedSandboxesName)
  const temporaryData = openTemporaryData(parent, fillTemplate(shared, keys), (error) =>
    shared.log.warn({ err: error }, "named sandboxes of an ended process could not be removed"),
  )
  const kept = keptSandboxes(parent, (error, message) => shared.log.error({ err: error }, message))

  const sources = sandboxSources(shared, process.initial, temporaryData, keys)
  const files = sandboxFiles(temporaryData)

  async function open({ name, forks, visible, start, seed }: Making, source: SandboxSource): Promise<NamedSandbox> {
    await using opening = new AsyncDisposableStack()
    const data = await source.makeData()
    let end = async () => source.takeBack?.(data) ?? data.remove()
    opening.defer(() => end())
    const publicUrl = shared.address.publicUrl + sandboxPath(name)
    const clocks = sandboxClocks(shared, source.clocks())
    if (start.isFrozen) clocks.setFrozen(true)
    const home = { data, clocks, keys: source.keys, publicUrl }
    const { opened, own, sandbox } = await openStoreOf({ name, forks, visible, ...home }, shared, process, self)
    opening.use(opened)
    const { store, limiter } = opened.ports
    if (!source.takeBack) await store.transaction((tx) => tx.origin.renewStoreId(randomUUID()))
    await moveCopyTo(store, publicUrl)
    const { router, api, observer } = storeRouter(opened, own, http)
    if (seed !== undefined) await sandbox.reset(seed)
    await addSandboxSite(router, { shared: own, opened, http, api, name })
    opened.worker.start()
    const open = opening.move()
    const flush = () => Promise.all([limiter.flush(), api.flush()])
    const copied = { data, clocks, keys: source.keys, flush, seed: () => sandbox.seed() ?? source.seed }
    return {
      router,
      mount: mountOf(name, observer),
      api,
      seed: copied.seed,
      readClock: () => readTime(clocks),
      bytes: data.bytes,
      drain: api.drain,
      copy: (making) => make({ ...making, seed: undefined }, sources.ofCopy(copied)),
      save: () => files.save(copied),
      async close(keeping) {
        await opened.worker.drain(AbortSignal.abort())
        await api.flush()
        end = () => (keeping ? kept.keep(copied, keeping) : data.remove())
        await open.disposeAsync()
      },
    }
  }

  const make = (making: Making, source: SandboxSource): Promise<NamedSandbox> =>
    mapDiskErrors(() => open(making, source)).catch(making.file ? sayUnreadable : sayUnavailable)

  return {
    open: (making: Making) => make(making, sources.ofNew(making)),
    openSeed: seedOpener(sources, (making) => make(making, sources.ofNew(making))),
    kept: () =>
      kept.list().map((one) => ({ ...one, readClock: () => readTime(sandboxClocks(shared, one.facts.clocks)) })),
    restore: files.restore,
    wake: (one: KeptSandbox, making: Making) => wake(one, () => open(making, sources.ofKept(one))),
    ...sharedWith({ shared, opened: main, http }, process),
    [Symbol.asyncDispose]: temporaryData[Symbol.asyncDispose],
  }
}

const fillTemplate = (shared: Shared, keys: SealingKeys) => async (data: TemporaryData) => {
  const filled = await openStore(locationIn(data, keys, ""), shared)
  await filled[Symbol.asyncDispose]()
}

/** Opens the data of a seed: the initial data as they are, others in a sandbox that is reset. */
const seedOpener =
  ({ openInitial }: { openInitial(): Promise<SeedData> }, open: MakeSandbox): SandboxMaker["openSeed"] =>
  async (making) => {
    if (making.seed === "initial") return mapDiskErrors(openInitial).catch(sayUnavailable)
    const { api, close } = await open(making)
    return { store: api.ports.store, close: () => close() }
  }

/** What named sandboxes share with the service. */
const sharedWith = (
  { shared, opened: { ports }, http }: Pick<MainStore, "shared" | "opened" | "http">,
  { bounds }: SandboxProcess,
) => ({
  /** Why named sandboxes are not available, as the end of a sentence. */
  unavailableReason: ports.store.isShared ? "they need SQLite" : undefined,
  http,
  log: shared.log,
  clock: shared.clock,
  steady: shared.steady,
  bounds: { bytesMax: sandboxBytesMax(shared.config.dataDir), ...bounds },
  /** Why writes are refused, as the end of a sentence: sandboxes would take the space in which the main store deletes. */
  refusesWrites: () => ports.store.refusesWrites?.(),
  exempt: shared.config.unlimitedAddresses,
  keys: shared.config.anonymousKey === undefined ? shared.samples.knownKeys : undefined,
})

type Home = Pick<Making, "name" | "forks" | "visible"> & {
  data: TemporaryData
  clocks: SandboxClocks
  keys: SealingKeys
  publicUrl: string
}

/** Opens the store of a named sandbox, with `self`, the part of the main store, replaced by its own. */
async function openStoreOf(
  { forks, visible, data, clocks, keys, publicUrl }: Home,
  shared: Shared,
  process: SandboxProcess,
  self: OpenPart,
): Promise<{ opened: OpenStore; own: Shared; sandbox: SandboxStore }> {
  const { retention } = shared.config
  const sandboxes: SandboxStore[] = []
  const openPart: OpenPart["openStore"] = (one) => {
    const sandbox = openSandboxStore(one, process, () => visible, { clocks, forks, retention })
    sandboxes.push(sandbox)
    return sandbox.part
  }
  const own = withOwn(clocks, shared, { ...self, openStore: openPart }, self)
  const opened = await openStore(locationIn(data, keys, publicUrl), own)
  return { opened, own, sandbox: sandboxes[0] as SandboxStore }
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

/** The shared parts, with the clocks of one sandbox, and `part` instead of another one. */
function withOwn({ clock, steady }: SandboxClocks, shared: Shared, part: OpenPart, replaced: OpenPart): Shared {
  const { tools, delivery, parts } = shared
  return {
    ...shared,
    clock,
    steady,
    tools: { ...tools, clock },
    delivery: { ...delivery, clock },
    // Its tokens are for the service.
    externalIssuer: undefined,
    parts: parts.map((one) => (one === replaced ? part : one)),
  }
}

/** Less where the files of sandboxes are in memory. */
const sandboxBytesMax = (dataDir: string): number =>
  isInMemory(dataDir) ? bytesWithin(memoryLimit()) : sandboxBounds.bytesMax

/** Opens a sandbox that was kept; sets it aside when it cannot be opened, unless that may succeed later. */
async function wake(kept: KeptSandbox, open: () => Promise<NamedSandbox>): Promise<NamedSandbox> {
  try {
    return await mapDiskErrors(open)
  } catch (error) {
    if (error instanceof StoreUnavailable) throw error
    await kept.setAside(error)
    throw new Problem("unavailable", unreadable(kept.facts.name), { retryAfter: 1 })
  }
}

const unreadable = (name: string): string =>
  `The sandbox ${name}, which the service kept when it stopped, cannot be opened. It was set aside, and its name is free`

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
