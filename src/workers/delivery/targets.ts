import type { Targets } from "../../domain/ports.ts"
import { type AddressGuard, RefusedAddress } from "./address-guard.ts"

/** The guard as the domain asks it. A host nobody knows yet is let through: it is checked again before every connection. */
export const guardedTargets = (guard: AddressGuard): Targets => ({
  async refusalOf(url) {
    try {
      await guard(url)
      return undefined
    } catch (error) {
      return error instanceof RefusedAddress ? error.message : undefined
    }
  },
})
