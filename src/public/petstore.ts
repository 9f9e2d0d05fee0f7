import type { Petstore, PetstoreOptions } from "./open-petstore.ts"
import { requireRuntime } from "./require-runtime.ts"

export type { Petstore, PetstoreOptions } from "./open-petstore.ts"

// Without this, Node reports the first of its modules or of the syntax that an older version does not have.
requireRuntime(process)

/** Starts a complete service in this process: by default with sample data, on a free port of 127.0.0.1, without logs or persistent data. */
export async function createPetstore(options: PetstoreOptions = {}): Promise<Petstore> {
  const { openPetstore } = await import("./open-petstore.ts")
  return openPetstore(options)
}
