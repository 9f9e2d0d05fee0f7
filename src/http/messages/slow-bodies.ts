import type { FastifyInstance, FastifyRequest } from "fastify"

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
 * Ends requests whose bodies come in too slowly like those whose headers do. Node's own `requestTimeout` knows one time
 * for all of them, too short for an honest upload or too long for everything else.
 */
export function cutSlowBodies(app: FastifyInstance, pace: BodyPace): void {
  app.addHook("onRequest", (request, reply, done) => {
    if (hasBody(request)) {
      const stop = isUpload(request) ? watchPace(request, pace) : watchTime(request, pace)
      request.raw.once("end", stop)
      reply.raw.once("close", stop)
    }
    done()
  })
}

/** Whether so much has come in after so long is less than an upload must bring. */
export const isTooSlow = (bytes: number, elapsedMs: number, pace: BodyPace): boolean =>
  elapsedMs > pace.uploadGraceMs && bytes * 1000 < pace.uploadBytesPerSecondMin * elapsedMs

const hasBody = ({ headers }: FastifyRequest): boolean =>
  headers["transfer-encoding"] !== undefined || Number(headers["content-length"] ?? 0) > 0

const isUpload = ({ routeOptions }: FastifyRequest): boolean => routeOptions.config.isUpload === true

function watchTime(request: FastifyRequest, { timeoutMs }: BodyPace): () => void {
  const timer = setTimeout(() => cut(request), timeoutMs)
  return () => clearTimeout(timer)
}

function watchPace(request: FastifyRequest, pace: BodyPace): () => void {
  const { socket } = request.raw
  const [startedAt, bytesBefore] = [performance.now(), socket.bytesRead]
  const timer = setInterval(() => {
    if (isTooSlow(socket.bytesRead - bytesBefore, performance.now() - startedAt, pace)) cut(request)
  }, pace.checkMs)
  return () => clearInterval(timer)
}

function cut({ raw, server }: FastifyRequest): void {
  const error = Object.assign(new Error("the body came in too slowly"), { code: "ERR_HTTP_REQUEST_TIMEOUT" })
  if (!raw.complete) server.server.emit("clientError", error, raw.socket)
}
