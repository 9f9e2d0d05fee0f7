import type { Caller } from "../../domain/accounts/model.ts"
import type { StreamStart } from "../../domain/events/model.ts"
import type { Invalidation } from "../../domain/ports/signals.ts"
import type { HttpResponse } from "../../kernel/network/http-response.ts"
import { eventStreamType } from "../../kernel/network/media-types.ts"
import { Problem } from "../../kernel/problem.ts"
import type { Exchange } from "../../server/exchange/exchange.ts"
import type { HttpContext } from "../../server/http-context.ts"
import type { Feed } from "./feed.ts"
import { type ReplayCount, replayBound } from "./replay.ts"
import { openStream, type Recheck, type Stream, type StreamClocks } from "./stream.ts"
import { createStreamLimits } from "./stream-limits.ts"

export type StreamPace = { checkMs: number; heartbeatMs: number; recheckMs: number }

const streamPace: StreamPace = { checkMs: 1_000, heartbeatMs: 15_000, recheckMs: 15_000 }

/** It counts for the account of `caller`, or for the address of an anonymous client. */
type StreamRequest = StreamStart & { caller?: Caller; recheck?: Recheck; replay?: ReplayCount }

const headers = [
  "content-type",
  eventStreamType,
  "cache-control",
  "no-store",
  "connection",
  "close",
  // Turns off buffering in nginx and compatible proxies.

  "x-accel-buffering",
  "no",
]

export type Streams = {
  /** Responds with the events after a position; throws when the limit is reached. The response to HEAD has no events. */
  open(exchange: Exchange, requested: StreamRequest): Promise<HttpResponse | undefined>
  /** Their clients may reconnect. */
  closeAll(): void
  /** Closes all streams and refuses new ones. */
  close(): Promise<void>
  count(): number
}

export function openEventStreams(
  feed: Feed,
  signals: Invalidation,
  { writeHead, expectStream }: Pick<HttpContext, "writeHead" | "expectStream">,
  clocks: StreamClocks,
  overrides: Partial<StreamPace> | undefined,
): Streams {
  const { realSteady } = clocks
  const pace = { ...streamPace, ...overrides }
  const recheckMs = Math.min(pace.recheckMs, signals.maxDelayMs)
  const limits = createStreamLimits()
  const streams = new Set<Stream>()
  let isClosed = false
  const timer = setInterval(checkStreams, pace.checkMs).unref()
  const stopListening = signals.listen(({ accountId }) => {
    for (const stream of streams) if (stream.accounts.includes(accountId)) void stream.check()
  })

  async function open(exchange: Exchange, requested: StreamRequest): Promise<HttpResponse | undefined> {
    if (isClosed) throw new Problem("unavailable", "The service is shutting down", { retryAfter: 5 })
    if (exchange.method === "HEAD") return { status: 200, headers, body: undefined }
    const { response } = exchange
    const { caller, recheck, replay: count, after: reached, last } = requested
    using taken = new DisposableStack()
    taken.defer(limits.take(caller?.account.id ?? exchange.address))
    const endsAt = await recheck?.()
    // The client may have disconnected, or the service may be stopping.
    if (response.destroyed || isClosed) return void response.destroy()
    const replay = count && replayBound(count, last.position)
    const stream = openStream(exchange, { caller, reached, endsAt, recheck, replay }, clocks, feed.check)
    const held = taken.move()
    response.once("close", () => {
      streams.delete(stream)
      feed.remove(stream)
      held.dispose()
    })
    streams.add(stream)
    writeHead(exchange, 200, headers)
    expectStream(exchange)
    stream.start()
    feed.add(stream, last)
    return undefined
  }

  function checkStreams(): void {
    if (streams.size === 0) return
    for (const stream of streams) checkOn(stream, realSteady.now(), { ...pace, recheckMs })
    feed.check()
  }

  function closeAll(): void {
    for (const stream of streams) stream.close()
  }

  async function close(): Promise<void> {
    isClosed = true
    clearInterval(timer)
    stopListening()
    feed.close()
    closeAll()
    await feed.idle()
  }

  return { open, closeAll, close, count: limits.open }
}

function checkOn(stream: Stream, now: number, { recheckMs, heartbeatMs }: StreamPace): void {
  stream.closeIfOver()
  if (now - stream.checkedAt >= recheckMs) void stream.check()
  if (now - stream.writtenAt >= heartbeatMs) stream.beat()
}
