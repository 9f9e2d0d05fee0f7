import { looksMinted } from "../domain/keys/secret.ts"
import { roles } from "../domain/scopes.ts"
import type { Store } from "../domain/store.ts"
import type { Grant } from "./grants.ts"

/** What an access token, or its SHA-256 (hex), stands for; undefined when it is unknown or revoked. */
export async function grantOfToken(store: Store, token: string, sha256: string): Promise<Grant | undefined> {
  return looksMinted(token, "pss_") ? grantOfSession(store, sha256) : undefined
}

async function grantOfSession(store: Store, sha256: string): Promise<Grant | undefined> {
  const found = await store.sessions.byHash(sha256)
  if (!found) return undefined
  const { session, account, user } = found
  return {
    caller: {
      account,
      ownerId: account.id,
      user: { id: user.id, username: user.username, role: user.role },
      credential: { kind: "session", id: session.id },
      scopes: new Set(roles[user.role]),
    },
    expiresAt: session.expiresAt,
  }
}
