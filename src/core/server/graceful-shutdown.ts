import type { Logger } from "pino"

/** A SIGINT this soon after another is the same keypress: a terminal sends it to npm and to the service. */
const sameKeypressMs = 500

type Stoppable = { close(deadline: AbortSignal): Promise<void>; isDraining(): boolean }

/**
 * Stops the process in order on a signal: no new requests, running ones finish within the timeout, storage closes. A second
 * signal ends it immediately.
 */
export function stopOnSignal(service: Stoppable, log: Logger, timeoutMs: number): void {
  let signalledAt = 0

  async function stop(): Promise<void> {
    signalledAt = performance.now()
    log.info("draining")
    await service.close(AbortSignal.timeout(timeoutMs))
    log.info("stopped")
    log.flush(() => process.exit(0))
  }

  const shutDown = () =>
    stop().catch((error: unknown) => {
      log.error({ err: error }, "could not stop in order")
      log.flush(() => process.exit(1))
    })

  for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"] as const)
    process.on(signal, () => {
      if (!service.isDraining()) void shutDown()
      else if (signal === "SIGTERM" || performance.now() - signalledAt > sameKeypressMs) process.exit(1)
    })
  // Started with a channel, as by tests: when the parent process ends, the service stops.
  if (process.connected) process.on("disconnect", () => service.isDraining() || void shutDown())
}

/** Logs unhandled errors and ends the process with exit code 1, because its state is unknown. */
export function endOnFatalErrors(log: Logger): void {
  process.on("uncaughtException", (error) => {
    log.error({ err: error }, "ended by an error")
    log.flush(() => process.exit(1))
    // Standard output may be what failed.
    setTimeout(() => process.exit(1), 1_000)
  })
}
