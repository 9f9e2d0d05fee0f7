import type { FastifyInstance } from "fastify"
import type { Logger } from "pino"

/** A SIGINT that comes again this soon is the same keypress: a terminal sends it to the launcher and to the service. */
const sameKeypressMs = 500

export type Draining = {
  log: Logger
  /** How long requests under way are waited for. */
  drainTimeoutMs: number
  /** Shared with `/readyz`. */
  state: { draining: boolean }
  /** Ends the service's own work meanwhile; what takes longer than the signal allows is broken off. */
  finish(impatience: AbortSignal): Promise<void>
  /** What is left to end when the last request has been answered. */
  close(): Promise<void>
}

/**
 * Ends the process in order when it is asked to: nobody is let in any more, requests under way are answered, storage is
 * closed. Asked a second time it ends at once.
 */
export function drainWhenAsked(app: FastifyInstance, { log, drainTimeoutMs, state, finish, close }: Draining): void {
  let askedAt = 0
  app.addHook("onSend", async (_request, reply) => {
    if (state.draining) reply.header("connection", "close")
  })

  async function drain(): Promise<void> {
    state.draining = true
    askedAt = performance.now()
    log.info("draining")
    const impatience = AbortSignal.timeout(drainTimeoutMs)
    impatience.addEventListener("abort", () => app.server.closeAllConnections())
    await Promise.all([app.close(), finish(impatience)])
    await close()
    log.info("stopped")
    log.flush(() => process.exit(0))
  }

  const begin = () =>
    drain().catch((error: unknown) => {
      log.error({ err: error }, "could not stop in order")
      log.flush(() => process.exit(1))
    })

  for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"] as const)
    process.on(signal, () => {
      if (!state.draining) void begin()
      else if (signal === "SIGTERM" || performance.now() - askedAt > sameKeypressMs) process.exit(1)
    })
  // Started by bin/petstore.mjs: whatever ends the launcher ends the service too.
  if (process.connected) process.on("disconnect", () => state.draining || void begin())
}
