import type { Locations } from "../../../core/storage/locations.ts"

/** The settings of the service on this machine that commands need. */
export type Installation = Locations & {
  /** 32 bytes; undefined when the key is in the data directory. */
  secretKey: Uint8Array | undefined
  version: string
}
