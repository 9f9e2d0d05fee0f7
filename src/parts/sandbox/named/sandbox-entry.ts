import type { StoreApi } from "../../../core/api/operations/api.ts"
import { type Clock, timestamp } from "../../../core/kernel/clock.ts"
import { toDuration } from "../../../core/kernel/duration.ts"
import type { Awaitable } from "../../../core/kernel/flow/awaitable.ts"
import type { Json } from "../../../core/kernel/json/json.ts"
import type { Exchange, Mount } from "../../../core/server/exchange/exchange.ts"
import type { Router } from "../../../core/server/exchange/router.ts"
import type { SandboxData } from "../files/contract.ts"
import type { ClockStart, Forks, SandboxPlan, SandboxTime, VisibleSandboxes } from "../model.ts"
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
  /** The text of its file; undefined when it is too large. */
  save(): Promise<Json<{ data: SandboxData }> | undefined>
  readClock: SandboxTime["read"]
  bytes(): number
  /** Makes another one with everything that it has now; the seed is not used. */
  copy: MakeSandbox
  /** Closes long-lived responses. */
  drain(): Promise<void>
  /** Removes everything. Call it once no request is running. */
  close(): Promise<void>
}

/** What a named sandbox is made with. */
export type Making = {
  name: string
  forks: Forks
  visible: VisibleSandboxes
  start: ClockStart
  /** Undefined for the data of the first start as they are. */
  seed: Seed | undefined
  /** What a sandbox file has, instead of a seed. */
  data: SandboxData | undefined
}

export type MakeSandbox = (making: Making) => Promise<NamedSandbox>

/** What a sandbox keeps when its data are replaced by a copy. */
export type EntryFacts = {
  name: string
  owner: string
  idleMs: number
  copiedFrom: string | undefined
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
  readonly opening: Promise<NamedSandbox>
  opened: NamedSandbox | undefined
  requests = 0
  usedAt: number
  bytes = 0
  readonly #steady: Clock
  #left = () => {}

  constructor(facts: EntryFacts, opening: Promise<NamedSandbox>, steady: Clock) {
    this.facts = facts
    this.opening = opening
    this.#steady = steady
    this.usedAt = steady.now()
    opening.then(
      (opened) => {
        this.opened = opened
        this.bytes = opened.bytes()
      },
      () => {},
    )
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
    return this.opened ? enter(this.opened) : this.opening.then(enter)
  }

  /** Makes another sandbox with everything that this one has. */
  copy = (making: Making): Promise<NamedSandbox> => this.whileInUse(({ copy }) => copy(making))

  /** The text of its file. */
  save = (): Promise<Json<{ data: SandboxData }> | "too large"> =>
    this.whileInUse(async ({ save }) => (await save()) ?? "too large")

  /** Closes it once its requests have their responses. One that failed to open has nothing to close. */
  async close(): Promise<void> {
    const opened = await this.opening.catch(() => undefined)
    if (!opened) return
    await opened.drain()
    if (this.requests > 0)
      await new Promise<void>((resolve) => {
        this.#left = resolve
      })
    await opened.close()
  }

  /** As callers see it; undefined until it is open. `clock` has the time of the service. */
  show(clock: Clock, publicUrl: string): Sandbox | undefined {
    if (!this.opened) return undefined
    const { name, madeAt, received, idleMs, copiedFrom } = this.facts
    const inRealTime = (at: number) => timestamp(Math.round(clock.now() - (this.#steady.now() - at)))
    return {
      name,
      url: publicUrl + sandboxPath(name),
      createdAt: inRealTime(madeAt),
      lastRequestAt: inRealTime(this.usedAt),
      requests: received,
      clock: this.opened.readClock(),
      bytes: this.opened.bytes(),
      ...(copiedFrom !== undefined && { copiedFrom }),
      idle: toDuration(idleMs),
    }
  }

  /** Works on it, and keeps it meanwhile. */
  async whileInUse<T>(work: (opened: NamedSandbox) => Promise<T>): Promise<T> {
    this.requests++
    try {
      return await work(await this.opening)
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
  data: undefined,
  start: realTime,
  idleMs: undefined,
})
