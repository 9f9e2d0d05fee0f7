import type { IncomingMessage } from "node:http"
import type { Exchange } from "../exchange.ts"

/** How long a body may take to come in. */
export type BodyPace = {
  /** Any body but an upload, as a whole. */
  timeoutMs: number
  /** From here on an upload has to have come in this fast on average. */
  uploadGraceMs: number
  uploadBytesPerSecondMin: number
  /** How often an upload is looked at. */
  checkMs: number
}

/** A mobile line of 64 kB/s is twice as fast as an upload must be. */
export const bodyPace: BodyPace = {
  timeoutMs: 30_000,
  uploadGraceMs: 10_000,
  uploadBytesPerSecondMin: 32_000,
  checkMs: 1_000,
}

/**
 * Calls `cut` when a body comes in too slowly. Node's own `requestTimeout` knows one time for all of them, too short for
 * an honest upload or too long for everything else.
 */
export function watchBody(exchange: Exchange, pace: BodyPace, cut: () => void): void {
  const { request, response, route } = exchange
  const cutIncomplete = () => request.complete || cut()
  const stop = route?.isUpload ? watchPace(request, pace, cutIncomplete) : watchTime(pace, cutIncomplete)
  request.once("end", stop)
  response.once("close", stop)
}

/** Whether so much has come in after so long is less than an upload must bring. */
export const isTooSlow = (bytes: number, elapsedMs: number, pace: BodyPace): boolean =>
  elapsedMs > pace.uploadGraceMs && bytes * 1000 < pace.uploadBytesPerSecondMin * elapsedMs

function watchTime({ timeoutMs }: BodyPace, cut: () => void): () => void {
  const timer = setTimeout(cut, timeoutMs)
  return () => clearTimeout(timer)
}

function watchPace({ socket }: IncomingMessage, pace: BodyPace, cut: () => void): () => void {
  const [startedAt, bytesBefore] = [performance.now(), socket.bytesRead]
  const timer = setInterval(() => {
    if (isTooSlow(socket.bytesRead - bytesBefore, performance.now() - startedAt, pace)) cut()
  }, pace.checkMs)
  return () => clearInterval(timer)
}
