import { timestamp } from "../../kernel/clock.ts"
import type { Operation } from "../operation.ts"
import type { oauth } from "./contract.ts"
import { compose, roomForMore, violationsOf } from "./rules.ts"
import { mintClientId, mintClientSecret } from "./steps.ts"

export const createOAuthClient: Operation<typeof oauth.createOAuthClient> = (ctx, { body }) => {
  const wanted = compose(body)
  const violations = violationsOf(wanted, ctx.caller.scopes)
  if (violations.length > 0) ctx.refuse("invalid-body", violations)
  const client = { clientId: mintClientId(), ...wanted, createdAt: timestamp(ctx.clock.now()) }

  return ctx.store.transaction(async (tx) => {
    ctx.accept(roomForMore(await tx.oauthClients.count(ctx.caller.account.id)))
    const id = await tx.oauthClients.add({ ...client, accountId: ctx.caller.account.id })
    if (client.type === "public") return { id, ...client }
    const clientSecret = mintClientSecret()
    await tx.oauthClients.setSecret(id, clientSecret, 0)
    return { id, ...client, clientSecret }
  })
}
