import type { StoreApi } from "../../../core/api/operations/api.ts"
import { StoreUnavailable } from "../../../core/domain/ports/store.ts"
import type { Awaitable } from "../../../core/kernel/flow/awaitable.ts"
import { addressesIn, networkOf } from "../../../core/kernel/network/ip-address.ts"
import type { Exchange } from "../../../core/server/exchange/exchange.ts"
import type { Router } from "../../../core/server/exchange/router.ts"
import type { Comparison, Forks, SandboxPlan, VisibleSandboxes } from "../model.ts"
import { type SandboxBounds, sandboxBounds } from "./bounds.ts"
import { compareSandbox, type Wanted } from "./compare-sandbox.ts"
import type { Sandbox } from "./contract.ts"
import { requireCreator } from "./creator.ts"
import type { SandboxMaker } from "./maker.ts"
import {
  type EntryFacts,
  type Making,
  type NamedSandbox,
  SandboxEntry,
  type SleepingSandbox,
  unplanned,
} from "./sandbox-entry.ts"
import { mayAddData, requireWritable, SandboxLimits } from "./sandbox-limits.ts"
import { type IsPage, nameIn, refuseName } from "./selected-name.ts"

/** Creates a sandbox for the first request that names it, and removes unused ones. */
export class NamedSandboxes {
  readonly #deps: SandboxMaker
  readonly #bounds: SandboxBounds
  readonly #limits: SandboxLimits<SandboxEntry>
  readonly #sandboxes = new Map<string, SandboxEntry>()
  readonly #closing = new Set<Promise<void>>()
  #timer: NodeJS.Timeout | undefined

