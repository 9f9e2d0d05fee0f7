import { setImmediate as nextTurn } from "node:timers/promises"
import type { Logger } from "pino"
import { publishIfPossible } from "../../domain/events/publish.ts"
import { positionOf } from "../../domain/events/rules.ts"
import type { PublishedEvent } from "../../domain/events/store.ts"
import type { Database } from "../../domain/ports/store.ts"
import type { Clock } from "../../kernel/clock.ts"
import { onDemand } from "../../kernel/flow/on-demand.ts"

/** Events read at once. */
const batchMax = 100
/** The account of those who see only what is everybody's. */
const nobody = 0

/** Somebody who is told of events in the order of their places. */
export type Listener = {
  /** Whose events it is told beside everybody's. */
  accountId: number | undefined
  /** The place up to which it has been told everything. */
  after: number
  /** Whether it can take more. */
  isReady(): boolean
  /** Whether it may be told a page of what it has missed; when it may not, it is not ready for a while. */
  admitPage(): Promise<boolean>
  tell(events: readonly PublishedEvent[]): void
}

export type FeedDeps = { store: Database; clock: Clock; log: Logger }

/**
 * Everybody who has been told everything is told the rest by one question for all of them; whoever is behind reads a page
 * at a time, in turn. Places are committed in their order, so that nobody can be told one before an earlier one.
 */
export function eventFeed({ store, clock, log }: FeedDeps) {
  const listeners = new Set<Listener>()
  /** The place up to which those who are not behind have been told everything. */
  let head = 0
  let isPublished = true
  const reading = onDemand(async () => {
    try {
      while (listeners.size > 0 && (await tellMore())) await nextTurn()
    } catch (error) {
      log.error({ err: error }, "event streams could not be continued")
    }
  })
  const stopListening = store.onCommit((changes) => {
    if (listeners.size > 0 && changes.has("event-added")) look()
  })

  /** Adds a listener; `last` is the last place that was given when its own was decided. */
  function add(listener: Listener, last: number): void {
    if (listeners.size === 0) head = last
    listeners.add(listener)
    look()
  }

  /** Looks for what listeners have not been told: another process may have written it, or one can take more now. */
  function look(): void {
    isPublished = false
    reading.ask()
  }

  /** Whether there may be more. */
  async function tellMore(): Promise<boolean> {
    if (!isPublished) {
      isPublished = true
      await publishIfPossible({ store, clock })
    }
    const isMore = await tellFresh()
    return (await tellThoseBehind()) || isMore
  }

  async function tellFresh(): Promise<boolean> {
    const from = head
    const fresh = await store.events.published(from, batchMax)
    const latest = fresh.at(-1)
    if (latest === undefined) return false
    const to = positionOf(latest.id)
    for (const listener of listeners)
      if (listener.after >= from && listener.isReady()) tell(listener, fresh.filter(isFor(listener)), to)
    head = Math.max(head, to)
    return true
  }

  async function tellThoseBehind(): Promise<boolean> {
    const behind = [...listeners].filter((listener) => listener.after < head && listener.isReady())
    for (const listener of behind) {
      if (!(await listener.admitPage())) continue
      const upTo = head
      const page = await store.events.feed(listener.after, listener.accountId ?? nobody, batchMax)
      // A check of its credential may have begun meanwhile.
      if (!listener.isReady()) continue
      const latest = page.at(-1)
      tell(listener, page, page.length < batchMax || !latest ? upTo : positionOf(latest.id))
    }
    return behind.length > 0
  }

  return {
    add,
    remove: (listener: Listener) => void listeners.delete(listener),
    look,
    /** Resolves when nothing is being read any more. */
    idle: async (): Promise<void> => reading.underWay(),
    stop: stopListening,
  }
}

const isFor = (listener: Listener) => (event: { accountId: number | undefined }) =>
  event.accountId === undefined || event.accountId === listener.accountId

/** Tells what the listener has not been told; it then knows everything up to the last of it, and up to `to`. */
function tell(listener: Listener, events: readonly PublishedEvent[], to: number): void {
  const unknown = events.filter(({ id }) => positionOf(id) > listener.after)
  const latest = unknown.at(-1)
  listener.after = Math.max(listener.after, to, latest ? positionOf(latest.id) : 0)
  if (unknown.length > 0) listener.tell(unknown)
}
