import type { Targets } from "../../../domain/ports/targets.ts"
import { type AddressGuard, RefusedAddress } from "./address-guard.ts"

/** The guard as the domain's port. An unknown host is let through: it is checked again before every connection. */
export const guardTargets = (guard: AddressGuard): Targets => ({
  async refusalOf(url) {
    try {
      await guard(url)
      return undefined
    } catch (error) {
      return error instanceof RefusedAddress ? error.message : undefined
    }
  },
})
