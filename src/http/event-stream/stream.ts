import { placeIdOf } from "../../domain/events/rules.ts"
import type { Clock } from "../../kernel/clock.ts"
import type { Exchange } from "../pipeline/exchange.ts"
import type { Listener } from "./feed.ts"
import type { replayBound } from "./replay.ts"

/** How long a client waits before it connects again. */
const retryMs = 2_000

/** Whether the listener may go on: resolves with the time their credential ends (ms), if it does, else throws. */
export type Recheck = () => Promise<number | undefined>

/** One response that tells of events. */
export type Stream = Listener & {
  /** The accounts whose credentials it depends on. */
  accounts: readonly number[]
  /** When something was written last, and when the credential was last checked; on a steady clock. */
  writtenAt: number
  checkedAt: number
  begin(): void
  beat(): void
  /** Checks the credential again; until that is done nothing is told. */
  check(): Promise<void>
  /** Ends it when the credential has ended. */
  endIfOver(): void
  end(): void
}

type StreamDeps = {
  exchange: Exchange
  after: number
  endsAt: number | undefined
  recheck: Recheck | undefined
  /** Bounds what is told from before the stream began. */
  replay: ReturnType<typeof replayBound> | undefined
  clock: Clock
  steady: Clock
  /** Called when it can take more. */
  look(): void
}

/**
 * Writes no more than the client reads: what it has not taken yet is at most one page, and the next is read from storage
 * once it has.
 */
export function openStream({ exchange, after, endsAt, recheck, replay, clock, steady, look }: StreamDeps): Stream {
  const { response, caller } = exchange
  let isFull = false
  let checks = 0
  response.on("drain", () => {
    isFull = false
    look()
  })

  function write(text: string): void {
    stream.writtenAt = steady.now()
    if (!response.write(text)) isFull = true
  }

  const isWritable = () => !isFull && checks === 0 && !response.writableEnded

  const stream: Stream = {
    accountId: caller?.account.id,
    accounts: caller ? [caller.account.id, caller.ownerId] : [],
    after,
    writtenAt: 0,
    checkedAt: steady.now(),
    isReady: () => isWritable() && !replay?.isPaused(steady.now()),
    admitPage: async () => replay?.admits(stream.after, steady.now) ?? true,
    begin() {
      exchange.headMs = performance.now() - exchange.startedAt
      // A client that has received nothing goes on from here when it connects again.
      write(`retry: ${retryMs}\n${place(after)}`)
    },
    tell(events) {
      stream.endIfOver()
      replay?.told(events)
      // All kinds are of one type, so that a handler misses no later one.
      if (!response.writableEnded) write(events.map(({ id, json }) => `id: ${id}\ndata: ${json}\n\n`).join(""))
    },
    beat() {
      if (isWritable()) write(`: nothing new\n${place(stream.after)}`)
    },
    async check() {
      if (!recheck) return
      checks++
      stream.checkedAt = steady.now()
      try {
        // What is remembered of credentials is forgotten on the same signal, perhaps after this stream has heard it.
        await undefined
        endsAt = await recheck()
        stream.endIfOver()
      } catch {
        // Whatever it is: who listens is not known to be allowed to.
        stream.end()
      }
      if (--checks === 0 && stream.isReady()) look()
    },
    endIfOver() {
      if (endsAt !== undefined && clock.now() >= endsAt) stream.end()
    },
    end() {
      if (isFull) response.destroy()
      else response.end()
    },
  }
  return stream
}

/** An id without data makes no event; it is what `Last-Event-ID` says next (WHATWG HTML section 9.2.5). */
const place = (after: number): string => `id: ${placeIdOf(after)}\n\n`
