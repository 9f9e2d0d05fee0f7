import type { Grant, Interaction, Provider } from "oidc-provider"
import { effectiveScopes } from "../../domain/oauth/rules.ts"
import type { Store } from "../../domain/ports/store.ts"
import { roles } from "../../domain/scopes.ts"
import type { ConsentQuestion } from "../pages/oauth/consent-page.ts"
import type { SamplePerson } from "../pages/oauth/sign-in-page.ts"
import { consolePath, sitePath } from "../serving/cookies.ts"
import { errors } from "./library.ts"
import type { SignInDeps } from "./sign-in.ts"

export type ConsentRequest = ConsentQuestion & {
  clientId: string
  person: { id: string }
  /** As in the question, but as lists that oidc-provider accepts, whose types are not read-only. */
  scopes: string[]
  beyond: string[]
  /** The grant of an earlier consent of the person; undefined when there is none. */
  grantId: string | undefined
}

type ConsentDeps = Pick<SignInDeps, "store" | "samplePeople" | "publicUrl" | "siteUrl">

/** Reads an interaction; throws SessionNotFound when it was answered, or when the client or the person no longer exists. */
export async function readConsentRequest(
  provider: Provider,
  { store, samplePeople, publicUrl, siteUrl }: ConsentDeps,
  interaction: Interaction,
): Promise<ConsentRequest> {
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
    suggested: effectiveScopes(wanted, client.scopes, roles.staff).isSubsetOf(possible)
      ? undefined
      : await staffOf(store, samplePeople),
    person: { id: String(found.user.id), username: found.user.username },
    switchUrl: `${provider.pathFor("authorization")}?${switching}`,
    consentsUrl: siteUrl() === publicUrl() ? `${consolePath(siteUrl())}/consents` : undefined,
    root: sitePath(siteUrl()),
    grantId: interaction.grantId,
  }
}

/** The sample person may have lost the role. */
async function staffOf(store: Store, people: readonly SamplePerson[]): Promise<SamplePerson | undefined> {
  const sample = people.find(({ role }) => role === "staff")
  return sample && (await store.users.byName(sample.username))?.user.role === "staff" ? sample : undefined
}

type Params = { client_id: string; redirect_uri: string; scope: string }

/** The grant that the consent makes, or extends when the person has consented to less before. */
export async function grantOf(provider: Provider, request: ConsentRequest): Promise<Grant> {
  const earlier = request.grantId === undefined ? undefined : await provider.Grant.find(request.grantId)
  const grant = earlier ?? new provider.Grant({ accountId: request.person.id, clientId: request.clientId })
  if (request.scopes.length > 0) grant.addOIDCScope(request.scopes)
  if (request.beyond.length > 0) grant.rejectOIDCScope(request.beyond)
  return grant
}
