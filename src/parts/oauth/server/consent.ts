import type { Grant, Interaction, Provider } from "oidc-provider"
import type { OAuthClient } from "../../../core/domain/oauth/contract.ts"
import { rememberDocument } from "../../../core/domain/oauth/remember-document.ts"
import { effectiveScopes } from "../../../core/domain/oauth/rules.ts"
import type { Ports } from "../../../core/domain/ports/ports.ts"
import type { Store } from "../../../core/domain/ports/store.ts"
import { allScopes, roles } from "../../../core/domain/scopes.ts"
import type { SamplePerson } from "../../site/sample-person.ts"
import { consolePath, sitePath } from "../../site/serving/cookies.ts"
import type { ConsentQuestion } from "../pages/consent-page.ts"
import { nameOfClient } from "./client-name.ts"
import { isDocumentUrl } from "./clients.ts"
import { errors } from "./library.ts"
import type { OAuthStore } from "./oauth-store.ts"

export type ConsentRequest = ConsentQuestion & {
  client: ConsentingClient
  clientId: string
  person: { id: string }
  /** As in the question, but as lists that oidc-provider accepts, whose types are not read-only. */
  scopes: string[]
  beyond: string[]
  /** The grant of an earlier consent of the person; undefined when there is none. */
  grantId: string | undefined
}

/** The application that a person is asked about. */
type ConsentingClient = Pick<OAuthClient, "name" | "redirectUris" | "scopes">

async function clientOfDocument({ Client }: Provider, clientId: string): Promise<ConsentingClient | undefined> {
  const found = await Client.find(clientId)
  return (
    found && {
      name: nameOfClient(clientId, found.clientName),
      redirectUris: [...(found.redirectUris ?? [])],
      scopes: allScopes,
    }
  )
}

/** Reads an interaction; throws SessionNotFound when it was answered, or when the client or the person no longer exists. */
export async function readConsentRequest(
  provider: Provider,
  { ports, samplePeople, siteUrl }: OAuthStore,
  interaction: Interaction,
): Promise<ConsentRequest> {
  const { store, publicUrl } = ports
  const { client_id: clientId, redirect_uri: redirectUri, scope } = interaction.params as Params
  const client = isDocumentUrl(clientId)
    ? await clientOfDocument(provider, clientId)
    : await store.oauthClients.byClientId(clientId)
  const userId = interaction.session?.accountId
  const found = userId === undefined ? undefined : await store.users.byId(Number(userId))
  if (!client || !found || interaction.result !== undefined) throw new errors.SessionNotFound("gone")

  const wanted = [...new Set(scope.split(" "))]
  const possible = effectiveScopes(wanted, client.scopes, roles[found.user.role])
  const isPossible = (name: string) => name === "openid" || (possible as ReadonlySet<string>).has(name)
  const switching = new URLSearchParams({ ...(interaction.params as Record<string, string>), prompt: "login" })
  return {
    client,
    clientId,
    clientName: isDocumentUrl(clientId) ? client.name : nameOfClient(clientId, client.name),
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

/** Stores what a person has allowed: the client of a document, so that its tokens and consents have a name, and the grant. */
export async function allow(
  provider: Provider,
  ports: Pick<Ports, "store" | "clock">,
  request: ConsentRequest,
): Promise<string> {
  const { client, clientId } = request
  if (isDocumentUrl(clientId)) await rememberDocument(ports, { clientId, ...client })
  return (await grantOf(provider, request)).save()
}

/** The grant that the consent makes, or extends when the person has consented to less before. */
async function grantOf(provider: Provider, request: ConsentRequest): Promise<Grant> {
  const earlier = request.grantId === undefined ? undefined : await provider.Grant.find(request.grantId)
  const grant = earlier ?? new provider.Grant({ accountId: request.person.id, clientId: request.clientId })
  if (request.scopes.length > 0) grant.addOIDCScope(request.scopes)
  if (request.beyond.length > 0) grant.rejectOIDCScope(request.beyond)
  return grant
}
