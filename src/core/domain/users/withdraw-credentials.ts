import type { ContextPart } from "../context.ts"
import type { Repositories } from "../ports/store.ts"
import type { Scope } from "../scopes.ts"
import type { StoredUser } from "./model.ts"

/** Ends every session and consent of the user. */
export async function signOutEverywhere(
  ctx: ContextPart<"credentialsChanged">,
  tx: Repositories,
  { user, accountId }: StoredUser,
): Promise<void> {
  await tx.sessions.endAll(user.id)
  await tx.oauthRecords.removeUser(user.id)
  ctx.credentialsChanged(accountId)
}

/**
 * Ends keys, OAuth clients and webhooks that exceed these scopes: those that rest on the person, in any account, and those of the
 * person's own account.
 */
export async function withdrawCredentialsBeyond(
  ctx: ContextPart<"clock" | "credentialsChanged", never, "key.revoked" | "oauth-client.deleted" | "webhook.deleted">,
  tx: Repositories,
  { user, accountId }: StoredUser,
  scopes: readonly Scope[],
): Promise<void> {
  const exceeds = (credential: { scopes: readonly Scope[] }) =>
    !credential.scopes.every((scope) => scopes.includes(scope))
  const keys = (await tx.keys.ofPerson(user.id, accountId)).filter(exceeds)
  for (const key of keys) await tx.keys.revoke(key.id, key.accountId, ctx.clock.now())
  const clients = (await tx.oauthClients.ofPerson(user.id, accountId)).filter(exceeds)
  for (const client of clients) await tx.oauthClients.remove(client)
  const webhooks = scopes.includes("manage:webhooks")
    ? []
    : await tx.webhooks.removeOfPerson(user.id, accountId, ctx.clock.now())

  const details = { with: `user:${user.id}` }
  for (const { id } of keys) ctx.audit("key.revoked", `key:${id}`, { details })
  for (const { id } of clients) ctx.audit("oauth-client.deleted", `oauth-client:${id}`, { details })
  for (const id of webhooks) ctx.audit("webhook.deleted", `webhook:${id}`, { details })
  for (const changed of [{ accountId }, ...keys, ...clients]) ctx.credentialsChanged(changed.accountId)
}
