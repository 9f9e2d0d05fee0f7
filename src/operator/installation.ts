import type { Places } from "../storage/places.ts"

/** What a command needs to know of the service on this machine. */
export type Installation = Places & {
  /** 32 bytes; undefined when they are in the data directory. */
  secretKey: Uint8Array | undefined
  /** The version of this program. */
  version: string
}
