import type { Store } from "../domain/store.ts"
import type { Grant } from "./grants.ts"

/** What an access token, or its SHA-256 (hex), stands for; undefined when it is unknown or revoked. Nobody issues one yet. */
export async function grantOfToken(_store: Store, _token: string, _sha256: string): Promise<Grant | undefined> {
  return undefined
}
