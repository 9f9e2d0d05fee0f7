import type { Operation } from "../context.ts"
import type { oauth } from "./contract.ts"
import { checkChangeable, clientViolations } from "./rules.ts"
import { requireClient } from "./steps.ts"

export const updateOAuthClient: Operation<typeof oauth.updateOAuthClient> = (ctx, { params, body }) =>
  ctx.store.transaction(async (tx) => {
    const { client } = ctx.accept(
      checkChangeable(
        requireClient(await tx.oauthClients.lock(params.id, ctx.caller.account.id), ctx.refuse),
        ctx.caller,
      ),
    )
    const changed = {
      ...client,
      name: body.name ?? client.name,
      redirectUris: [...new Set(body.redirectUris ?? client.redirectUris)],
      scopes: [...new Set(body.scopes ?? client.scopes)],
    }
    const violations = clientViolations(changed, ctx.caller.scopes)
    if (violations.length > 0) ctx.refuse("invalid-body", violations)

    await tx.oauthClients.put(changed)
    ctx.credentialsChanged(ctx.caller.account.id)
    return changed
  })
