import type { Clock } from "../../kernel/clock.ts"
import type { Exchange } from "../pipeline/exchange.ts"
import type { Listener } from "./feed.ts"
import { eventMessage, heartbeat, opening } from "./message.ts"
import type { replayBound } from "./replay.ts"

/** Whether whoever listens may go on: resolves with the time their credential ends (ms), if it does, else throws. */
export type Recheck = () => Promise<number | undefined>

/** One response that tells of events. */
export type Stream = Listener & {
  /** The accounts whose credentials it depends on. */
  accounts: readonly number[]
  /** When something was written last, and when whoever listens was last known to be allowed to; on a steady clock. */
  writtenAt: number
  checkedAt: number
  begin(): void
  beat(): void
  /** Asks again whether it may go on; until that is known nothing is told. */
  check(): Promise<void>
  /** Ends it when the credential has ended by this time (ms). */
  endIfOver(now: number): void
  end(): void
}

type Opened = {
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
export function openStream({ exchange, after, endsAt, recheck, replay, clock, steady, look }: Opened): Stream {
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
      write(opening(after))
    },
    tell(events) {
      stream.endIfOver(clock.now())
      replay?.told(events)
      if (!response.writableEnded) write(events.map(eventMessage).join(""))
    },
    beat() {
      if (isWritable()) write(heartbeat(stream.after))
    },
    async check() {
      if (!recheck) return
      checks++
      stream.checkedAt = steady.now()
      try {
        // What is remembered of credentials is forgotten on the same signal, perhaps after this stream has heard it.
        await undefined
        endsAt = await recheck()
        stream.endIfOver(clock.now())
      } catch {
        // Whatever it is: who listens is not known to be allowed to.
        stream.end()
      }
      if (--checks === 0 && stream.isReady()) look()
    },
    endIfOver(now) {
      if (endsAt !== undefined && now >= endsAt) stream.end()
    },
    end() {
      if (isFull) response.destroy()
      else response.end()
    },
  }
  return stream
}
