import type { Clock } from "../../kernel/clock.ts"
import type { Awaitable } from "../../kernel/flow/awaitable.ts"
import { addressesIn, networkOf } from "../../kernel/network/ip-address.ts"
import { Problem } from "../../kernel/problem.ts"
import type { Exchange } from "../pipeline/exchange.ts"
import type { Router } from "../pipeline/router.ts"
import { chooseEvicted, type Occupant } from "./eviction.ts"
import { nameIn, refuseName } from "./selected-name.ts"

/** How many named sandboxes there may be, how much they may hold together, and how long an unused one is kept. */
export type SandboxBounds = {
  max: number
  /** Of them, those of one client address (an IPv6 /64 together), and of one that is exempt from limits. */
  ofAddressMax: number
  ofExemptMax: number
  bytesMax: number
  idleMs: number
  /** A sandbox that was used within this time makes no room for others of the same address. */
  replaceableMs: number
  sweepMs: number
}

const mebibyte = 1024 * 1024
const bounds: SandboxBounds = {
  max: 100,
  ofAddressMax: 10,
  ofExemptMax: 100,
  bytesMax: 1024 * mebibyte,
  idleMs: 3_600_000,
  replaceableMs: 60_000,
  sweepMs: 60_000,
}

/** A store of its own behind the operations. */
export type NamedSandbox = {
  router: Router
  /** How large its files are. */
  bytes(): number
  /** Ends what goes on without end. */
  end(): Promise<void>
  /** Forgets everything, once no request is running. */
  close(): Promise<void>
}

type Sandboxes = {
  /** The routes of the sandbox a request names; undefined when it names none, and for a preflight to one that does not exist. */
  enter(exchange: Exchange): Awaitable<Router> | undefined
  end(): Promise<void>
  close(): Promise<void>
}

type Parts = {
  /** Makes one from the seed. */
  open(name: string): Promise<NamedSandbox>
  /** Throws unless the request may create the sandbox it names. */
  requireCreator(exchange: Exchange): Promise<void>
  requireCapacity(): void
  /** Address blocks that are exempt from limits. */
  exempt: readonly string[]
  /** Is told what kept one from closing. */
  report(error: unknown): void
  /** A clock that never jumps. */
  steady: Clock
  bounds: Partial<SandboxBounds> | undefined
}

type Kept = Occupant & {
  name: string
  opening: Promise<NamedSandbox>
  opened: NamedSandbox | undefined
  bytes: number
  /** Called when its last request has its response. */
  left(): void
}

