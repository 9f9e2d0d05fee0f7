import { unbounded } from "../../domain/accounts/model.ts"
import { looksMinted } from "../../domain/keys/secret.ts"
import { effectiveScopes } from "../../domain/oauth/rules.ts"
import type { Ports } from "../../domain/ports/ports.ts"
import type { Store } from "../../domain/ports/store.ts"
import { allScopes, type Role, roles } from "../../domain/scopes.ts"
import { addressesIn } from "../../kernel/network/ip-address.ts"
import type { ExternalIssuer } from "./external-issuer.ts"
import type { Principal } from "./principal-cache.ts"

/** Looks up the principal of an access token by the token or its SHA-256 (hex); undefined when it is unknown, expired or revoked. */
export function tokenReader(ports: Pick<Ports, "store" | "clock">, externalIssuer: ExternalIssuer | undefined) {
  const { store } = ports
  const external = externalIssuer && loadExternal(externalIssuer, ports)

  return async (token: string, sha256: string): Promise<Principal | undefined> => {
    if (looksMinted(token, "pss_")) return principalOfSession(store, sha256)
    if (external && looksJwt(token)) return (await external)(token)
    return principalOfOAuthToken(store, sha256)
  }
}

async function principalOfSession(store: Store, sha256: string): Promise<Principal | undefined> {
  const found = await store.sessions.byHash(sha256)
  if (!found) return undefined
  const { session, account, user } = found
  return {
    caller: {
      account,
      ownerId: account.id,
      user: { id: user.id, username: user.username, role: user.role, accountId: account.id },
      credential: { kind: "session", id: session.id },
      scopes: new Set(roles[user.role]),
      bounds: { ...unbounded, userId: user.id },
    },
    expiresAt: session.expiresAt,
  }
}

async function principalOfOAuthToken(store: Store, sha256: string): Promise<Principal | undefined> {
  const token = await store.oauthRecords.token(sha256)
  if (!token) return undefined
  const { account, user, granted, clientScopes, clientBounds, clientRole, oauthClientId } = token
  const { endsAt = Number.POSITIVE_INFINITY, allowedCidrs } = clientBounds
  return {
    caller: {
      account,
      ownerId: user?.accountId ?? account.id,
      ...(user && { user }),
      credential: { kind: "oauthClient", id: oauthClientId },
      scopes: effectiveScopes(granted, clientScopes, scopesOf(user?.role), scopesOf(clientRole)),
      bounds: { ...clientBounds, userId: user?.id ?? clientBounds.userId },
    },
    expiresAt: Math.min(token.expiresAt, endsAt),
    ...(allowedCidrs.length > 0 && { allows: addressesIn(allowedCidrs) }),
  }
}

/** Loads the verifier of JWTs, which only a service with an external issuer needs. */
async function loadExternal(issuer: ExternalIssuer, ports: Pick<Ports, "store" | "clock">) {
  const { externalTokens } = await import("./external-issuer.ts")
  return externalTokens(issuer, ports)
}

const looksJwt = (token: string): boolean => /^[\w-]+\.[\w-]+\.[\w-]*$/.test(token)

const scopesOf = (role: Role | undefined) => (role ? roles[role] : allScopes)
