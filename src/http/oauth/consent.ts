import type { Grant, Interaction, Provider } from "oidc-provider"
import { effectiveScopes } from "../../domain/oauth/rules.ts"
import type { Store } from "../../domain/ports.ts"
import { roles } from "../../domain/scopes.ts"
import { errors } from "./library.ts"

/** What a person is being asked, and on whose behalf. */
export type Asking = {
  clientId: string
  clientName: string
  /** Where the answer goes: shown, and the only foreign place the page's form may lead to. */
  redirectOrigin: string
  /** Asked for and possible: what client and role both allow. `openid` is among them when it was asked for. */
  scopes: string[]
  /** Asked for, but beyond the client or the person. */
  beyond: string[]
  person: { id: string; username: string }
  /** Leads back here after signing in as somebody else. */
  switchUrl: string
  consentsUrl: string
  grantId: string | undefined
}

/** Reads an interaction; throws SessionNotFound when it was answered, or the client or the person is gone meanwhile. */
export async function askingOf(provider: Provider, store: Store, interaction: Interaction): Promise<Asking> {
  const { client_id: clientId, redirect_uri: redirectUri, scope } = interaction.params as Params
  const client = await store.oauthClients.byClientId(clientId)
  const userId = interaction.session?.accountId
  const found = userId === undefined ? undefined : await store.users.byId(Number(userId))
  if (!client || !found || interaction.result !== undefined) throw new errors.SessionNotFound("gone")

  const wanted = [...new Set(scope.split(" "))]
  const possible = effectiveScopes(wanted, client.scopes, roles[found.user.role])
  const isPossible = (name: string) => name === "openid" || (possible as ReadonlySet<string>).has(name)
  const switching = new URLSearchParams({ ...(interaction.params as Record<string, string>), prompt: "login" })
  return {
    clientId,
    clientName: client.name,
    redirectOrigin: new URL(redirectUri).origin,
    scopes: wanted.filter(isPossible),
    beyond: wanted.filter((name) => !isPossible(name)),
    person: { id: String(found.user.id), username: found.user.username },
    switchUrl: `${provider.pathFor("authorization")}?${switching}`,
    consentsUrl: `${new URL(provider.issuer).pathname}/consents`,
    grantId: interaction.grantId,
  }
}

type Params = { client_id: string; redirect_uri: string; scope: string }

/** The grant the person's yes makes, or widens when they have consented to less before. */
export async function grantOf(provider: Provider, asking: Asking): Promise<Grant> {
  const earlier = asking.grantId === undefined ? undefined : await provider.Grant.find(asking.grantId)
  const grant = earlier ?? new provider.Grant({ accountId: asking.person.id, clientId: asking.clientId })
  if (asking.scopes.length > 0) grant.addOIDCScope(asking.scopes)
  if (asking.beyond.length > 0) grant.rejectOIDCScope(asking.beyond)
  return grant
}
