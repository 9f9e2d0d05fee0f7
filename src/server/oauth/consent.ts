import type { Grant, Interaction, Provider } from "oidc-provider"
import { effectiveScopes } from "../../domain/oauth/rules.ts"
import { roles } from "../../domain/scopes.ts"
import type { Store } from "../../domain/store.ts"
import { errors } from "./library.ts"

/** What a person is being asked, and on whose behalf. */
export type Asking = {
  prompt: "login" | "consent"
  clientId: string
  clientName: string
  /** Where the answer goes: shown, and the only foreign place the page's form may lead to. */
  redirectOrigin: string
  /** The name the application expects; empty when it has no idea. */
  loginHint: string
  /** Asked for and possible: what client and role both allow. `openid` is among them when it was asked for. */
  scopes: string[]
  /** Asked for, but beyond the client or the person. */
  beyond: string[]
  person: { id: string; username: string } | undefined
  /** Leads back here after signing in as somebody else. */
  switchUrl: string
  grantId: string | undefined
}

/** Reads an interaction; throws SessionNotFound when the client or the person is gone meanwhile. */
export async function askingOf(provider: Provider, store: Store, interaction: Interaction): Promise<Asking> {
  const { client_id: clientId, redirect_uri: redirectUri, scope, login_hint: loginHint } = interaction.params as Params
  const client = await store.oauthClients.byClientId(clientId)
  const userId = interaction.session?.accountId
  const found = userId === undefined ? undefined : await store.users.byId(Number(userId))
  if (!client || (interaction.prompt.name === "consent" && !found)) throw new errors.SessionNotFound("gone")

  const wanted = [...new Set(scope.split(" "))]
  const possible = effectiveScopes(wanted, client.scopes, found ? roles[found.user.role] : client.scopes)
  const isPossible = (name: string) => name === "openid" || (possible as ReadonlySet<string>).has(name)
  const switching = new URLSearchParams({ ...(interaction.params as Record<string, string>), prompt: "login" })
  return {
    prompt: interaction.prompt.name === "consent" ? "consent" : "login",
    clientId,
    clientName: client.name,
    redirectOrigin: new URL(redirectUri).origin,
    loginHint: loginHint ?? "",
    scopes: wanted.filter(isPossible),
    beyond: wanted.filter((name) => !isPossible(name)),
    person: found && { id: String(found.user.id), username: found.user.username },
    switchUrl: `${provider.pathFor("authorization")}?${switching}`,
    grantId: interaction.grantId,
  }
}

type Params = { client_id: string; redirect_uri: string; scope: string; login_hint?: string }

/** The grant the person's yes makes, or widens when they have consented to less before. */
export async function grantOf(provider: Provider, asking: Asking): Promise<Grant> {
  const earlier = asking.grantId === undefined ? undefined : await provider.Grant.find(asking.grantId)
  const accountId = asking.person?.id as string
  const grant = earlier ?? new provider.Grant({ accountId, clientId: asking.clientId })
  if (asking.scopes.length > 0) grant.addOIDCScope(asking.scopes)
  if (asking.beyond.length > 0) grant.rejectOIDCScope(asking.beyond)
  return grant
}