/** Leads requests that name a sandbox to it; one is made when it is first named, and forgotten when nobody uses it. */
export function namedSandboxes(parts: Parts): Sandboxes {
  const { max, ofAddressMax, ofExemptMax, bytesMax, idleMs, replaceableMs, sweepMs } = { ...bounds, ...parts.bounds }
  const { steady } = parts
  const isExempt = addressesIn(parts.exempt)
  const kept = new Map<string, Kept>()
  const closing = new Set<Promise<void>>()
  let timer: NodeJS.Timeout | undefined

  function enter(exchange: Exchange): Awaitable<Router> | undefined {
    const name = nameIn(exchange)
    if (name === undefined) return undefined
    const known = kept.get(name)
    if (known) return use(exchange, known)
    // A browser sends no credential with it, and the response is that of the service itself.
    return exchange.method === "OPTIONS" ? undefined : begin(exchange, name)
  }

  async function begin(exchange: Exchange, name: string): Promise<Router> {
    parts.requireCapacity()
    await parts.requireCreator(exchange)
    return use(exchange, kept.get(name) ?? open(name, exchange.address))
  }

  function use({ response, method }: Exchange, sandbox: Kept): Awaitable<Router> {
    sandbox.usedAt = steady.now()
    const mayGrow = growing.has(method)
    if (mayGrow) makeRoomForBytes(sandbox.owner, sandbox)
    // The client may have gone meanwhile, and nobody would tell that again.
    if (!response.destroyed) {
      sandbox.requests++
      response.once("close", () => {
        sandbox.requests--
        sandbox.usedAt = steady.now()
        if (mayGrow) measure(sandbox)
        if (sandbox.requests === 0) sandbox.left()
      })
    }
    return sandbox.opened?.router ?? sandbox.opening.then(({ router }) => router)
  }

  function open(name: string, address: string): Kept {
    const owner = networkOf(address) ?? "unknown"
    makeRoomForBytes(owner)
    makeRoom(owner, isExempt(address) ? ofExemptMax : ofAddressMax)
    const opening = parts.open(name)
    const use = { requests: 0, usedAt: steady.now(), bytes: 0, left: () => {} }
    const sandbox: Kept = { name, owner, opening, opened: undefined, ...use }
    kept.set(name, sandbox)
    opening.then(
      (opened) => {
        sandbox.opened = opened
        measure(sandbox)
      },
      () => kept.get(name) === sandbox && kept.delete(name),
    )
    timer ??= setInterval(forgetIdle, sweepMs).unref()
    return sandbox
  }

  /** Throws the 503 when there are too many, and none may be evicted for another one of this owner. */
  function makeRoom(owner: string, ofOwnerMax: number): void {
    const own = [...kept.values()].filter((each) => each.owner === owner)
    const isOwnFull = own.length >= ofOwnerMax
    if (!isOwnFull && kept.size < max && closing.size < max) return
    const evicted = chooseEvicted(isOwnFull ? own : [...kept.values()], { owner, adds: 1, weigh: () => 1, isIdle })
    if (!evicted || closing.size >= max)
      throw full(isOwnFull ? `Your address has ${ofOwnerMax} sandboxes` : `There are ${max} sandboxes`)
    forget(evicted)
  }

  /** Throws the 503 when all of them are too large together, and none but `spared` may be evicted for this owner. */
  function makeRoomForBytes(owner: string, spared?: Kept): void {
    for (;;) {
      let bytes = 0
      for (const each of kept.values()) bytes += each.bytes
      if (bytes < bytesMax) return
      const others = [...kept.values()].filter((each) => each !== spared)
      const evicted = chooseEvicted(others, { owner, adds: 0, weigh: ({ bytes }) => bytes, isIdle })
      if (!evicted) throw full(`The sandboxes hold ${Math.floor(bytesMax / mebibyte)} MiB together`)
      forget(evicted)
    }
  }

  const full = (reason: string): Problem =>
    new Problem("unavailable", `${reason}, and each was used within the last minute. Nothing was changed`, {
      retryAfter: Math.ceil(replaceableMs / 1000),
    })

  const isIdleFor =
    (ms: number) =>
    ({ requests, usedAt }: Kept): boolean =>
      requests === 0 && steady.now() - usedAt >= ms
  const isIdle = isIdleFor(replaceableMs)

  /** Closes it once the requests for it have their responses. */
  function forget(sandbox: Kept): void {
    kept.delete(sandbox.name)
    const ending = sandbox.opening
      .then(
        async (opened) => {
          await opened.end()
          if (sandbox.requests > 0)
            await new Promise<void>((resolve) => {
              sandbox.left = resolve
            })
          await opened.close()
        },
        () => undefined,
      )
      .catch(parts.report)
      .finally(() => closing.delete(ending))
    closing.add(ending)
  }

  function forgetIdle(): void {
    for (const one of [...kept.values()].filter(isIdleFor(idleMs))) forget(one)
  }

  return {
    enter,
    async end(): Promise<void> {
      await Promise.all([...kept.values()].map(async ({ opening }) => (await opening.catch(() => undefined))?.end()))
    },
    async close(): Promise<void> {
      clearInterval(timer)
      for (const sandbox of kept.values()) forget(sandbox)
      await Promise.all(closing)
    },
  }
}

/** Methods whose requests may add to what a sandbox holds. */
const growing: ReadonlySet<string> = new Set(["POST", "PUT", "PATCH"])

function measure(sandbox: Kept): void {
  sandbox.bytes = sandbox.opened?.bytes() ?? 0
}

/** Refuses what names a sandbox where there are none. */
export function noNamedSandboxes(reason: string): Sandboxes {
  const nothing = async () => {}
  return {
    enter(exchange) {
      refuseName(exchange, reason)
      return undefined
    },
    end: nothing,
    close: nothing,
  }
}