  constructor(deps: SandboxMaker) {
    this.#deps = deps
    this.#bounds = { ...sandboxBounds, ...deps.bounds }
    this.#limits = new SandboxLimits({
      bounds: this.#bounds,
      steady: deps.steady,
      isExempt: addressesIn(deps.exempt),
      forget: (sandbox) => this.#forget(sandbox),
      sandboxes: this.#sandboxes,
      closing: this.#closing,
    })
    for (const one of deps.unavailableReason === undefined ? deps.kept() : []) this.#sleep(one)
    this.#forgetIdle()
  }

  /** The routes of the sandbox that a request names; undefined when it names none, and for a preflight to a new one. */
  enter(exchange: Exchange, isPage: IsPage): Awaitable<Router> | undefined {
    const { unavailableReason } = this.#deps
    if (unavailableReason !== undefined) return refuseName(exchange, isPage, unavailableReason)
    const name = nameIn(exchange, isPage)
    if (name === undefined) return undefined
    const receive = (sandbox: SandboxEntry) => {
      if (!isPage(exchange.path)) sandbox.facts.received++
      return this.#use(exchange, sandbox)
    }
    const known = this.#sandboxes.get(name)
    if (known) return receive(known)
    // A preflight has no credential, and its response is the same for all sandboxes.
    return exchange.method === "OPTIONS" ? undefined : this.#create(exchange, name).then(receive)
  }

  /** The open sandboxes, in the order in which they were made. */
  list(): Sandbox[] {
    return [...this.#sandboxes.values()].flatMap((sandbox) => this.#show(sandbox) ?? [])
  }

  /** Deletes one once its requests have their responses; false when there is none with this name. */
  remove(name: string): boolean {
    const sandbox = this.#sandboxes.get(name)
    if (sandbox) this.#forget(sandbox)
    return sandbox !== undefined
  }

  /** All of them, for the operations of the service's own store; undefined where there are none. */
  visible(): VisibleSandboxes | undefined {
    if (this.#deps.unavailableReason !== undefined) return undefined
    return {
      ...this.#visibleTo(),
      create: (plan, address) => this.#make(plan, address),
      restore: async (body, restBytesMax) => {
        requireWritable(this.#deps.refusesWrites())
        return this.#deps.restore(body, restBytesMax)
      },
    }
  }

  /** Of all sandboxes, or of its own for a named one. */
  #visibleTo(own?: string): VisibleSandboxes {
    const sees = (name: string) => own === undefined || own === name
    return {
      list: () => this.list().filter(({ name }) => sees(name)),
      save: async (name) => (sees(name) ? this.#save(name) : undefined),
      compare: async (name, wanted) => (sees(name) ? this.#compare(name, wanted, sees) : { absent: name }),
      remove: (name) => sees(name) && this.remove(name),
    }
  }

  /** Keeps a sandbox for a request to another path, until its response has ended; undefined when there is none with this name. */
  async hold(exchange: Exchange, name: string): Promise<StoreApi | undefined> {
    const sandbox = this.#sandboxes.get(name)
    if (sandbox) await this.#use(exchange, sandbox)
    return sandbox?.opened?.api
  }

  async drain(): Promise<void> {
    await Promise.all([...this.#sandboxes.values()].map((sandbox) => sandbox.drain()))
  }

  /** Keeps them for the next process. */
  async close(): Promise<void> {
    clearInterval(this.#timer)
    const { keepingMs } = this.#bounds
    const late = keepingMs > 0 ? AbortSignal.timeout(keepingMs) : undefined
    for (const sandbox of this.#sandboxes.values()) this.#forget(sandbox, late)
    await Promise.all(this.#closing)
  }

  async #create(exchange: Exchange, name: string): Promise<SandboxEntry> {
    const { http, keys } = this.#deps
    http.load.requireCapacity()
    await requireCreator(exchange, name, keys, http)
    return this.#sandboxes.get(name) ?? this.#open(unplanned(name), exchange.address)
  }

  #use(exchange: Exchange, sandbox: SandboxEntry): Awaitable<Router> {
    if (mayAddData(exchange.method)) {
      requireWritable(this.#deps.refusesWrites())
      this.#limits.evictForBytes(sandbox.owner, sandbox)
    }
    return sandbox.use(exchange)
  }

  async #make(plan: SandboxPlan, address: string): Promise<Sandbox | "exists" | "no source"> {
    const { name, from } = plan
    const source = from === undefined ? undefined : this.#sandboxes.get(from)
    this.#deps.http.load.requireCapacity()
    if (from !== undefined && !source) return "no source"
    const open = async () => {
      if (this.#sandboxes.has(name)) return "exists"
      const made = this.#open(plan, address, source)
      await made.open()
      return this.#show(made) as Sandbox
    }
    return source ? source.whileInUse(open) : open()
  }

  /** Makes one within the bounds, for a client at this address; from the data of the source, if there is one. */
  #open(plan: SandboxPlan, address: string, source?: SandboxEntry): SandboxEntry {
    const { name, seed, start, file } = plan
    const owner = networkOf(address) ?? "unknown"
    requireWritable(this.#deps.refusesWrites())
    this.#limits.evictForBytes(owner)
    this.#limits.make(owner, address)
    const make = source?.copy ?? this.#deps.open
    const idleMs = plan.idleMs ?? source?.facts.idleMs ?? this.#bounds.idleMs
    const facts = { idleMs, copiedFrom: source?.name, madeAt: this.#deps.steady.now(), received: 0 }
    const making = { seed, start, file, ...this.#surroundingsOf(name, owner) }
    return this.#addOpen({ name, owner, ...facts }, () => make(making))
  }

  #addOpen(facts: EntryFacts, make: () => Promise<NamedSandbox>): SandboxEntry {
    const sandbox = new SandboxEntry(facts, make, this.#deps.steady)
    this.#add(sandbox)
    sandbox.open().catch(() => this.#discard(sandbox))
    return sandbox
  }

  /** Adds one that its first request opens. */
  #sleep(kept: SleepingSandbox): void {
    const { name, owner, idleMs, copiedFrom, madeAt, received } = kept.facts
    const making = { ...unplanned(name), ...this.#surroundingsOf(name, owner) }
    const wake = () =>
      this.#deps.wake(kept, making).catch((error: unknown) => {
        if (!(error instanceof StoreUnavailable)) this.#discard(sandbox)
        throw error
      })
    const sandbox = new SandboxEntry(
      { name, owner, idleMs, copiedFrom, madeAt, received },
      wake,
      this.#deps.steady,
      kept,
    )
    this.#add(sandbox)
  }

  #add(sandbox: SandboxEntry): void {
    this.#sandboxes.set(sandbox.name, sandbox)
    this.#timer ??= setInterval(() => this.#forgetIdle(), this.#bounds.sweepMs).unref()
  }

  #discard(sandbox: SandboxEntry): void {
    if (this.#sandboxes.get(sandbox.name) === sandbox) this.#sandboxes.delete(sandbox.name)
  }

  async #save(name: string): ReturnType<VisibleSandboxes["save"]> {
    this.#deps.http.load.requireCapacity()
    return this.#sandboxes.get(name)?.save()
  }

  async #compare(name: string, wanted: Wanted, sees: (name: string) => boolean): Promise<Comparison> {
    const after = this.#sandboxes.get(name)
    this.#deps.http.load.requireCapacity()
    if (!after) return { absent: name }
    return compareSandbox(after, wanted, {
      // What it is a copy of can also replace it.
      find: (other) => (sees(other) || other === after.facts.copiedFrom ? this.#sandboxes.get(other) : undefined),
      open: (seed) => this.#deps.openSeed({ ...unplanned(name), ...this.#surroundingsOf(name, after.owner), seed }),
    })
  }

  #show = (sandbox: SandboxEntry): Sandbox | undefined => sandbox.show(this.#deps.clock, this.#deps.http.publicUrl())

  /** What the operations of a named sandbox know of the others. */
  #surroundingsOf(name: string, owner: string): Pick<Making, "name" | "forks" | "visible"> {
    const forks: Forks = {
      make: async (copy, address) => {
        const made = await this.#make({ ...unplanned(copy), from: name }, address)
        return typeof made === "string" ? undefined : made
      },
      replaceBy: async (from) => {
        const source = this.#sandboxes.get(from)
        if (!source) return false
        this.#limits.evictForBytes(owner, source)
        const opened = await source.copy({ ...unplanned(name), ...this.#surroundingsOf(name, owner) })
        const { idleMs, madeAt, received } = (this.#sandboxes.get(name) ?? source).facts
        this.remove(name)
        this.#addOpen({ name, owner, idleMs, madeAt, received, copiedFrom: from }, async () => opened)
        return true
      },
    }
    return { name, forks, visible: this.#visibleTo(name) }
  }

  /** Closes it, with a signal to keep it. */
  #forget(sandbox: SandboxEntry, late?: AbortSignal): void {
    this.#sandboxes.delete(sandbox.name)
    const ending = sandbox
      .close(late)
      .catch((error: unknown) => this.#deps.log.error({ err: error }, "a sandbox did not close"))
      .finally(() => this.#closing.delete(ending))
    this.#closing.add(ending)
  }

  #forgetIdle(): void {
    for (const one of [...this.#sandboxes.values()])
      if (this.#limits.isIdleFor(one.facts.idleMs, one)) this.#forget(one)
  }
}
