import type { Targets } from "../../../domain/ports/targets.ts"
import type { AddressGuard } from "./address-guard.ts"

const connectTimeoutMs = 2500

/** Fetches over connections to checked addresses only. Follows no redirect. */
export const guardedFetch =
  (guard: AddressGuard): Targets["fetch"] =>
  async (url, { headers, signal }) => {
    const { Agent, fetch } = await import("undici")
    const { createGuardedConnector } = await import("./guarded-connector.ts")
    const dispatcher = new Agent({ connect: createGuardedConnector(guard, connectTimeoutMs), keepAliveTimeout: 1 })
    const response = await fetch(url, { headers, signal, dispatcher, redirect: "manual" })
    return response as unknown as Response
  }
