import type { Logger } from "pino"
import type { Forks } from "../../domain/sandbox/model.ts"
import type { Clock } from "../../kernel/clock.ts"
import type { Awaitable } from "../../kernel/flow/awaitable.ts"
import { addressesIn, networkOf } from "../../kernel/network/ip-address.ts"
import { sandboxPath } from "../../kernel/network/path.ts"
import { Problem } from "../../kernel/problem.ts"
import type { Exchange, Mount } from "../../server/exchange/exchange.ts"
import type { Router } from "../../server/exchange/router.ts"
import type { HttpContext } from "../../server/http-context.ts"
import type { StoreApi } from "../operations/api.ts"
import { type SandboxBounds, sandboxBounds } from "./bounds.ts"
import { requireCreator } from "./creator.ts"
import { type OpenSandbox, SandboxLimits } from "./sandbox-limits.ts"
import { nameIn, refuseName } from "./selected-name.ts"

export type NamedSandbox = {
  router: Router
  mount: Mount
  api: StoreApi
  bytes(): number
  /** Makes another one with everything that it has now. */
  copy: MakeSandbox
  /** Closes long-lived responses. */
  drain(): Promise<void>
  /** Removes everything. Call it once no request is running. */
  close(): Promise<void>
}

type MakeSandbox = (name: string, forks: Forks) => Promise<NamedSandbox>

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
  /** A monotonic clock. */
  steady: Clock
  bounds: Partial<SandboxBounds> | undefined
  /** Why nothing may be written, as the end of a sentence; undefined while writes are accepted. */
  refusesWrites(): string | undefined
}

type SandboxEntry = OpenSandbox & {
  name: string
  opening: Promise<NamedSandbox>
  opened: NamedSandbox | undefined
  /** Called when its last request has its response. */
  left(): void
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
    const forget = (sandbox: SandboxEntry) => this.#forget(sandbox)
    this.#limits = new SandboxLimits({
      bounds: this.#bounds,
      steady: deps.steady,
      isExempt: addressesIn(deps.exempt),
      forget,
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
    if (known) return this.#use(exchange, known)
    // A preflight has no credential, and its response is the same for all sandboxes.
    return exchange.method === "OPTIONS" ? undefined : this.#create(exchange, name)
  }

  /** The names and sizes of the open sandboxes, in the order in which they were made. */
  list(): { name: string; bytes: number }[] {
    return [...this.#sandboxes.values()].filter(({ opened }) => opened).map(({ name, bytes }) => ({ name, bytes }))
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
    return this.#use(exchange, this.#sandboxes.get(name) ?? this.#open(name, exchange.address, this.#deps.open))
  }

  #use(exchange: Exchange, sandbox: SandboxEntry): Awaitable<Router> {
    const { response, method } = exchange
    const { steady } = this.#deps
    sandbox.usedAt = steady.now()
    const mayGrow = growing.has(method)
    if (mayGrow) {
      this.#requireWritable()
      this.#limits.evictForBytes(sandbox.owner, sandbox)
    }
    // After a disconnect the response does not emit `close` again.
    if (!response.destroyed) {
      sandbox.requests++
      response.once("close", () => {
        if (mayGrow) sandbox.bytes = sandbox.opened?.bytes() ?? 0
        this.#leave(sandbox)
      })
    }
    const enter = ({ router, mount }: NamedSandbox) => {
      exchange.mount = mount
      return router
    }
    return sandbox.opened ? enter(sandbox.opened) : sandbox.opening.then(enter)
  }

  #open(name: string, address: string, make: MakeSandbox): SandboxEntry {
    const owner = networkOf(address) ?? "unknown"
    this.#requireWritable()
    this.#limits.evictForBytes(owner)
    this.#limits.make(owner, address)
    return this.#add(name, owner, make(name, this.#forksOf(name, owner)))
  }

  #requireWritable(): void {
    const reason = this.#deps.refusesWrites()
    if (reason === undefined) return
    throw new Problem("unavailable", `The service's own data cannot be written: ${reason}. Nothing was changed`, {
      retryAfter: writableRetryS,
    })
  }

  #add(name: string, owner: string, opening: Promise<NamedSandbox>): SandboxEntry {
    const use = { requests: 0, usedAt: this.#deps.steady.now(), bytes: 0, left: () => {} }
    const sandbox: SandboxEntry = { name, owner, opening, opened: undefined, ...use }
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

  #forksOf(name: string, owner: string): Forks {
    return {
      make: async (copy, address) => {
        const { load, publicUrl } = this.#deps.http
        const source = this.#sandboxes.get(name)
        if (!source || this.#sandboxes.has(copy)) return undefined
        load.requireCapacity()
        await this.#whileInUse(source, ({ copy: make }) => this.#open(copy, address, make).opening)
        return publicUrl() + sandboxPath(copy)
      },
      replaceBy: async (from) => {
        const source = this.#sandboxes.get(from)
        if (!source) return false
        this.#limits.evictForBytes(owner, source)
        const opened = await this.#whileInUse(source, ({ copy }) => copy(name, this.#forksOf(name, owner)))
        const replaced = this.#sandboxes.get(name)
        if (replaced) this.#forget(replaced)
        this.#add(name, owner, Promise.resolve(opened))
        return true
      },
    }
  }

  async #whileInUse<T>(sandbox: SandboxEntry, work: (opened: NamedSandbox) => Promise<T>): Promise<T> {
    sandbox.requests++
    try {
      return await work(await sandbox.opening)
    } finally {
      this.#leave(sandbox)
    }
  }

  #leave(sandbox: SandboxEntry): void {
    sandbox.requests--
    sandbox.usedAt = this.#deps.steady.now()
    if (sandbox.requests === 0) sandbox.left()
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
    for (const one of [...this.#sandboxes.values()])
      if (this.#limits.isIdleFor(this.#bounds.idleMs, one)) this.#forget(one)
  }
}

/** Closes a sandbox once its requests have their responses. One that failed to open has nothing to close. */
async function closeUnused(sandbox: SandboxEntry): Promise<void> {
  const opened = await sandbox.opening.catch(() => undefined)
  if (!opened) return
  await opened.drain()
  if (sandbox.requests > 0)
    await new Promise<void>((resolve) => {
      sandbox.left = resolve
    })
  await opened.close()
}

const writableRetryS = 10

/** Methods that may add data to a sandbox. */
const growing: ReadonlySet<string> = new Set(["POST", "PUT", "PATCH"])
