import { type Repositories, unlessDamaged } from "../../../core/domain/ports/store.ts"
import { allScopes, type Scope } from "../../../core/domain/scopes.ts"
import { timestamp } from "../../../core/kernel/clock.ts"

const scopes: Scope[] = ["read:pets", "write:pets", "read:orders", "write:orders", "read:users", "write:users"]

/** The client behind "Authorize" in /docs; it runs in a browser and has no secret. */
export const docsClientId = "petstore-docs"

/** Adds the sandbox's OAuth clients to the account of `special-key`. */
export async function addClients(tx: Repositories, now: number): Promise<void> {
  const common = { accountId: 1, createdAt: timestamp(now) }
  const id = await tx.oauthClients.add({
    ...common,
    scopes,
    clientId: "sample-client-id",
    name: "Sample application",
    type: "confidential",
    redirectUris: ["http://localhost:3000/callback", "http://127.0.0.1:3000/callback"],
  })
  await tx.oauthClients.setSecret(id, "sample-client-secret", 0)
  await tx.oauthClients.add({
    ...common,
    scopes: allScopes,
    clientId: docsClientId,
    name: "Petstore reference",
    type: "public",
    redirectUris: [],
  })
}

/** Sets the redirect URIs of the reference's client to the current address, unless the client was deleted or is damaged. */
export async function pointDocsClientAt(tx: Repositories, publicUrl: string): Promise<void> {
  const docs = await tx.oauthClients.byClientId(docsClientId).catch(unlessDamaged)
  if (!docs) return
  const here = new URL(`${publicUrl}/docs`)
  const redirectUris = loopback.includes(here.hostname)
    ? loopback.map((hostname) => Object.assign(new URL(here), { hostname }).href)
    : [here.href]
  await tx.oauthClients.put({ ...docs, redirectUris })
}

/** The hostnames of one machine in a browser's address bar. */
const loopback = ["localhost", "127.0.0.1"]
