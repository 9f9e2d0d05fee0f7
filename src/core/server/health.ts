import type { HttpResponse } from "../kernel/network/http-response.ts"
import { jsonType } from "../kernel/network/media-types.ts"
import { Problem } from "../kernel/problem.ts"
import type { Router } from "./exchange/router.ts"

type Readying = {
  /** Throws the 503 when the database does not respond. */
  requireDatabase(): Promise<void>
  requireCapacity(): void
  isDraining(): boolean
  /** Why writes fail, as the end of a sentence, from what is known already. */
  refusesWrites(): string | undefined
  degraded(): readonly string[]
}

const retryAfter = 5

/** Resolves with the unavailable parts that the service can work without; throws the 503 while it cannot work. */
export type Readiness = () => Promise<readonly string[]>

export const readiness =
  ({ requireDatabase, requireCapacity, isDraining, refusesWrites, degraded }: Readying): Readiness =>
  async () => {
    if (isDraining()) throw new Problem("unavailable", "The service is shutting down", { retryAfter })
    requireCapacity()
    const reason = refusesWrites()
    if (reason !== undefined)
      throw new Problem("unavailable", `Nothing can be written: ${reason}. Reads continue`, { retryAfter })
    await requireDatabase()
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

const status = (status: string, more: object = {}): HttpResponse => ({
  status: 200,
  headers: ["content-type", jsonType, "cache-control", "no-store"],
  body: JSON.stringify({ status, ...more }),
})
