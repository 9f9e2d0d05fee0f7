import { statSync } from "node:fs"
import { userInfo } from "node:os"
import type { Config } from "../config/config.ts"
import { findKey } from "../crypto/sealing-key.ts"
import type { AdminAnswer } from "../domain/admin/contract.ts"
import type { BlobReader } from "../domain/images/store.ts"
import { type Repositories, StoreUnavailable } from "../domain/ports/store.ts"
import { lanes } from "../domain/webhooks/model.ts"
import { CannotStart } from "../kernel/cannot-start.ts"
import { type Clock, systemClock } from "../kernel/clock.ts"
import { readBlobs } from "../storage/open.ts"
import { migrations } from "../storage/sql/migrations.ts"
import { readStopped } from "../storage/stopped.ts"
import { findMissing, findOrphans } from "../workers/sweep-images.ts"

const webhooksCounted = 1000
/** An upload may be under way for so long. */
const hourMs = 60 * 60 * 1000

type Parts = { store: Repositories; clock: Clock; blobs: BlobReader }

/** What a service says of its data: numbers of what there is, and of what should not be there. */
export async function inspect({ store, clock, blobs }: Parts): Promise<AdminAnswer> {
  return { schema: migrations.length, due: await countDue(store, clock), ...(await inspectImages(store, blobs, clock)) }
}

async function countDue(store: Repositories, clock: Clock): Promise<number> {
  const due = await Promise.all(lanes.map((lane) => store.deliveries.due(lane, clock.now(), webhooksCounted)))
  return due.flat().length
}

async function inspectImages(store: Repositories, blobs: BlobReader, clock: Clock): Promise<AdminAnswer> {
  const { scanned, orphans } = await findOrphans(store, blobs, clock.now() - hourMs)
  const missing = await findMissing(store, blobs)
  return { images: scanned, orphans: orphans.length, missing: missing.count, missingKeys: missing.first.join(" ") }
}

/**
 * Looks into the files of a service that is stopped and changes nothing; undefined where there are none yet. What a check
 * finds wrong is in its place, such as `schemaProblem`, as a sentence.
 */
export async function inspectStopped(config: Config): Promise<AdminAnswer | undefined> {
  const { database } = config
  if (database.kind === "sqlite" && !statSync(database.file, { throwIfNoEntry: false })?.size) return undefined
  if (database.kind === "sqlite") requireOwner(database.file)
  await using source = await readStopped(database)
  const { schema, damage } = source
  const found = { schema, newestSchema: migrations.length, ...(damage && { damage: damage.join("; ") || "none" }) }
  // The questions below are those of the newest schema, to a database that can be read.
  if (schema !== migrations.length || (damage && damage.length > 0)) return found
  const clock = systemClock
  return {
    ...found,
    ...(await attempt("key", async () => ({ key: keyFindings[await findKey(source.repositories, config)] }))),
    ...(await attempt("images", async () => {
      const blobs = await readBlobs(config)
      const owner = await blobs.owner()
      if (owner !== undefined && owner !== (await source.repositories.origin.identity()))
        return { imagesProblem: `they belong to another database, ${owner}` }
      return inspectImages(source.repositories, blobs, clock)
    })),
  }
}

const keyFindings = {
  current: "it opens the secrets in the database",
  other: "the next start finishes its rotation",
}

/** What a check found, or why it could not be made. */
async function attempt(what: string, check: () => Promise<AdminAnswer>): Promise<AdminAnswer> {
  try {
    return await check()
  } catch (error) {
    if (error instanceof CannotStart || error instanceof StoreUnavailable) return { [`${what}Problem`]: error.message }
    throw error
  }
}

/** Files that another user makes beside the database keep its own from opening it. */
export function requireOwner(file: string): void {
  const about = statSync(file, { throwIfNoEntry: false })
  if (!about) throw new CannotStart(`There is no database ${file}: set PETSTORE_DATA_DIR as it is for the service.`)
  if (about.uid !== userInfo().uid)
    throw new CannotStart(`${file} belongs to another user: run this as the one who runs the service.`)
}
