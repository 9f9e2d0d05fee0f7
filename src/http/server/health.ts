import { setTimeout as sleep } from "node:timers/promises"
import { type Store, StoreUnavailable } from "../../domain/ports/store.ts"
import type { HttpResponse } from "../../kernel/network/http-response.ts"
import { Problem } from "../../kernel/problem.ts"
import type { Router } from "../pipeline/router.ts"

type Readying = {
  store: Store
  requireCapacity(): void
  isDraining(): boolean
  /** Why writes cannot succeed, as the end of a sentence; known, not found out. */
  refusesWrites(): string | undefined
  /** What it does without for now. */
  degraded(): readonly string[]
}

const retryAfter = 5
/** Less than whoever asks waits: a database that says nothing is given as the reason. */
const patienceMs = 2_000

/** Resolves with what the service does its work without; throws the 503 while it cannot do it. */
export type Readiness = () => Promise<readonly string[]>

export const readiness =
  ({ store, requireCapacity, isDraining, refusesWrites, degraded }: Readying): Readiness =>
  async () => {
    if (isDraining()) throw new Problem("unavailable", "The service is shutting down", { retryAfter })
    requireCapacity()
    const reason = refusesWrites()
    if (reason !== undefined)
      throw new Problem("unavailable", `Nothing can be written: ${reason}. Reading goes on`, { retryAfter })
    await requireDatabase(store)
    return degraded()
  }

/** `/livez`: the process responds. `/readyz`: it can do its work, so send it requests; `degraded` says what it does without. */
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
    throw new StoreUnavailable("the database says nothing")
}

const status = (status: string, more: object = {}): HttpResponse => ({
  status: 200,
  headers: ["content-type", "application/json; charset=utf-8", "cache-control", "no-store"],
  body: JSON.stringify({ status, ...more }),
})
