import type { Verb } from "../context.ts"
import { checkRemovable } from "./rules.ts"

export const deleteOAuthClient: Verb<"deleteOAuthClient"> = (ctx, { params }) =>
  ctx.store.transaction(async (tx) => {
    const { account } = ctx.caller
    const { client } = (await tx.oauthClients.lock(params.id, account.id)) ?? ctx.refuse("oauth-client-not-found")
    ctx.accept(checkRemovable(client, ctx.caller))

    await tx.oauthClients.remove(client)
    ctx.credentialsChanged(account.id)
    ctx.audit("oauth-client.deleted", `oauth-client:${client.id}`)
    return { code: 200, type: "success", message: "OAuth client deleted" }
  })
