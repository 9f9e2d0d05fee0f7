import { hash, randomBytes } from "node:crypto"
import type { Config } from "../config/config.ts"
import { openSealing, type RotatableSealing } from "../crypto/sealing-key.ts"
import type { AdminRequest, AdminResponse } from "../domain/admin/contract.ts"
import { createOperatorKey } from "../domain/admin/create-key.ts"
import { confirmClock } from "../domain/clock/confirm.ts"
import type { BlobStore } from "../domain/ports/blobs.ts"
import type { Store } from "../domain/ports/store.ts"
import { resetMessage } from "../domain/sandbox/contract.ts"
import { type Seed, seeds } from "../domain/sandbox/start/contract.ts"
import { type Clock, systemClock } from "../kernel/clock.ts"
import { isLoopback } from "../kernel/network/ip-address.ts"
import type { Log } from "../observability/log.ts"
import { replaceSigningKey } from "../site/oauth-server/signing-keys.ts"
import { openDatabase } from "../storage/open.ts"
import type { HashCheck } from "../workers/check-hashes.ts"
import { inspect, inspectStopped, requireOwner } from "./inspection.ts"

type AdminDeps = {
  store: Store
  clock: Clock
  sealing: RotatableSealing
  blobs?: BlobStore
  hashCheck?: HashCheck
} & Partial<Resettable>

/** A running service: how to reset its sandbox, if it is one, its public URL and the address it listens on. */
type Resettable = { reset: ((seed: Seed) => Promise<void>) | undefined; url: string; address: string; log: Log["log"] }

/** Handles the requests of an operator on the service's machine. */
export const administration =
  ({ store, clock, sealing, blobs, hashCheck, ...running }: AdminDeps) =>
  async (request: AdminRequest): Promise<AdminResponse> => {
    switch (request.action) {
      case "create-key": {
        const sha256 = (text: string) => hash("sha256", text)
        const made = await createOperatorKey({ store, clock, random: randomBytes, sha256 }, String(request.name))
        return made ?? { error: "There is no data yet. The first start of the service creates the first key." }
      }
      case "rotate-sealing":
        return { secrets: await sealing.rotate(clock) }
      case "rotate-signing":
        return { kid: await replaceSigningKey({ store, sealing, clock }, request.forgetOld === true) }
      case "confirm-clock":
        return confirmClock({ store, clock })
      case "inspect":
        return blobs
          ? { findings: await inspect({ store, clock, blobs, hashCheck }) }
          : { error: "No service is running here." }
      case "reset":
        return reset(running, request.seed, String(request.url))
      default:
        return { error: "Unknown action." }
    }
  }

async function reset(
  { reset, url, address = "", log }: Partial<Resettable>,
  seed: Seed,
  requestedUrl: string,
): Promise<AdminResponse> {
  if (!reset || !seeds.includes(seed)) return { error: "There is no sandbox to reset here; nothing was changed." }
  const to = URL.parse(requestedUrl)
  const isHere = to?.pathname === "/" && isLoopback(to.hostname) && to.port === URL.parse(address)?.port
  if (!isHere && requestedUrl !== url)
    return { error: `The files here belong to the service at ${address}, not to ${requestedUrl}; nothing was changed.` }
  await reset(seed)
  log?.warn({ seed }, "the sandbox was reset by a command on this machine")
  return { message: resetMessage(seed) }
}

/**
 * Handles a request while no service is running here. Throws CannotStart when a service has opened the embedded database, or when
 * its files belong to another user.
 */
export async function administerStopped(config: Config, request: AdminRequest): Promise<AdminResponse> {
  if (request.action === "inspect") return { findings: await inspectStopped(config) }
  if (config.database.kind === "sqlite") requireOwner(config.database.file)
  const { store } = await openDatabase(config)
  try {
    const sealing = await openSealing(store, config)
    return await administration({ store, clock: systemClock, sealing })(request)
  } finally {
    await store.close()
  }
}
