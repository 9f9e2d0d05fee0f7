import { invalidBody } from "../../kernel/problem.ts"
import type { Operation } from "../context.ts"
import type { oauth } from "./contract.ts"
import { requireClient } from "./require-client.ts"
import { checkChangeable, clientViolations } from "./rules.ts"

export const updateOAuthClient: Operation<typeof oauth.updateOAuthClient> = (ctx, { params, body }) =>
  ctx.store.transaction(async (tx) => {
    const { client } = ctx.accept(
      checkChangeable(requireClient(ctx, await tx.oauthClients.lock(params.id, ctx.caller.account.id)), ctx.caller),
    )
    const changed = {
      ...client,
      name: body.name ?? client.name,
      redirectUris: [...new Set(body.redirectUris ?? client.redirectUris)],
      scopes: [...new Set(body.scopes ?? client.scopes)],
    }
    ctx.accept(invalidBody(clientViolations(changed, ctx.caller.scopes)))

    await tx.oauthClients.put(changed)
    ctx.credentialsChanged(ctx.caller.account.id)
    ctx.audit("oauth-client.changed", `oauth-client:${client.id}`, { details: { scopes: changed.scopes.join(" ") } })
    return changed
  })
