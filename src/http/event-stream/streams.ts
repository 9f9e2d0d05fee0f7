import type { StreamStart } from "../../domain/events/model.ts"
import type { Invalidation } from "../../domain/ports/signals.ts"
import type { Clock } from "../../kernel/clock.ts"
import type { HttpResponse } from "../../kernel/network/http-response.ts"
import { eventStreamType } from "../../kernel/network/media-types.ts"
import { Problem } from "../../kernel/problem.ts"
import type { Exchange } from "../pipeline/exchange.ts"
import type { Feed } from "./feed.ts"
import { type ReplayCount, replayBound } from "./replay.ts"
import { type Holder, streamRoom } from "./room.ts"
import { openStream, type Recheck, type Stream } from "./stream.ts"

/** How often streams are looked after. */
export type StreamPace = { lookMs: number; heartbeatMs: number; recheckMs: number }

const streamPace: StreamPace = { lookMs: 1_000, heartbeatMs: 15_000, recheckMs: 15_000 }
const drainingRetryAfterS = 5

type StreamsParts = {
  feed: Feed
  clock: Clock
  steady: Clock
  signals: Invalidation
  pace: Partial<StreamPace> | undefined
  writeHead(exchange: Exchange, status: number, headers: readonly string[]): void
  /** Tells whoever watches connections that the response goes on. */
  expectStream(exchange: Exchange): void
}

type Asked = StreamStart & { holder: Holder; recheck?: Recheck; replay?: ReplayCount }

/** Every event stream of this process. */
export type Streams = {
  /** Responds with events behind a place; throws when there is no room. The response to HEAD has no events. */
  open(exchange: Exchange, asked: Asked): Promise<HttpResponse | undefined>
  /** How many are open. */
  count(): number
  /** Ends all of them; their clients may come again. */
  end(): void
  /** Ends all of them, and opens no more. */
  close(): Promise<void>
}

const headers = [
  ...["content-type", eventStreamType, "cache-control", "no-store", "connection", "close"],
  // nginx and what follows its example hold nothing back then.
  ...["x-accel-buffering", "no"],
]

export function eventStreams({
  feed,
  clock,
  steady,
  signals,
  writeHead,
  expectStream,
  ...parts
}: StreamsParts): Streams {
  const pace = { ...streamPace, ...parts.pace }
  const recheckMs = Math.min(pace.recheckMs, signals.unheardMsMax)
  const room = streamRoom()
  const open = new Set<Stream>()
  let isClosed = false
  let timer: NodeJS.Timeout | undefined

  const stopListening = signals.listen(({ accountId }) => {
    for (const stream of open) if (stream.accounts.includes(accountId)) void stream.check()
  })

  function lookAfter(): void {
    const now = steady.now()
    for (const stream of open) {
      stream.endIfOver(clock.now())
      if (now - stream.checkedAt >= recheckMs) void stream.check()
      if (now - stream.writtenAt >= pace.heartbeatMs) stream.beat()
    }
    feed.look()
  }

  function forget(stream: Stream, giveBack: () => void): void {
    open.delete(stream)
    feed.remove(stream)
    giveBack()
    if (open.size > 0) return
    clearInterval(timer)
    timer = undefined
  }

  function end(): void {
    for (const stream of open) stream.end()
  }

  return {
    async open(exchange, { holder, recheck, replay: count, after, last }) {
      if (isClosed)
        throw new Problem("unavailable", "The service is shutting down", { retryAfter: drainingRetryAfterS })
      if (exchange.method === "HEAD") return { status: 200, headers, body: undefined }
      const giveBack = room.take(holder)
      const endsAt = await recheck?.().catch((error: unknown) => {
        giveBack()
        throw error
      })
      const { response } = exchange
      // The client may have gone, or the service begun to stop, meanwhile.
      if (response.destroyed || isClosed) {
        giveBack()
        response.destroy()
        return undefined
      }
      const replay = count && replayBound(count, last)
      const stream = openStream({ exchange, after, endsAt, recheck, replay, clock, steady, look: feed.look })
      open.add(stream)
      response.once("close", () => forget(stream, giveBack))
      timer ??= setInterval(lookAfter, pace.lookMs).unref()
      writeHead(exchange, 200, headers)
      expectStream(exchange)
      stream.begin()
      feed.add(stream, last)
      return undefined
    },
    count: room.open,
    end,
    async close() {
      isClosed = true
      stopListening()
      feed.stop()
      end()
      await feed.idle()
    },
  }
}
