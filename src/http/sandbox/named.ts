import { imagesPath } from "../../domain/images/contract.ts"
import type { Awaitable } from "../../kernel/awaitable.ts"
import type { Clock } from "../../kernel/clock.ts"
import { basePath, namedSandboxesPath, v2Path } from "../../kernel/path.ts"
import { Problem } from "../../kernel/problem.ts"
import type { Exchange } from "../exchange.ts"
import type { IpRateLimit } from "../rate-limiting/ip-rate-limit.ts"
import type { Router } from "../router.ts"

/** How many named sandboxes there may be, and how long one is kept that nobody uses. */
export type SandboxBounds = { max: number; idleMs: number; replaceableMs: number; sweepMs: number }

const bounds: SandboxBounds = { max: 100, idleMs: 3_600_000, replaceableMs: 60_000, sweepMs: 60_000 }

/** A store of its own behind the operations. */
export type NamedSandbox = {
  router: Router
  /** Ends what goes on without end. */
  end(): Promise<void>
  /** Forgets everything, once no request is running. */
  close(): Promise<void>
}

type Sandboxes = {
  /** The routes of the sandbox a request names; undefined when it names none. */
  enter(exchange: Exchange): Awaitable<Router> | undefined
  end(): Promise<void>
  close(): Promise<void>
}

type Parts = {
  /** Makes one from the seed. */
  open(name: string): Promise<NamedSandbox>
  limitAddress: IpRateLimit
  requireCapacity(): void
  /** Is told what kept one from closing. */
  report(error: unknown): void
  /** A clock that never jumps. */
  steady: Clock
  bounds: Partial<SandboxBounds> | undefined
}

type Kept = { opening: Promise<NamedSandbox>; router: Router | undefined; requests: number; usedAt: number }

/** Leads requests that name a sandbox to it; one is made when it is first named, and forgotten when nobody uses it. */
export function namedSandboxes(parts: Parts): Sandboxes {
  const { max, idleMs, replaceableMs, sweepMs } = { ...bounds, ...parts.bounds }
  const { steady } = parts
  const kept = new Map<string, Kept>()
  const closing = new Set<Promise<void>>()
  let timer: NodeJS.Timeout | undefined

  function enter(exchange: Exchange): Awaitable<Router> | undefined {
    const name = nameIn(exchange)
    if (name === undefined) return undefined
    const known = kept.get(name)
    return known ? use(exchange, known) : begin(exchange, name)
  }

  async function begin(exchange: Exchange, name: string): Promise<Router> {
    parts.requireCapacity()
    await parts.limitAddress("anonymous", exchange.address)
    return use(exchange, kept.get(name) ?? open(name))
  }

  function use({ response }: Exchange, sandbox: Kept): Awaitable<Router> {
    sandbox.usedAt = steady.now()
    // The client may have gone meanwhile, and nobody would tell that again.
    if (!response.destroyed) {
      sandbox.requests++
      response.once("close", () => {
        sandbox.requests--
        sandbox.usedAt = steady.now()
      })
    }
    return sandbox.router ?? sandbox.opening.then(({ router }) => router)
  }

  function open(name: string): Kept {
    if (kept.size >= max) replaceLeastUsed()
    const opening = parts.open(name)
    const sandbox: Kept = { opening, router: undefined, requests: 0, usedAt: steady.now() }
    kept.set(name, sandbox)
    opening.then(
      ({ router }) => {
        sandbox.router = router
      },
      () => kept.get(name) === sandbox && kept.delete(name),
    )
    timer ??= setInterval(forgetIdle, sweepMs).unref()
    return sandbox
  }

  function replaceLeastUsed(): void {
    const [least] = [...kept].filter(isIdleFor(replaceableMs)).sort(([, one], [, other]) => one.usedAt - other.usedAt)
    if (!least)
      throw new Problem("unavailable", `There are ${max} sandboxes, and each was used within the last minute`, {
        retryAfter: Math.ceil(replaceableMs / 1000),
      })
    forget(...least)
  }

  const isIdleFor =
    (ms: number) =>
    ([, { requests, usedAt }]: [string, Kept]): boolean =>
      requests === 0 && steady.now() - usedAt >= ms

  function forget(name: string, { opening }: Kept): void {
    kept.delete(name)
    const ending = opening
      .then(
        async (sandbox) => {
          await sandbox.end()
          await sandbox.close()
        },
        () => undefined,
      )
      .catch(parts.report)
      .finally(() => closing.delete(ending))
    closing.add(ending)
  }

  function forgetIdle(): void {
    for (const one of [...kept].filter(isIdleFor(idleMs))) forget(...one)
  }

  return {
    enter,
    async end(): Promise<void> {
      await Promise.all([...kept.values()].map(async ({ opening }) => (await opening.catch(() => undefined))?.end()))
    },
    async close(): Promise<void> {
      clearInterval(timer)
      for (const [name, sandbox] of kept) forget(name, sandbox)
      await Promise.all(closing)
    },
  }
}

/** Refuses what names a sandbox where there are none: it was not meant for everybody's data. */
export function noNamedSandboxes(reason: string): Sandboxes {
  const nothing = async () => {}
  return {
    enter({ path, request }) {
      if (request.headers[header] === undefined || !isOwn(path)) return undefined
      throw invalid(`names a sandbox, and ${reason}`)
    },
    end: nothing,
    close: nothing,
  }
}

const header = "petstore-sandbox"
/** What a sandbox has of its own; for everything else the header has no meaning. */
const own = [basePath, v2Path, imagesPath].map((path) => `${path}/`)
const isOwn = (path: string): boolean => own.some((start) => path.startsWith(start))
const form = /^[\w.-]{1,64}$/

/** The sandbox a request names by its header or its path, which then is the one within the sandbox. */
function nameIn(exchange: Exchange): string | undefined {
  const { path } = exchange
  const named = exchange.request.headers[header]
  if (path.startsWith(namedSandboxesPath)) {
    const end = path.indexOf("/", namedSandboxesPath.length)
    if (end < 0) return undefined
    exchange.sandbox = wellFormed(path.slice(namedSandboxesPath.length, end))
    exchange.path = path.slice(end)
    if (named !== undefined && named !== exchange.sandbox)
      throw invalid(`is ${JSON.stringify(named)}, and the path names ${exchange.sandbox}`)
  } else if (named !== undefined && isOwn(path)) exchange.sandbox = wellFormed(String(named))
  return exchange.sandbox
}

function wellFormed(name: string): string {
  if (form.test(name)) return name
  throw invalid("must have 1 to 64 letters, digits and . _ -")
}

const invalid = (detail: string): Problem =>
  new Problem("invalid-parameter", `Petstore-Sandbox ${detail}`, {
    violations: [{ parameter: "Petstore-Sandbox", code: "wrong-form", detail }],
  })
