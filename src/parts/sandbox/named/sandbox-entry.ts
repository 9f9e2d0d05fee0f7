import type { StoreApi } from "../../../core/api/operations/api.ts"
import type { Store } from "../../../core/domain/ports/store.ts"
import { type Clock, timestamp } from "../../../core/kernel/clock.ts"
import { toDuration } from "../../../core/kernel/duration.ts"
import type { Awaitable } from "../../../core/kernel/flow/awaitable.ts"
import type { Exchange, Mount } from "../../../core/server/exchange/exchange.ts"
import type { Router } from "../../../core/server/exchange/router.ts"
import type { SandboxStream } from "../files/contract.ts"
import type { Keeping, KeptSandbox } from "../files/kept.ts"
import type { ClockStart, Forks, SandboxFile, SandboxPlan, SandboxTime, VisibleSandboxes } from "../model.ts"
import type { Seed } from "../seeds/contract.ts"
import type { Sandbox } from "./contract.ts"
import { sandboxPath } from "./path.ts"
import { mayAddData, type OpenSandbox } from "./sandbox-limits.ts"

/** An open named sandbox. */
export type NamedSandbox = {
  router: Router
  mount: Mount
  api: StoreApi
  /** That with which it started or was reset; undefined for a copy and for the data of a file. */
  seed(): Seed | undefined
  /** The text of its file, as of now. Throws the 503 while too many are read. */
  save(): Promise<SandboxStream>
  readClock: SandboxTime["read"]
  bytes(): number
  /** Makes another one with everything that it has now; the seed is not used. */
  copy: MakeSandbox
  /** Closes long-lived responses. */
  drain(): Promise<void>
  /** Removes everything, or keeps its files. Call it once no request is running. */
  close(keeping?: Keeping): Promise<void>
}

/** A sandbox that waits on the disk for its first request. */
export type SleepingSandbox = KeptSandbox & { readClock: SandboxTime["read"] }

/** The data of a seed, for one reader. */
export type SeedData = { store: Store; close(): Promise<void> }

/** What a named sandbox is made with. */
export type Making = {
  name: string
  forks: Forks
  visible: VisibleSandboxes
  start: ClockStart
  /** Undefined for the data of the first start as they are. */
  seed: Seed | undefined
  /** The sandbox file of which it is made, instead of a seed. */
  file: SandboxFile | undefined
}

export type MakeSandbox = (making: Making) => Promise<NamedSandbox>

/** What a sandbox keeps when its data are replaced by a copy. */
export type EntryFacts = {
  name: string
  owner: string
  idleMs: number
  copiedFrom?: string | undefined
  /** By a monotonic clock. */
  madeAt: number
  /** Number of requests so far. */
  received: number
}

/**
 * One named sandbox and its life: it opens, is used by requests, copied and saved, and closes once no request uses it. A monotonic
 * clock says since when it is unused.
 */
export class SandboxEntry implements OpenSandbox {
  readonly facts: EntryFacts
  opened: NamedSandbox | undefined
  requests = 0
  usedAt: number
  bytes = 0
  readonly #make: () => Promise<NamedSandbox>
  readonly #steady: Clock
  readonly #asleep: SleepingSandbox | undefined
  #opening: Promise<NamedSandbox> | undefined
  #left = () => {}

  constructor(facts: EntryFacts, make: () => Promise<NamedSandbox>, steady: Clock, asleep?: SleepingSandbox) {
    this.facts = facts
    this.#make = make
    this.#steady = steady
    this.#asleep = asleep
    const now = steady.now()
    this.usedAt = Math.min(now, asleep?.facts.usedAt ?? now)
    this.bytes = asleep?.facts.bytes ?? 0
  }

  /** Opens it, unless it is open. One that sleeps still does so when that fails. */
  open(): Promise<NamedSandbox> {
    this.#opening ??= this.#open().catch((error) => {
      this.#opening = undefined
      throw error
    })
    return this.#opening
  }

  async #open(): Promise<NamedSandbox> {
    const opened = await this.#make()
    this.opened = opened
    this.bytes = opened.bytes()
    return opened
  }

  get name(): string {
    return this.facts.name
  }

  get owner(): string {
    return this.facts.owner
  }

  /** Keeps it for a request until its response has ended; returns its routes. */
  use(exchange: Exchange): Awaitable<Router> {
    const { response, method } = exchange
    this.usedAt = this.#steady.now()
    // After a disconnect the response does not emit `close` again.
    if (!response.destroyed) {
      this.requests++
      response.once("close", () => {
        if (mayAddData(method)) this.bytes = this.opened?.bytes() ?? 0
        this.#leave()
      })
    }
    const enter = ({ router, mount }: NamedSandbox) => {
      exchange.mount = mount
      mount.observer.arrive?.(exchange) // Requests that wait for a new sandbox continue in another order.
      return router
    }
    return this.opened ? enter(this.opened) : this.open().then(enter)
  }

  /** Makes another sandbox with everything that this one has. */
  copy = (making: Making): Promise<NamedSandbox> => this.whileInUse(({ copy }) => copy(making))

  /** The text of its file. */
  save = (): Promise<SandboxStream> => this.whileInUse(({ save }) => save())

  /** Closes long-lived responses. */
  async drain(): Promise<void> {
    await (await this.#opening?.catch(() => undefined))?.drain()
  }

  /** Closes it once its requests have their responses, and removes everything; with a signal it is kept instead, unless that is late. */
  async close(late?: AbortSignal): Promise<void> {
    await this.drain()
    const { opened, usedAt, facts } = this
    if (!opened) return late ? undefined : this.#asleep?.remove()
    if (this.requests > 0)
      await new Promise<void>((resolve) => {
        this.#left = resolve
      })
    await opened.close(late && { facts: { ...facts, usedAt }, late })
  }

  /** As callers see it; undefined until it is open. `clock` has the time of the service. */
  show(clock: Clock, publicUrl: string): Sandbox | undefined {
    const { opened } = this
    if (!opened && !this.#asleep) return undefined
    const { name, madeAt, received, idleMs, copiedFrom } = this.facts
    const inRealTime = (at: number) => timestamp(Math.round(clock.now() - (this.#steady.now() - at)))
    return {
      name,
      url: publicUrl + sandboxPath(name),
      createdAt: inRealTime(madeAt),
      lastRequestAt: inRealTime(this.usedAt),
      requests: received,
      clock: (opened ?? (this.#asleep as SleepingSandbox)).readClock(),
      bytes: opened?.bytes() ?? this.bytes,
      ...(!opened && { sleeping: true }),
      ...(copiedFrom !== undefined && { copiedFrom }),
      idle: toDuration(idleMs),
    }
  }

  /** Works on it, and keeps it meanwhile. */
  async whileInUse<T>(work: (opened: NamedSandbox) => Promise<T>): Promise<T> {
    this.requests++
    try {
      return await work(await this.open())
    } finally {
      this.#leave()
    }
  }

  #leave(): void {
    this.requests--
    this.usedAt = this.#steady.now()
    if (this.requests === 0) this.#left()
  }
}

const realTime: ClockStart = { at: undefined, isFrozen: false }

/** A sandbox of which only the name is known. */
export const unplanned = (name: string): SandboxPlan => ({
  name,
  seed: undefined,
  from: undefined,
  file: undefined,
  start: realTime,
  idleMs: undefined,
})
