import type { Clock } from "../../../core/kernel/clock.ts"
import { Problem } from "../../../core/kernel/problem.ts"
import { mebibyte, type SandboxBounds } from "./bounds.ts"
import { chooseEvicted, type Usage } from "./eviction.ts"

/** A sandbox that counts towards the limits; `bytes` are those of its data. */
export type OpenSandbox = Usage & { name: string; bytes: number }

type LimitsParts<G extends OpenSandbox> = {
  bounds: SandboxBounds
  /** A monotonic clock. */
  steady: Clock
  sandboxes: ReadonlyMap<string, G>
  closing: ReadonlySet<unknown>
  isExempt(address: string): boolean
  forget(sandbox: G): void
}

/** Bounds the sandboxes of a process: evicts others for a new one, or refuses it. */
export class SandboxLimits<G extends OpenSandbox = OpenSandbox> {
  readonly #deps: LimitsParts<G>

  constructor(deps: LimitsParts<G>) {
    this.#deps = deps
  }

  /** Throws the 503 when the limit is reached and none may be evicted for this owner. */
  make(owner: string, address: string): void {
    const { sandboxes, closing, forget, isExempt } = this.#deps
    const { max, ofAddressMax, ofExemptMax } = this.#deps.bounds
    const ofOwnerMax = isExempt(address) ? ofExemptMax : ofAddressMax
    const all = [...sandboxes.values()]
    const own = all.filter((each) => each.owner === owner)
    const isOwnFull = own.length >= ofOwnerMax
    if (!isOwnFull && all.length < max && closing.size < max) return
    const isIdle = this.#isReplaceable
    const evicted = chooseEvicted(isOwnFull ? own : all, { owner, adds: 1, sizeOf: () => 1, isIdle })
    if (!evicted || closing.size >= max)
      throw this.#full(
        isOwnFull ? `Your address has ${ofOwnerMax} sandboxes` : `There are ${max} sandboxes`,
        isOwnFull ? own : all,
      )
    forget(evicted)
  }

  /** Throws the 503 when they are too large together, and none except `except` may be evicted for this owner. */
  evictForBytes(owner: string, except?: G): void {
    const { sandboxes, forget } = this.#deps
    const { bytesMax } = this.#deps.bounds
    for (;;) {
      let bytes = 0
      for (const each of sandboxes.values()) bytes += each.bytes
      if (bytes < bytesMax) return
      const others = [...sandboxes.values()].filter((each) => each !== except)
      const need = { owner, adds: 0, sizeOf: ({ bytes }: G) => bytes, isIdle: this.#isReplaceable }
      const evicted = chooseEvicted(others, need)
      if (!evicted) throw this.#full(`The sandboxes hold ${Math.floor(bytesMax / mebibyte)} MiB together`, others)
      forget(evicted)
    }
  }

  /** Says which of these makes way first, and when. */
  #full(reason: string, occupants: readonly G[]): Problem {
    const { steady, bounds } = this.#deps
    const [first] = occupants.filter(({ requests }) => requests === 0).sort((one, other) => one.usedAt - other.usedAt)
    const waitMs = first ? first.usedAt + bounds.replaceableMs - steady.now() : bounds.replaceableMs
    const retryAfter = Math.max(1, Math.ceil(waitMs / 1000))
    const next = first
      ? `${first.name}, unused for longest, makes way in ${retryAfter} s, or at once with DELETE /sandboxes/${first.name}`
      : "Requests to all of them are running"
    return new Problem(
      "unavailable",
      `${reason}, and each was used within the last minute. Nothing was changed. ${next}`,
      { retryAfter },
    )
  }

  readonly #isReplaceable = (sandbox: G): boolean => this.isIdleFor(this.#deps.bounds.replaceableMs, sandbox)

  isIdleFor(ms: number, { requests, usedAt }: OpenSandbox): boolean {
    return requests === 0 && this.#deps.steady.now() - usedAt >= ms
  }
}

/** Throws the 503 when the service's own data cannot be written, for this reason. */
export function requireWritable(reason: string | undefined): void {
  if (reason === undefined) return
  throw new Problem("unavailable", `The service's own data cannot be written: ${reason}. Nothing was changed`, {
    retryAfter: writableRetryS,
  })
}

const writableRetryS = 10

/** Whether a request with this method may add data to a sandbox. */
export const mayAddData = (method: string): boolean => method === "POST" || method === "PUT" || method === "PATCH"
