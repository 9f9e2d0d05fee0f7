import type { Logger } from "pino"
import type { Forks, SandboxHouse, SandboxPlan } from "../../domain/sandbox/model.ts"
import type { Sandbox } from "../../domain/sandbox/named/contract.ts"
import type { Clock } from "../../kernel/clock.ts"
import type { Awaitable } from "../../kernel/flow/awaitable.ts"
import { addressesIn, networkOf } from "../../kernel/network/ip-address.ts"
import type { Exchange } from "../../server/exchange/exchange.ts"
import type { Router } from "../../server/exchange/router.ts"
import type { HttpContext } from "../../server/http-context.ts"
import type { StoreApi } from "../operations/api.ts"
import { type SandboxBounds, sandboxBounds } from "./bounds.ts"
import { requireCreator } from "./creator.ts"
import {
  closeUnused,
  type EntryFacts,
  leave,
  type MakeSandbox,
  type Making,
  type NamedSandbox,
  type SandboxEntry,
  showSandbox,
  unplanned,
  whileInUse,
} from "./sandbox-entry.ts"
import { mayAddData, requireWritable, SandboxLimits } from "./sandbox-limits.ts"
import { isForPrograms, nameIn, refuseName } from "./selected-name.ts"

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
  enter(exchange: Exchange): Awaitable<Router> | undefined {
    const { unavailableReason } = this.#deps
    if (unavailableReason !== undefined) return refuseName(exchange, unavailableReason)
    const name = nameIn(exchange)
    if (name === undefined) return undefined
    const known = this.#sandboxes.get(name)
    if (known) return this.#receive(exchange, known)
    // A preflight has no credential, and its response is the same for all sandboxes.
    return exchange.method === "OPTIONS" ? undefined : this.#create(exchange, name)
  }

  /** The open sandboxes, in the order in which they were made. */
  list(): Sandbox[] {
    return [...this.#sandboxes.values()].flatMap((entry) => (entry.opened ? [this.#show(entry, entry.opened)] : []))
  }

  /** Deletes one once its requests have their responses; false when there is none with this name. */
  remove(name: string): boolean {
    const sandbox = this.#sandboxes.get(name)
    if (sandbox) this.#forget(sandbox)
    return sandbox !== undefined
  }

  /** All of them, for the operations of the service's own store; undefined where there are none. */
  house(): SandboxHouse | undefined {
    if (this.#deps.unavailableReason !== undefined) return undefined
    return { ...this.#houseOf(), create: (plan, address) => this.#make(plan, address) }
  }

  /** Of all sandboxes, or of its own for a named one. */
  #houseOf(own?: string): SandboxHouse {
    const sees = (name: string) => own === undefined || own === name
    return {
      list: () => this.list().filter(({ name }) => sees(name)),
      save: async (name) => (sees(name) ? this.#save(name) : undefined),
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

  async #create(exchange: Exchange, name: string): Promise<Router> {
    const { http, keys } = this.#deps
    http.load.requireCapacity()
    await requireCreator(exchange, name, keys, http)
    return this.#receive(exchange, this.#sandboxes.get(name) ?? this.#open(unplanned(name), exchange.address))
  }

  #receive(exchange: Exchange, sandbox: SandboxEntry): Awaitable<Router> {
    if (isForPrograms(exchange.path)) sandbox.received++
    return this.#use(exchange, sandbox)
  }

  #use(exchange: Exchange, sandbox: SandboxEntry): Awaitable<Router> {
    const { response, method } = exchange
    const { steady } = this.#deps
    sandbox.usedAt = steady.now()
    const mayGrow = mayAddData(method)
    if (mayGrow) {
      requireWritable(this.#deps.refusesWrites())
      this.#limits.evictForBytes(sandbox.owner, sandbox)
    }
    // After a disconnect the response does not emit `close` again.
    if (!response.destroyed) {
      sandbox.requests++
      response.once("close", () => {
        if (mayGrow) sandbox.bytes = sandbox.opened?.bytes() ?? 0
        leave(steady, sandbox)
      })
    }
    const enter = ({ router, mount }: NamedSandbox) => {
      exchange.mount = mount
      return router
    }
    return sandbox.opened ? enter(sandbox.opened) : sandbox.opening.then(enter)
  }

  /** Makes one within the bounds, for a client at this address; from the data of the source, if there is one. */
  #open(plan: SandboxPlan, address: string, source?: { entry: SandboxEntry; opened: NamedSandbox }): SandboxEntry {
    const { name, seed, start, data } = plan
    const owner = networkOf(address) ?? "unknown"
    requireWritable(this.#deps.refusesWrites())
    this.#limits.evictForBytes(owner)
    this.#limits.make(owner, address)
    const make = source?.opened.copy ?? this.#deps.open
    const idleMs = plan.idleMs ?? source?.entry.idleMs ?? this.#bounds.idleMs
    const facts = { idleMs, copiedFrom: source?.entry.name, madeAt: this.#deps.steady.now(), received: 0 }
    return this.#add({ name, owner, ...facts }, make({ seed, start, data, ...this.#surroundingsOf(name, owner) }))
  }

  #add(facts: EntryFacts, opening: Promise<NamedSandbox>): SandboxEntry {
    const use = { requests: 0, usedAt: this.#deps.steady.now(), bytes: 0, left: () => {} }
    const sandbox: SandboxEntry = { ...facts, opening, opened: undefined, ...use }
    const { name } = facts
    this.#sandboxes.set(name, sandbox)
    opening.then(
      (opened) => {
        sandbox.opened = opened
        sandbox.bytes = opened.bytes()
      },
      () => this.#sandboxes.get(name) === sandbox && this.#sandboxes.delete(name),
    )
    this.#timer ??= setInterval(() => this.#forgetIdle(), this.#bounds.sweepMs).unref()
    return sandbox
  }

  async #make(plan: SandboxPlan, address: string): Promise<Sandbox | "exists" | "no source"> {
    const { name, from } = plan
    const source = from === undefined ? undefined : this.#sandboxes.get(from)
    this.#deps.http.load.requireCapacity()
    if (from !== undefined && !source) return "no source"
    const open = async (opened?: NamedSandbox) => {
      if (this.#sandboxes.has(name)) return "exists"
      const made = this.#open(plan, address, source && opened && { entry: source, opened })
      return this.#show(made, await made.opening)
    }
    return source ? whileInUse(this.#deps.steady, source, open) : open()
  }

  async #save(name: string): ReturnType<SandboxHouse["save"]> {
    const source = this.#sandboxes.get(name)
    this.#deps.http.load.requireCapacity()
    return source && whileInUse(this.#deps.steady, source, async ({ save }) => (await save()) ?? "too large")
  }

  #show = (entry: SandboxEntry, opened: NamedSandbox): Sandbox =>
    showSandbox(entry, opened, this.#deps, this.#deps.http.publicUrl())

  /** What the operations of a named sandbox know of the others. */
  #surroundingsOf(name: string, owner: string): Pick<Making, "name" | "forks" | "house"> {
    const forks: Forks = {
      make: async (copy, address) => {
        const made = await this.#make({ ...unplanned(copy), from: name }, address)
        return typeof made === "string" ? undefined : made
      },
      replaceBy: async (from) => {
        const source = this.#sandboxes.get(from)
        if (!source) return false
        this.#limits.evictForBytes(owner, source)
        const making = { ...unplanned(name), ...this.#surroundingsOf(name, owner) }
        const opened = await whileInUse(this.#deps.steady, source, ({ copy }) => copy(making))
        const { idleMs, madeAt, received } = this.#sandboxes.get(name) ?? source
        this.remove(name)
        this.#add({ name, owner, idleMs, madeAt, received, copiedFrom: from }, Promise.resolve(opened))
        return true
      },
    }
    return { name, forks, house: this.#houseOf(name) }
  }

  /** Closes the sandbox once its requests have their responses. */
  #forget(sandbox: SandboxEntry): void {
    this.#sandboxes.delete(sandbox.name)
    const ending = closeUnused(sandbox)
      .catch((error: unknown) => this.#deps.log.error({ err: error }, "a sandbox did not close"))
      .finally(() => this.#closing.delete(ending))
    this.#closing.add(ending)
  }

  #forgetIdle(): void {
    for (const one of [...this.#sandboxes.values()]) if (this.#limits.isIdleFor(one.idleMs, one)) this.#forget(one)
  }
}
