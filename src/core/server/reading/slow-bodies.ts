// Decision: docs/decisions/http.md#bodies-have-their-own-timeouts

import type { Exchange } from "../exchange/exchange.ts"

export type BodyPace = typeof bodyPace

export const bodyPace = {
  /** For any body except an upload. */
  timeoutMs: 30_000,
  /** After this time an upload must average this rate, half that of a mobile line of 64 kB/s. */
  uploadGraceMs: 10_000,
  uploadBytesPerSecondMin: 32_000,
  checkMs: 1_000,
}

/** Whether an upload is below the minimum rate. */
export const isTooSlow = (bytes: number, elapsedMs: number, pace: BodyPace): boolean =>
  elapsedMs > pace.uploadGraceMs && bytes * 1000 < pace.uploadBytesPerSecondMin * elapsedMs

type Watched = { exchange: Exchange; bytesBefore: number }

/**
 * Calls `cut` when a body arrives too slowly. Node's `requestTimeout` is one time for all requests, too short for an
 * honest upload or too long for everything else.
 */
export function watchBodies(pace: BodyPace, cut: (exchange: Exchange) => void): (exchange: Exchange) => void {
  const watched = new Set<Watched>()
  let arrived: Exchange[] = []
  let timer: NodeJS.Timeout | undefined

  /** Most bodies arrive with their heads and are complete by now: they cost neither a timer nor a listener. */
  function watchIncomplete(): void {
    for (const exchange of arrived)
      if (!isOver(exchange)) watched.add({ exchange, bytesBefore: exchange.request.socket.bytesRead })
    arrived = []
    if (watched.size > 0) timer ??= setInterval(cutSlow, pace.checkMs).unref()
  }

  function cutSlow(): void {
    for (const one of watched) {
      const isLate = isTooLate(one, performance.now(), pace)
      if (isLate || isOver(one.exchange)) watched.delete(one)
      if (isLate && !isOver(one.exchange)) cut(one.exchange)
    }
    if (watched.size > 0) return
    clearInterval(timer)
    timer = undefined
  }

  return (exchange) => {
    if (arrived.length === 0) setImmediate(watchIncomplete)
    arrived.push(exchange)
  }
}

const isOver = ({ request, response }: Exchange): boolean =>
  request.complete || request.destroyed || response.writableFinished

function isTooLate({ exchange, bytesBefore }: Watched, now: number, pace: BodyPace): boolean {
  const elapsedMs = now - exchange.startedAt - exchange.unreadMs
  if (!exchange.route?.isUpload) return elapsedMs > pace.timeoutMs
  return isTooSlow(exchange.request.socket.bytesRead - bytesBefore, elapsedMs, pace)
}
