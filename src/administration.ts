import { hash, randomBytes } from "node:crypto"
import type { Config } from "./config.ts"
import type { RotatableSealing } from "./crypto/rotatable-sealing.ts"
import { openSealing } from "./crypto/sealing-key.ts"
import type { AdminAnswer, AdminRequest } from "./domain/admin/contract.ts"
import { createOperatorKey } from "./domain/admin/create-key.ts"
import { confirmClock } from "./domain/clock/confirm.ts"
import type { BlobStore, Store } from "./domain/ports.ts"
import { replaceSigningKey } from "./http/oauth/signing-keys.ts"
import { inspect, requireOwner } from "./inspection.ts"
import { type Clock, systemClock } from "./kernel/clock.ts"
import { openDatabase } from "./storage/open.ts"

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
      case "confirm-clock":
        return confirmClock({ store, clock })
      case "inspect":
        return blobs ? inspect({ store, clock, blobs }) : { error: "No service runs here." }
      default:
        return { error: "There is no such action." }
    }
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
