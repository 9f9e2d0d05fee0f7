// Decision: docs/decisions/delivery.md#an-event-stream-is-the-feed-pushed

import { setImmediate as nextTurn } from "node:timers/promises"
import type { Logger } from "pino"
import type { StreamPosition } from "../../domain/events/model.ts"
import { publishIfPossible } from "../../domain/events/publish.ts"
import { eventIdAt, positionOf } from "../../domain/events/rules.ts"
import type { PublishedEvent } from "../../domain/events/store.ts"
import type { Database } from "../../domain/ports/store.ts"
import type { Clock } from "../../kernel/clock.ts"
import { onDemand } from "../../kernel/flow/on-demand.ts"

/** Events read at once. */
const batchSize = 100
/** An account that owns nothing: its feed has public events only. */
const noAccount = 0

/** A receiver of events in the order of their positions. */
export type Listener = {
  /** The account whose events it receives beside public ones. */
  accountId: number | undefined
  /** The position up to which it has received everything. */
  reached: StreamPosition
  isReady(): boolean
  /** Whether it may receive a page of the events it has missed. If not, it stays not ready for a while. */
  admitPage(): Promise<boolean>
  send(events: readonly FeedItem[]): void
}

export type FeedItem = { id: string; json: string }

export type Feed = {
  /** Adds a listener; `last` is the last position when its own was decided. */
  add(listener: Listener, last: StreamPosition): void
  remove(listener: Listener): void
  /** Checks for new events: another process may have written some, or a listener may be ready again. */
  check(): void
  /** Resolves when no read is running. */
  idle(): Promise<void>
  close(): void
}

/**
 * One query serves all listeners that are up to date; a listener that is behind reads a page at a time, in turn. Positions are
 * committed in order, so none is sent before an earlier one.
 */
export function openEventFeed({ store, clock, log }: { store: Database; clock: Clock; log: Logger }): Feed {
  const listeners = new Set<Listener>()
  /** The position up to which listeners that are up to date have received everything. */
  let head: StreamPosition = { position: 0, id: eventIdAt(0) }
  let isPublished = true
  const reading = onDemand(async () => {
    try {
      while (listeners.size > 0 && (await sendMore())) await nextTurn()
    } catch (error) {
      log.error({ err: error }, "event streams could not be continued")
    }
  })
  const stopListening = store.onCommit((changes) => {
    if (listeners.size > 0 && changes.has("event-added")) check()
  })

  function add(listener: Listener, last: StreamPosition): void {
    if (listeners.size === 0) head = last
    listeners.add(listener)
    check()
  }

  function check(): void {
    isPublished = false
    reading.ask()
  }

  /** Returns whether there may be more. */
  async function sendMore(): Promise<boolean> {
    if (!isPublished) {
      isPublished = true
      await publishIfPossible({ store, clock })
    }
    const isMore = await sendNew()
    return (await sendMissed()) || isMore
  }

  async function sendNew(): Promise<boolean> {
    const from = head.position
    const fresh = await store.events.published(from, batchSize)
    const latest = fresh.at(-1)
    if (latest === undefined) return false
    const to = { position: positionOf(latest.id), id: latest.positionId }
    for (const listener of listeners)
      if (listener.reached.position >= from && listener.isReady()) send(listener, fresh.filter(isFor(listener)), to)
    head = later(head, to)
    return true
  }

  async function sendMissed(): Promise<boolean> {
    const behind = [...listeners].filter((listener) => listener.reached.position < head.position && listener.isReady())
    for (const listener of behind) {
      if (!(await listener.admitPage())) continue
      const upTo = head
      const page = await store.events.feed(listener.reached.position, listener.accountId ?? noAccount, batchSize)
      // A check of its credential may have started meanwhile.
      if (!listener.isReady()) continue
      const latest = page.at(-1)
      send(listener, page, page.length < batchSize || !latest ? upTo : streamPositionOf(latest))
    }
    return behind.length > 0
  }

  return {
    add,
    remove: (listener) => void listeners.delete(listener),
    check,
    idle: async () => reading.underWay(),
    close: stopListening,
  }
}

const isFor = (listener: Listener) => (event: { accountId: number | undefined }) =>
  event.accountId === undefined || event.accountId === listener.accountId

/** Sends a listener the events it has not received; it is then up to date with the last of them, and with `to`. */
function send(listener: Listener, events: readonly PublishedEvent[], to: StreamPosition): void {
  const unknown = events.filter(({ id }) => positionOf(id) > listener.reached.position)
  const latest = unknown.at(-1)
  listener.reached = later(later(listener.reached, to), latest ? streamPositionOf(latest) : to)
  if (unknown.length > 0) listener.send(unknown)
}

const streamPositionOf = ({ id }: PublishedEvent): StreamPosition => ({ position: positionOf(id), id })

const later = (one: StreamPosition, other: StreamPosition): StreamPosition =>
  other.position > one.position ? other : one
