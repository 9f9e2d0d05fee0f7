import { invalidBody } from "../../kernel/problem.ts"
import type { Verb } from "../context.ts"
import { beyondRole, roleOfPerson } from "../keys/owner-scopes.ts"
import { checkChangeable, clientViolations } from "./rules.ts"

export const updateOAuthClient: Verb<"updateOAuthClient"> = (ctx, { params, body }) =>
  ctx.store.transaction(async (tx) => {
    const { account } = ctx.caller
    const locked = (await tx.oauthClients.lock(params.id, account.id)) ?? ctx.refuse("oauth-client-not-found")
    const { client, bounds } = ctx.accept(checkChangeable(locked, ctx.caller))
    const changed = {
      ...client,
      name: body.name ?? client.name,
      redirectUris: [...new Set(body.redirectUris ?? client.redirectUris)],
      scopes: [...new Set(body.scopes ?? client.scopes)],
      ...(body.idTokenSignedResponseAlg && { idTokenSignedResponseAlg: body.idTokenSignedResponseAlg }),
    }
    ctx.accept(invalidBody(clientViolations(changed, ctx.caller.scopes)))
    ctx.accept(invalidBody(beyondRole(changed.scopes, await roleOfPerson(tx, bounds.userId))))

    await tx.oauthClients.put(changed)
    ctx.credentialsChanged(account.id)
    ctx.audit("oauth-client.changed", `oauth-client:${client.id}`, { details: { scopes: changed.scopes.join(" ") } })
    return changed
  })
