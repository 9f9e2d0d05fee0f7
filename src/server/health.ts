import { setTimeout as sleep } from "node:timers/promises"
import { type Store, StoreUnavailable } from "../domain/ports/store.ts"
import type { HttpResponse } from "../kernel/network/http-response.ts"
import { jsonType } from "../kernel/network/media-types.ts"
import { Problem } from "../kernel/problem.ts"
import type { Router } from "./exchange/router.ts"

type Readying = {
  store: Store
  requireCapacity(): void
  isDraining(): boolean
  /** Why writes fail, as the end of a sentence, from what is known already. */
  refusesWrites(): string | undefined
  /** The parts that are unavailable. */
  degraded(): readonly string[]
}

const retryAfter = 5
/** Shorter than the timeout of probes, so that an unresponsive database is reported as the reason. */
const patienceMs = 2_000

/** Resolves with the unavailable parts that the service can work without; throws the 503 while it cannot work. */
export type Readiness = () => Promise<readonly string[]>

export const readiness =
  ({ store, requireCapacity, isDraining, refusesWrites, degraded }: Readying): Readiness =>
  async () => {
    if (isDraining()) throw new Problem("unavailable", "The service is shutting down", { retryAfter })
    requireCapacity()
    const reason = refusesWrites()
    if (reason !== undefined)
      throw new Problem("unavailable", `Nothing can be written: ${reason}. Reads continue`, { retryAfter })
    await requireDatabase(store)
    return degraded()
  }

/** `/livez`: the process responds. `/readyz`: it can serve requests; `degraded` lists unavailable parts. */
export function addHealth(router: Router, requireReady: Readiness): void {
  router.add(["GET"], "/livez", { admission: "health", handle: () => status("alive") })
  router.add(["GET"], "/readyz", {
    admission: "health",
    async handle() {
      const without = await requireReady()
      return status("ready", without.length > 0 ? { degraded: without } : {})
    },
  })
}

async function requireDatabase({ accounts }: Store): Promise<void> {
  const silence = sleep(patienceMs, "silence" as const, { ref: false })
  if ((await Promise.race([accounts.read(1), silence])) === "silence")
    throw new StoreUnavailable("the database does not respond")
}

const status = (status: string, more: object = {}): HttpResponse => ({
  status: 200,
  headers: ["content-type", jsonType, "cache-control", "no-store"],
  body: JSON.stringify({ status, ...more }),
})
