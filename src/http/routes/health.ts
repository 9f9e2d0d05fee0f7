import type { Store } from "../../domain/ports.ts"
import type { HttpResponse } from "../../kernel/http-response.ts"
import { Problem } from "../../kernel/problem.ts"
import type { Router } from "../router.ts"

type Health = { store: Store; requireCapacity(): void; state: { draining: boolean } }

/** `/livez`: the process responds. `/readyz`: it can do its work, so send it requests. */
export function addHealth(router: Router, { store, requireCapacity, state }: Health): void {
  router.add(["GET"], "/livez", { admission: "health", handle: () => status("alive") })
  router.add(["GET"], "/readyz", {
    admission: "health",
    async handle() {
      if (state.draining) throw new Problem("unavailable", "The service is shutting down", { retryAfter: 5 })
      requireCapacity()
      await store.accounts.read(1)
      return status("ready")
    },
  })
}

const status = (status: string): HttpResponse => ({
  status: 200,
  headers: ["content-type", "application/json; charset=utf-8", "cache-control", "no-store"],
  body: JSON.stringify({ status }),
})
