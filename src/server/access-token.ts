import { looksMinted } from "../domain/keys/secret.ts"
import { effectiveScopes } from "../domain/oauth/rules.ts"
import { allScopes, roles } from "../domain/scopes.ts"
import type { Store } from "../domain/store.ts"
import type { Grant } from "./grants.ts"

/** What an access token, or its SHA-256 (hex), stands for; undefined when it is unknown or revoked. */
export async function grantOfToken(store: Store, token: string, sha256: string): Promise<Grant | undefined> {
  return looksMinted(token, "pss_") ? grantOfSession(store, sha256) : grantOfOAuthToken(store, sha256)
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

async function grantOfOAuthToken(store: Store, sha256: string): Promise<Grant | undefined> {
  const holder = await store.oauthRecords.token(sha256)
  if (!holder) return undefined
  const { account, user, granted, clientScopes, oauthClientId, expiresAt } = holder
  return {
    caller: {
      account,
      ownerId: user?.accountId ?? account.id,
      ...(user && { user: { id: user.id, username: user.username, role: user.role } }),
      credential: { kind: "oauthClient", id: oauthClientId },
      scopes: effectiveScopes(granted, clientScopes, user ? roles[user.role] : allScopes),
    },
    expiresAt,
  }
}
