import type { Operation } from "../operation.ts"
import type { oauth } from "./contract.ts"
import { secretOverlapMs, violationsOf } from "./rules.ts"
import { found, mintClientSecret } from "./steps.ts"

export const rotateOAuthClientSecret: Operation<typeof oauth.rotateOAuthClientSecret> = (ctx, { params }) =>
  ctx.store.transaction(async (tx) => {
    const client = found(await tx.oauthClients.lock(params.id, ctx.caller.account.id), ctx.refuse)
    if (client.type === "public") ctx.refuse("oauth-client-has-no-secret", "A public client has no secret to rotate")
    // Whoever learns the secret can act with the client's scopes.
    if (violationsOf(client, ctx.caller.scopes).length > 0)
      ctx.refuse("forbidden", "The client may do more than your credential may")

    const clientSecret = mintClientSecret()
    await tx.oauthClients.setSecret(client.id, clientSecret, ctx.clock.now() + secretOverlapMs)
    return { ...client, clientSecret }
  })
