import { hash, randomBytes } from "node:crypto"
import { statSync } from "node:fs"
import { userInfo } from "node:os"
import type { Config } from "./config.ts"
import type { RotatableSealing } from "./crypto/rotatable-sealing.ts"
import { openSealing } from "./crypto/sealing-key.ts"
import type { AdminAnswer, AdminRequest } from "./domain/admin/contract.ts"
import { createOperatorKey } from "./domain/admin/create-key.ts"
import type { BlobStore, Store } from "./domain/ports.ts"
import { lanes } from "./domain/webhooks/model.ts"
import { replaceSigningKey } from "./http/oauth/signing-keys.ts"
import { CannotStart } from "./kernel/cannot-start.ts"
import { type Clock, systemClock } from "./kernel/clock.ts"
import { openDatabase } from "./storage/open.ts"
import { migrations } from "./storage/sql/migrations.ts"
import { findOrphans } from "./workers/sweep-images.ts"

const webhooksCounted = 1000
/** An upload may be under way for so long. */
const hourMs = 60 * 60 * 1000

type Parts = { store: Store; clock: Clock; sealing: RotatableSealing; blobs?: BlobStore }

/** What a service does for somebody on its own machine. */
export const administration =
  ({ store, clock, sealing, blobs }: Parts) =>
  async (request: AdminRequest): Promise<AdminAnswer> => {
    switch (request.action) {
      case "create-key": {
        const sha256 = (text: string) => hash("sha256", text)
        const made = await createOperatorKey({ store, clock, random: randomBytes, sha256 }, String(request.name))
        return made ?? { error: "There are no data yet: the first start of the service makes the first key." }
      }
      case "rotate-sealing":
        return { secrets: await sealing.rotate(clock) }
      case "rotate-signing":
        return { kid: await replaceSigningKey({ store, sealing, clock }, request.forgetOld === true) }
      case "inspect":
        return {
          schema: migrations.length,
          due: await countDue(store, clock),
          ...(blobs && (await countOrphans(store, blobs, clock))),
        }
      default:
        return { error: "There is no such action." }
    }
  }

async function countDue(store: Store, clock: Clock): Promise<number> {
  const due = await Promise.all(lanes.map((lane) => store.deliveries.due(lane, clock.now(), webhooksCounted)))
  return due.flat().length
}

async function countOrphans(store: Store, blobs: BlobStore, clock: Clock) {
  const { scanned, orphans } = await findOrphans(store, blobs, clock.now() - hourMs)
  return { images: scanned, orphans: orphans.length }
}

/**
 * Does the same while no service runs here; throws CannotStart when one has the embedded database, or when its files are
 * another user's.
 */
export async function administerStopped(config: Config, request: AdminRequest): Promise<AdminAnswer> {
  if (config.database.kind === "sqlite") requireOwner(config.database.file)
  const { store } = await openDatabase(config)
  try {
    const sealing = await openSealing(store, config)
    return await administration({ store, clock: systemClock, sealing })(request)
  } finally {
    await store.close()
  }
}

/** Files that another user makes beside the database keep its own from opening it. */
function requireOwner(file: string): void {
  const about = statSync(file, { throwIfNoEntry: false })
  if (!about) throw new CannotStart(`There is no database ${file}: set PETSTORE_DATA_DIR as it is for the service.`)
  if (about.uid !== userInfo().uid)
    throw new CannotStart(`${file} belongs to another user: run this as the one who runs the service.`)
}
