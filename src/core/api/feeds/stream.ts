import type { Caller } from "../../domain/accounts/model.ts"
import type { StreamPosition } from "../../domain/events/model.ts"
import type { Clock } from "../../kernel/clock.ts"
import type { Exchange } from "../../server/exchange/exchange.ts"
import type { Listener } from "./feed.ts"
import type { ReplayBound } from "./replay.ts"

const retryMs = 2_000

/** Resolves with the expiry of the listener's credential (ms), if it has one; throws when the listener is no longer admitted. */
export type Recheck = () => Promise<number | undefined>

export type Stream = Listener & {
  /** The accounts that its credential depends on. */
  accounts: readonly number[]
  /** When the last text was written, and when the credential was last checked; by a monotonic clock. */
  writtenAt: number
  checkedAt: number
  start(): void
  beat(): void
  /** Checks the credential again; no event is sent until then. */
  check(): Promise<void>
  /** Closes the stream when the credential has expired. */
  closeIfOver(): void
  close(): void
}

export type StreamClocks = {
  clock: Clock
  steady: Clock
  /** The clock of heartbeats and checks. */
  realSteady: Clock
}

/** Whose stream it is, where it starts, when its credential expires (ms), and how it is checked and paid for. */
type StreamTerms = {
  caller: Caller | undefined
  reached: StreamPosition
  endsAt: number | undefined
  recheck: Recheck | undefined
  replay: ReplayBound | undefined
}

/** Writes no more than the client reads: at most one page is unread, and the next is queried only after it was read. */
export function openStream(
  exchange: Exchange,
  { caller, reached, endsAt, recheck, replay }: StreamTerms,
  { clock, steady, realSteady }: StreamClocks,
  onReady: () => void,
): Stream {
  const { response } = exchange
  exchange.headMs = performance.now() - exchange.startedAt
  let isFull = false
  let checks = 0
  response.on("drain", () => {
    isFull = false
    onReady()
  })

  function write(text: string): void {
    stream.writtenAt = realSteady.now()
    if (!response.write(text)) isFull = true
  }

  /** An id without data makes no event but sets `Last-Event-ID` (WHATWG HTML section 9.2.5). */
  const positionText = (): string => `id: ${stream.reached.id}\n\n`
  const isWritable = () => !isFull && checks === 0 && !response.writableEnded

  const stream: Stream = {
    accountId: caller?.account.id,
    accounts: caller ? [caller.account.id, caller.ownerId] : [],
    reached,
    writtenAt: 0,
    checkedAt: realSteady.now(),
    isReady: () => isWritable() && !replay?.isPaused(steady.now()),
    admitPage: async () => replay?.admits(stream.reached.position, steady.now) ?? true,
    start() {
      // A client that has received no event resumes from here when it reconnects.
      write(`retry: ${retryMs}\n${positionText()}`)
    },
    send(events) {
      stream.closeIfOver()
      replay?.record(events)
      // All kinds share one SSE event type, so that a handler misses no future kind.
      if (!response.writableEnded) write(events.map(({ id, json }) => `id: ${id}\ndata: ${json}\n\n`).join(""))
    },
    beat() {
      if (isWritable()) write(`: nothing new\n${positionText()}`)
    },
    async check() {
      if (!recheck) return
      checks++
      stream.checkedAt = realSteady.now()
      try {
        // The same signal empties the cache of principals, possibly after this listener ran.
        await undefined
        endsAt = await recheck()
        stream.closeIfOver()
      } catch {
        // Any error closes the stream: the listener is not known to be admitted.
        stream.close()
      }
      if (--checks === 0 && stream.isReady()) onReady()
    },
    closeIfOver() {
      if (endsAt !== undefined && clock.now() >= endsAt) stream.close()
    },
    close() {
      if (isFull) response.destroy()
      else response.end()
    },
  }
  return stream
}
