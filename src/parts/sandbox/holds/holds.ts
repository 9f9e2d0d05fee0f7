import type { Caller } from "../../../core/domain/accounts/model.ts"
import { systemClock, timestamp } from "../../../core/kernel/clock.ts"
import type { Exchange } from "../../../core/server/exchange/exchange.ts"
import { createDelays, type Delays } from "../faults/delayed-responses.ts"
import { observedIn } from "../journal/observed.ts"
import { credentialOf, showTarget } from "../journal/recorded-request.ts"
import { type HeldRequest, heldMax } from "./contract.ts"

/** The longest hold. */
const holdMs = 30_000

/** The requests that a sandbox holds. */
export type Holds = Pick<Delays, "enter" | "wake" | "drain"> & {
  /** Holds a request that has entered, until it is released, its client has disconnected, or its time has passed. */
  keep(exchange: Exchange<Caller>, where: HeldRequest["where"]): Promise<void>
  /** Longest first. */
  list(): HeldRequest[]
  /** False when none with this id is held. */
  release(id: number): boolean
  /** Calls the listener whenever one more is held; returns how to stop. */
  listen(listener: () => void): () => void
}

/** `newId` gives an id to a request that the journal has not numbered. */
export function createHolds(newId: () => number): Holds {
  const { enter, begin, wake, drain } = createDelays({ perKey: heldMax, total: heldMax })
  const held = new Map<number, { shown: HeldRequest; end: () => void }>()
  const listeners = new Set<() => void>()

  return {
    enter,
    wake,
    drain,
    async keep(exchange, where) {
      const observed = observedIn(exchange)
      observed.recordId ??= newId()
      const id = observed.recordId
      const startedAt = performance.now()
      const { ended, end } = begin(exchange, holdMs)
      held.set(id, { shown: show(exchange, id, where), end })
      exchange.unreadMs = Number.POSITIVE_INFINITY
      for (const tell of listeners) tell()
      await ended
      held.delete(id)
      observed.heldMs = performance.now() - startedAt
      exchange.unreadMs = observed.heldMs
    },
    list: () => [...held.values()].map(({ shown }) => shown),
    release(id) {
      held.get(id)?.end()
      return held.delete(id)
    },
    listen(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}

function show(exchange: Exchange<Caller>, id: number, where: HeldRequest["where"]): HeldRequest {
  const { method, caller, route } = exchange
  const now = systemClock.now()
  return {
    id,
    requestId: exchange.id,
    ...(route?.operation !== undefined && { operation: route.operation }),
    method,
    path: showTarget(exchange),
    ...(caller && { caller: credentialOf(caller) }),
    where,
    since: timestamp(now),
    until: timestamp(now + holdMs),
  }
}
