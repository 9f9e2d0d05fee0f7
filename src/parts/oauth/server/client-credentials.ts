// Decision: docs/decisions/oauth.md#the-client-credentials-handler-is-ours

import type { Provider } from "oidc-provider"
import { errors } from "./library.ts"

/**
 * The client credentials grant (RFC 6749 section 4.4). Without `scope` a client receives all its scopes; oidc-provider's own
 * handler would grant none.
 */
export function grantClientCredentials(provider: Provider): void {
  const { ClientCredentials } = provider
  provider.registerGrantType(
    "client_credentials",
    async (ctx) => {
      const client = ctx.oidc.client as NonNullable<typeof ctx.oidc.client>
      const allowed = (client.scope ?? "").split(" ").filter((scope) => scope !== "openid")
      if (allowed.length === 0) throw new errors.InvalidScope("the role of the owner allows none of its scopes", "")
      const wanted = [...ctx.oidc.requestParamScopes]
      const refused = wanted.find((scope) => !allowed.includes(scope))
      if (refused !== undefined) throw new errors.InvalidScope("requested scope is not allowed", refused)

      const token = new ClientCredentials({ client, scope: (wanted.length > 0 ? wanted : allowed).join(" ") })
      ctx.body = {
        access_token: await token.save(),
        token_type: "Bearer",
        expires_in: token.expiration,
        scope: token.scope,
      }
    },
    "scope",
  )
}
