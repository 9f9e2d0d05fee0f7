import type { Logger } from "pino"
import type { StoreApi } from "../../../core/api/operations/api.ts"
import type { Clock } from "../../../core/kernel/clock.ts"
import type { Awaitable } from "../../../core/kernel/flow/awaitable.ts"
import { addressesIn, networkOf } from "../../../core/kernel/network/ip-address.ts"
import type { Exchange } from "../../../core/server/exchange/exchange.ts"
import type { Router } from "../../../core/server/exchange/router.ts"
import type { HttpContext } from "../../../core/server/http-context.ts"
import type { Comparison, Forks, SandboxPlan, VisibleSandboxes } from "../model.ts"
import { type SandboxBounds, sandboxBounds } from "./bounds.ts"
import { compareSandbox, type Wanted } from "./compare-sandbox.ts"
import type { Sandbox } from "./contract.ts"
import { requireCreator } from "./creator.ts"
import {
  type EntryFacts,
  type MakeSandbox,
  type Making,
  type NamedSandbox,
  SandboxEntry,
  unplanned,
} from "./sandbox-entry.ts"
import { mayAddData, requireWritable, SandboxLimits } from "./sandbox-limits.ts"
import { type IsPage, nameIn, refuseName } from "./selected-name.ts"

type SandboxesDeps = {
  /** Makes one from the seed. */
  open: MakeSandbox
  /** Why named sandboxes are not available, as the end of a sentence; undefined when they are. */
  unavailableReason: string | undefined
  /** The keys of a new sandbox; undefined when requests need no credential. */
  keys: readonly { secret: string }[] | undefined
  http: Pick<HttpContext, "load" | "limitAddress" | "publicUrl">
  /** Address blocks that are exempt from limits. */
  exempt: readonly string[]
  log: Logger
  clock: Clock
  /** A monotonic clock. */
  steady: Clock
  bounds: Partial<SandboxBounds> | undefined
  /** Why nothing may be written, as the end of a sentence; undefined while writes are accepted. */
  refusesWrites(): string | undefined
}

/** Creates a sandbox for the first request that names it, and removes unused ones. */
export class NamedSandboxes {
  readonly #deps: SandboxesDeps
  readonly #bounds: SandboxBounds
  readonly #limits: SandboxLimits<SandboxEntry>
  readonly #sandboxes = new Map<string, SandboxEntry>()
  readonly #closing = new Set<Promise<void>>()
  #timer: NodeJS.Timeout | undefined

  constructor(deps: SandboxesDeps) {
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
    return { ...this.#visibleTo(), create: (plan, address) => this.#make(plan, address) }
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
  hold(exchange: Exchange, name: string): StoreApi | undefined {
    const sandbox = this.#sandboxes.get(name)
    if (!sandbox?.opened) return undefined
    void this.#use(exchange, sandbox)
    return sandbox.opened.api
  }

  async drain(): Promise<void> {
    await Promise.all(
      [...this.#sandboxes.values()].map(async ({ opening }) => (await opening.catch(() => undefined))?.drain()),
    )
  }

  async close(): Promise<void> {
    clearInterval(this.#timer)
    for (const sandbox of this.#sandboxes.values()) this.#forget(sandbox)
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
      await made.opening
      return this.#show(made) as Sandbox
    }
    return source ? source.whileInUse(open) : open()
  }

  /** Makes one within the bounds, for a client at this address; from the data of the source, if there is one. */
  #open(plan: SandboxPlan, address: string, source?: SandboxEntry): SandboxEntry {
    const { name, seed, start, data } = plan
    const owner = networkOf(address) ?? "unknown"
    requireWritable(this.#deps.refusesWrites())
    this.#limits.evictForBytes(owner)
    this.#limits.make(owner, address)
    const make = source?.copy ?? this.#deps.open
    const idleMs = plan.idleMs ?? source?.facts.idleMs ?? this.#bounds.idleMs
    const facts = { idleMs, copiedFrom: source?.name, madeAt: this.#deps.steady.now(), received: 0 }
    return this.#add({ name, owner, ...facts }, make({ seed, start, data, ...this.#surroundingsOf(name, owner) }))
  }

  #add(facts: EntryFacts, opening: Promise<NamedSandbox>): SandboxEntry {
    const { name } = facts
    const sandbox = new SandboxEntry(facts, opening, this.#deps.steady)
    this.#sandboxes.set(name, sandbox)
    opening.catch(() => this.#sandboxes.get(name) === sandbox && this.#sandboxes.delete(name))
    this.#timer ??= setInterval(() => this.#forgetIdle(), this.#bounds.sweepMs).unref()
    return sandbox
  }

  async #save(name: string): ReturnType<VisibleSandboxes["save"]> {
    const source = this.#sandboxes.get(name)
    this.#deps.http.load.requireCapacity()
    return source?.save()
  }

  async #compare(name: string, wanted: Wanted, sees: (name: string) => boolean): Promise<Comparison> {
    const after = this.#sandboxes.get(name)
    this.#deps.http.load.requireCapacity()
    if (!after) return { absent: name }
    return compareSandbox(after, wanted, {
      // What it is a copy of can also replace it.
      find: (other) => (sees(other) || other === after.facts.copiedFrom ? this.#sandboxes.get(other) : undefined),
      open: (seed) => this.#deps.open({ ...unplanned(name), ...this.#surroundingsOf(name, after.owner), seed }),
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
        this.#add({ name, owner, idleMs, madeAt, received, copiedFrom: from }, Promise.resolve(opened))
        return true
      },
    }
    return { name, forks, visible: this.#visibleTo(name) }
  }

  #forget(sandbox: SandboxEntry): void {
    this.#sandboxes.delete(sandbox.name)
    const ending = sandbox
      .close()
      .catch((error: unknown) => this.#deps.log.error({ err: error }, "a sandbox did not close"))
      .finally(() => this.#closing.delete(ending))
    this.#closing.add(ending)
  }

  #forgetIdle(): void {
    for (const one of [...this.#sandboxes.values()])
      if (this.#limits.isIdleFor(one.facts.idleMs, one)) this.#forget(one)
  }
}
