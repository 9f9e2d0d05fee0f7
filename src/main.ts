import { flushCompileCache } from "node:module"
import { readConfig } from "./config.ts"
import { StoreUnavailable } from "./core/domain/ports/store.ts"
import { CannotStart } from "./core/kernel/cannot-start.ts"
import { announce } from "./core/observability/greeting.ts"
import { openLog } from "./core/observability/log.ts"
import { endOnFatalErrors, stopOnSignal } from "./core/server/graceful-shutdown.ts"
import { createPetstore } from "./petstore.ts"

async function start(): Promise<void> {
  // Files created from here on, by decoders and SQLite too, are for this user only.
  process.umask(0o077)
  const config = readConfig(process.env)
  const { level, format = process.stdout.isTTY ? "text" : "json" } = config.logging
  const opened = openLog({ level, format })
  const { log } = opened
  endOnFatalErrors(log)
  const petstore = await createPetstore(config, opened)
  stopOnSignal(petstore, log, config.drainTimeoutMs)

  announce(petstore, config, log)
  // Node does this at a regular exit only; the next start is twice as fast with it.
  flushCompileCache()
  await petstore.settle()
  flushCompileCache()
}

start().catch((error: NodeJS.ErrnoException) => {
  const isKnown = error instanceof CannotStart || error instanceof StoreUnavailable || error.syscall !== undefined
  const advice = error.code === "EADDRINUSE" ? ". Set PETSTORE_PORT to another port." : ""
  process.stderr.write(`petstore: ${isKnown ? error.message + advice : error.stack}\n`)
  process.exit(1)
})
