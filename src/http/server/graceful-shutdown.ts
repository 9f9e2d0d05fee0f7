import type { Logger } from "pino"

/** A SIGINT that comes again this soon is the same keypress: a terminal sends it to the launcher and to the service. */
const sameKeypressMs = 500

type Stoppable = { stop(impatience: AbortSignal): Promise<void>; isDraining(): boolean }

/**
 * Ends the process in order when it is asked to: nobody is let in any more, requests under way are answered within the
 * timeout, storage is closed. Asked a second time it ends at once.
 */
export function stopWhenAsked(service: Stoppable, log: Logger, timeoutMs: number): void {
  let askedAt = 0

  async function stop(): Promise<void> {
    askedAt = performance.now()
    log.info("draining")
    await service.stop(AbortSignal.timeout(timeoutMs))
    log.info("stopped")
    log.flush(() => process.exit(0))
  }

  const begin = () =>
    stop().catch((error: unknown) => {
      log.error({ err: error }, "could not stop in order")
      log.flush(() => process.exit(1))
    })

  for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"] as const)
    process.on(signal, () => {
      if (!service.isDraining()) void begin()
      else if (signal === "SIGTERM" || performance.now() - askedAt > sameKeypressMs) process.exit(1)
    })
  // Started by bin/petstore.mjs: whatever ends the launcher ends the service too.
  if (process.connected) process.on("disconnect", () => service.isDraining() || void begin())
}

/** Logs what nothing handles and ends the process with exit code 1: what it would do next cannot be relied on. */
export function endOnFatalErrors(log: Logger): void {
  process.on("uncaughtException", (error) => {
    log.error({ err: error }, "ended by an error")
    log.flush(() => process.exit(1))
    // Standard output may be what failed.
    setTimeout(() => process.exit(1), 1_000)
  })
}
