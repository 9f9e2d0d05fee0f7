import { hash, randomBytes } from "node:crypto"
import type { Config } from "../../core/config/config.ts"
import { openSealing, type RotatableSealing } from "../../core/crypto/sealing-key.ts"
import { createOperatorKey } from "../../core/domain/admin/create-key.ts"
import { confirmClock } from "../../core/domain/clock/confirm.ts"
import type { BlobReader } from "../../core/domain/images/store.ts"
import type { Store } from "../../core/domain/ports/store.ts"
import { type Clock, systemClock } from "../../core/kernel/clock.ts"
import { isLoopback } from "../../core/kernel/network/ip-address.ts"
import type { Log } from "../../core/observability/log.ts"
import type { HashCheck } from "../../core/workers/check-hashes.ts"
import { replaceSigningKeys } from "../oauth/server/signing-keys.ts"
import { anyStorage } from "../replicas/storage.ts"
import type { AdminRequest, AdminResponse } from "./contract.ts"
import { inspect, inspectStopped, requireOwner } from "./inspection.ts"

/** A running service: its images, how to reset its sandbox, if it is one, its public URL and the address it listens on. */
type Running = {
  blobs: BlobReader
  hashCheck: HashCheck
  reset: ResetByName | undefined
  url: string
  address: string
  log: Log["log"]
}

/** Resets a sandbox to the seed with this name; resolves with a sentence for the operator, or undefined for an unknown name. */
type ResetByName = (seed: string) => Promise<string | undefined>

/** Handles the requests of an operator on the service's machine. */
export const administration =
  (store: Store, clock: Clock, sealing: RotatableSealing, running?: Running) =>
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
        return replaceSigningKeys({ store, sealing, clock }, request.forgetOld === true)
      case "confirm-clock":
        return confirmClock({ store, clock })
      case "inspect":
        return running
          ? { findings: await inspect(store, clock, running.blobs, running.hashCheck) }
          : { error: "No service is running here." }
      case "reset":
        return reset(running, request.seed, String(request.url))
      default:
        return { error: "Unknown action." }
    }
  }

async function reset(running: Running | undefined, seed: string, requestedUrl: string): Promise<AdminResponse> {
  const nothingHere = { error: "There is no sandbox to reset here; nothing was changed." }
  if (!running?.reset) return nothingHere
  const { reset, url, address, log } = running
  const to = URL.parse(requestedUrl)
  const isHere = to?.pathname === "/" && isLoopback(to.hostname) && to.port === URL.parse(address)?.port
  if (!isHere && requestedUrl !== url)
    return { error: `The files here belong to the service at ${address}, not to ${requestedUrl}; nothing was changed.` }
  const message = await reset(seed)
  if (message === undefined) return nothingHere
  log.warn({ seed }, "the sandbox was reset by a command on this machine")
  return { message }
}

/**
 * Handles a request while no service is running here. Throws CannotStart when a service has opened the embedded database, or when
 * its files belong to another user.
 */
export async function administerStopped(config: Config, request: AdminRequest): Promise<AdminResponse> {
  if (request.action === "inspect") return { findings: await inspectStopped(config) }
  if (config.database.kind === "sqlite") requireOwner(config.database.file)
  const { store } = await anyStorage.openDatabase(config)
  try {
    const sealing = await openSealing(store, config)
    return await administration(store, systemClock, sealing)(request)
  } finally {
    await store.close()
  }
}
