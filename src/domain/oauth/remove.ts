import type { Operation } from "../context.ts"
import type { oauth } from "./contract.ts"
import { requireClient } from "./require-client.ts"
import { checkRemovable } from "./rules.ts"

export const deleteOAuthClient: Operation<typeof oauth.deleteOAuthClient> = (ctx, { params }) =>
  ctx.store.transaction(async (tx) => {
    const { client } = requireClient(ctx, await tx.oauthClients.lock(params.id, ctx.caller.account.id))
    ctx.accept(checkRemovable(client, ctx.caller))

    await tx.oauthClients.remove(client)
    ctx.credentialsChanged(ctx.caller.account.id)
    ctx.audit("oauth-client.deleted", `oauth-client:${client.id}`)
    return { code: 200, type: "success", message: "OAuth client deleted" }
  })
