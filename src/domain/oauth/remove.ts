import type { Operation } from "../context.ts"
import type { oauth } from "./contract.ts"
import { checkRemovable } from "./rules.ts"
import { requireClient } from "./steps.ts"

export const deleteOAuthClient: Operation<typeof oauth.deleteOAuthClient> = (ctx, { params }) =>
  ctx.store.transaction(async (tx) => {
    const { client } = requireClient(await tx.oauthClients.lock(params.id, ctx.caller.account.id), ctx.refuse)
    ctx.accept(checkRemovable(client, ctx.caller))

    await tx.oauthClients.remove(client)
    ctx.credentialsChanged(ctx.caller.account.id)
    return { code: 200, type: "success", message: "OAuth client deleted" }
  })
