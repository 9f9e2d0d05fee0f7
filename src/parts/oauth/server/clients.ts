import { hash, timingSafeEqual } from "node:crypto"
import type { Adapter, ClientMetadata } from "oidc-provider"
import type { StoredOAuthClient } from "../../../core/domain/oauth/store.ts"
import type { Store } from "../../../core/domain/ports/store.ts"
import { mayHold } from "../../../core/domain/scopes.ts"
import type { Clock } from "../../../core/kernel/clock.ts"
import { available } from "./records.ts"

const readOnly = async (): Promise<never> => {
  throw new Error("clients are changed through /oauth-clients")
}

/** Whether a client is described by a document at its id (OAuth Client ID Metadata Document). */
export const isDocumentUrl = (clientId: string): boolean => clientId.startsWith("https://")

/** Gives oidc-provider the clients that accounts have registered. It reads those of documents itself, which may have changed since a consent. */
export const clientsAdapter = ({ store, clock }: { store: Store; clock: Clock }): Adapter => ({
  async find(clientId) {
    if (isDocumentUrl(clientId)) return undefined
    const client = await available(store.oauthClients.byClientId(clientId))
    const hasEnded = client?.bounds.endsAt !== undefined && client.bounds.endsAt <= clock.now()
    if (!client || hasEnded) return undefined
    const { userId } = client.bounds
    const owner = userId === undefined ? undefined : await available(store.users.byId(userId))
    const scopes = client.scopes.filter((scope) => mayHold(owner?.user.role, scope))
    return metadataOf({ ...client, scopes }, clock.now())
  },
  findByUid: async () => undefined,
  findByUserCode: async () => undefined,
  upsert: readOnly,
  consume: readOnly,
  destroy: readOnly,
  revokeByGrantId: readOnly,
})

/** A client in the terms of RFC 7591. Its `client_secret` holds the hashes of the valid secrets. */
function metadataOf(client: StoredOAuthClient, now: number): ClientMetadata {
  const isConfidential = client.type === "confidential"
  const forPeople = client.redirectUris.length > 0
  const secrets = client.secrets.filter(({ until }) => until === undefined || until > now)
  return {
    client_id: client.clientId,
    client_name: client.name,
    redirect_uris: client.redirectUris,
    response_types: forPeople ? ["code"] : [],
    grant_types: [
      ...(forPeople ? ["authorization_code", "refresh_token"] : []),
      ...(isConfidential ? ["client_credentials"] : []),
    ],
    scope: ["openid", ...client.scopes].join(" "),
    id_token_signed_response_alg: client.idTokenSignedResponseAlg ?? "RS256",
    token_endpoint_auth_method: isConfidential ? "client_secret_basic" : "none",
    ...(isConfidential && { client_secret: secrets.map((secret) => secret.hash).join(" ") || "none" }),
  }
}

/** Whether one of the hashes is that of the secret, in constant time. */
export function isSecretOf(hashes: string, secret: string): boolean {
  const digest = Buffer.from(hash("sha256", secret))
  return hashes.split(" ").reduce((found, known) => {
    const bytes = Buffer.from(known)
    return (bytes.length === digest.length && timingSafeEqual(bytes, digest)) || found
  }, false)
}
