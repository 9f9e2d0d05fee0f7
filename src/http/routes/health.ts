import type { FastifyInstance } from "fastify"
import type { Store } from "../../domain/ports.ts"
import { Problem } from "../../kernel/problem.ts"
import type { RequireCapacity } from "../rate-limiting/load-shedding.ts"

type Health = { store: Store; requireCapacity: RequireCapacity; state: { draining: boolean } }

/** `/livez`: the process answers. `/readyz`: it can do its work, so send it requests. */
export function answerHealth(app: FastifyInstance, { store, requireCapacity, state }: Health): void {
  app.get("/livez", async () => ({ status: "alive" }))
  app.get("/readyz", async () => {
    if (state.draining) throw new Problem("unavailable", "The service is shutting down", { retryAfter: 5 })
    requireCapacity()
    await store.accounts.read(1)
    return { status: "ready" }
  })
}
