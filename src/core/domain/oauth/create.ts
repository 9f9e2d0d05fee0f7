import { timestamp } from "../../kernel/clock.ts"
import { created } from "../../kernel/endpoint/json-response.ts"
import { invalidBody } from "../../kernel/problem.ts"
import type { Verb } from "../context.ts"
import { beyondRole, roleOfOwner } from "../keys/owner-scopes.ts"
import { checkClientLimit, clientViolations, composeClient, limitsOfClient } from "./rules.ts"
import { mintClientId, mintClientSecret } from "./secret.ts"

export const createOAuthClient: Verb<"createOAuthClient"> = (ctx, { body }) => {
  const { account, bounds, scopes } = ctx.caller
  const wanted = composeClient(body)
  ctx.accept(invalidBody(clientViolations(wanted, scopes)))
  const client = {
    clientId: mintClientId(ctx.random),
    ...wanted,
    createdAt: timestamp(ctx.clock.now()),
    ...limitsOfClient(bounds),
  }

  return ctx.store.transaction(async (tx) => {
    const role = await roleOfOwner(tx, { accountId: account.id, userId: bounds.userId })
    ctx.accept(invalidBody(beyondRole(client.scopes, role)))
    ctx.accept(checkClientLimit(await tx.oauthClients.count(account.id)))
    const id = await tx.oauthClients.add({ ...client, accountId: account.id, userId: bounds.userId })
    ctx.audit("oauth-client.created", `oauth-client:${id}`, { details: { scopes: client.scopes.join(" ") } })
    if (client.type === "public") return created({ id, ...client }, `/oauth-clients/${id}`)
    const clientSecret = mintClientSecret(ctx.random)
    await tx.oauthClients.setSecret(id, clientSecret, 0)
    return created({ id, ...client, clientSecret }, `/oauth-clients/${id}`)
  })
}
