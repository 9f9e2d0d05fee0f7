import { readConfig } from "./config.ts"
import { StoreUnavailable } from "./domain/ports.ts"
import { stopWhenAsked } from "./graceful-shutdown.ts"
import { firstKey, warnOfExposure, welcome } from "./greeting.ts"
import { CannotStart } from "./kernel/cannot-start.ts"
import { isLoopback } from "./kernel/ip-address.ts"
import { openLog } from "./observability/log.ts"
import { createPetstore } from "./petstore.ts"

async function start(): Promise<void> {
  // What is made from here on, decoders' files and SQLite's included, is for this user alone.
  process.umask(0o077)
  const config = readConfig(process.env)
  const { log, requestLines } = openLog()
  const petstore = await createPetstore(config, { log, requestLines })
  stopWhenAsked(petstore, log, config.drainTimeoutMs)

  const { url, address, version } = petstore
  const isSandbox = config.profile === "sandbox"
  if (petstore.firstKey) process.stdout.write(firstKey(petstore.firstKey, process.stdout.isTTY))
  if (isSandbox) process.stdout.write(welcome(url, config.databaseFile))
  if (isSandbox && !isLoopback(config.host)) warnOfExposure(config.host, log)
  log.info({ url, address, version, profile: config.profile }, "listening")
}

start().catch((error: NodeJS.ErrnoException) => {
  const isKnown = error instanceof CannotStart || error instanceof StoreUnavailable || error.syscall !== undefined
  const advice = error.code === "EADDRINUSE" ? ". Set PETSTORE_PORT to another port." : ""
  process.stderr.write(`petstore: ${isKnown ? error.message + advice : error.stack}\n`)
  process.exit(1)
})
