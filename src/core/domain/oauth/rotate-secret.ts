import type { Verb } from "../context.ts"
import { checkChangeable, secretOverlapMs } from "./rules.ts"
import { mintClientSecret } from "./secret.ts"

export const rotateOAuthClientSecret: Verb<"rotateOAuthClientSecret"> = (ctx, { params }) =>
  ctx.store.transaction(async (tx) => {
    const locked =
      (await tx.oauthClients.lock(params.id, ctx.caller.account.id)) ?? ctx.refuse("oauth-client-not-found")
    const { client } = locked
    if (client.type === "public") ctx.refuse("oauth-client-has-no-secret", "A public client has no secret to rotate")
    ctx.accept(checkChangeable(locked, ctx.caller))

    const clientSecret = mintClientSecret(ctx.random)
    await tx.oauthClients.setSecret(client.id, clientSecret, ctx.clock.now() + secretOverlapMs)
    ctx.audit("oauth-client.secret-rotated", `oauth-client:${client.id}`)
    return { ...client, clientSecret }
  })
