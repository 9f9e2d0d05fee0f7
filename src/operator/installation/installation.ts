import type { Places } from "../../storage/blobs/places.ts"

/** The settings of the service on this machine that commands need. */
export type Installation = Places & {
  /** 32 bytes; undefined when the key is in the data directory. */
  secretKey: Uint8Array | undefined
  /** The version of this program. */
  version: string
}
