import { flushCompileCache } from "node:module"
import { readConfig } from "./config/config.ts"
import { StoreUnavailable } from "./domain/ports/store.ts"
import { CannotStart } from "./kernel/cannot-start.ts"
import { locationOfData } from "./kernel/network/database-hosts.ts"
import { isLoopback } from "./kernel/network/ip-address.ts"
import { firstKey, warnOfAnonymous, warnOfExposure, welcome } from "./observability/greeting.ts"
import { openLog } from "./observability/log.ts"
import { createPetstore } from "./petstore.ts"
import { endOnFatalErrors, stopOnSignal } from "./server/graceful-shutdown.ts"

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

  const { url, address, metricsPort, version } = petstore
  if (petstore.firstKey) process.stdout.write(firstKey(petstore.firstKey, process.stdout.isTTY))
  if (config.profile === "sandbox") {
    process.stdout.write(welcome(url, locationOfData(config.database)))
    if (!isLoopback(config.host)) warnOfExposure(config.host, log)
  }
  if (config.anonymousKey !== undefined) warnOfAnonymous(config.anonymousKey, log)
  log.info({ url, address, metricsPort, version, profile: config.profile }, "listening")
  // Node does this at a regular exit only; the next start is twice as fast with it.
  flushCompileCache()
}

start().catch((error: NodeJS.ErrnoException) => {
  const isKnown = error instanceof CannotStart || error instanceof StoreUnavailable || error.syscall !== undefined
  const advice = error.code === "EADDRINUSE" ? ". Set PETSTORE_PORT to another port." : ""
  process.stderr.write(`petstore: ${isKnown ? error.message + advice : error.stack}\n`)
  process.exit(1)
})
