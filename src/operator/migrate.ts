import { readPlaces } from "../config/config.ts"
import { StoreUnavailable } from "../domain/ports/store.ts"
import { CannotStart } from "../kernel/cannot-start.ts"
import { placeOfData } from "../observability/greeting.ts"
import { migrateDatabase } from "../storage/open.ts"

/** Brings the database up to date without serving, for those who do that before they start the new version. */
async function start(): Promise<void> {
  process.umask(0o077)
  const places = readPlaces(process.env)
  const { from, to } = await migrateDatabase(places)
  const done = from === to ? `is at schema version ${to} already` : `was brought from schema version ${from} to ${to}`
  process.stdout.write(`${placeOfData(places.database)} ${done}\n`)
}

start().catch((error: NodeJS.ErrnoException) => {
  const isKnown = error instanceof CannotStart || error instanceof StoreUnavailable || error.syscall !== undefined
  process.stderr.write(`petstore: ${isKnown ? error.message : error.stack}\n`)
  process.exit(1)
})
