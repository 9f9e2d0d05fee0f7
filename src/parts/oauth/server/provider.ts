import type { EventEmitter } from "node:events"
import type { JWK } from "jose"
import type {
  Provider as AuthorizationServer,
  Client,
  Configuration,
  ErrorOut,
  KoaContextWithOIDC,
} from "oidc-provider"
import { signingAlgorithms } from "../../../core/domain/oauth/signing-keys.ts"
import type { Store } from "../../../core/domain/ports/store.ts"
import type { DocumentRequest } from "../../../core/domain/ports/targets.ts"
import { allScopes, usualScopes } from "../../../core/domain/scopes.ts"
import { systemClock } from "../../../core/kernel/clock.ts"
import { flowErrorPage } from "../pages/form-page.ts"
import { grantClientCredentials } from "./client-credentials.ts"
import { clientsAdapter, isDocumentUrl, isSecretOf } from "./clients.ts"
import { fetchDocument, reportDocumentLimit } from "./document-clients.ts"
import { errors, interactionPolicy, Provider } from "./library.ts"
import { allowEveryLoopbackPort, isSameButForPort } from "./loopback-ports.ts"
import type { OAuthStore } from "./oauth-store.ts"
import { available, recordsAdapter } from "./records.ts"
import { extraParams, signInUrl } from "./request-parameters.ts"

const hourSeconds = 60 * 60
const daySeconds = 24 * hourSeconds

/** The lifetime of a sign-in at the pages, which use does not extend. */
export const sessionSeconds = daySeconds

/** Lifetimes in seconds. */
const ttl = {
  AccessToken: hourSeconds,
  ClientCredentials: hourSeconds,
  AuthorizationCode: 60,
  /** Each use issues a new one, so this counts from the last use. */
  RefreshToken: 30 * daySeconds,
  /** After this a person must consent again, however often tokens were refreshed and the consent was extended. */
  Grant: 90 * daySeconds,
  IdToken: hourSeconds,
  Session: (_ctx: unknown, { exp }: { exp?: number }) =>
    exp === undefined ? sessionSeconds : Math.max(1, exp - Math.floor(systemClock.now() / 1000)),
  Interaction: 10 * 60,
}

/** Creates the authorization server: oidc-provider without the features that the contract does not name. */
export function authorizationServer(issuer: string, jwks: JWK[], served: OAuthStore): AuthorizationServer {
  const { pathname: path } = new URL(issuer)
  const { ports, signals, hasKnownKeys } = served
  const { store, log } = ports
  const configuration: Configuration = {
    adapter: (kind) => (kind === "Client" ? clientsAdapter(ports) : recordsAdapter(ports, signals, kind)),
    jwks: { keys: jwks as NonNullable<Configuration["jwks"]>["keys"] },
    ttl,
    scopes: ["openid", ...allScopes],
    claims: { openid: ["sub"] },
    responseTypes: ["code"],
    clientAuthMethods: ["client_secret_basic", "client_secret_post", "none"],
    // OpenID Connect Core section 15.1 requires RS256, which is also the default of clients.
    enabledJWA: { idTokenSigningAlgValues: [...signingAlgorithms] },
    clientBasedCORS: (_ctx, origin, client) =>
      (client.redirectUris ?? [])
        .map((uri) => new URL(uri).origin)
        .some((known) => known === origin || (hasKnownKeys && isSameButForPort(known, origin))),
    pkce: { required: () => true },
    allowOmittingSingleRegisteredRedirectUri: false,
    rotateRefreshToken: true,
    issueRefreshToken: async (_ctx, client) => client.grantTypeAllowed("refresh_token"),
    expiresWithSession: async () => false,
    cookies: {
      names: { session: "petstore_session", interaction: "petstore_interaction", resume: "petstore_resume" },
      long: { httpOnly: true, sameSite: "lax", path },
      short: { httpOnly: true, sameSite: "lax" },
    },
    features: {
      clientIdMetadataDocument: { enabled: true, ack: "draft-02", allowClient: (_ctx, client) => isPublic(client) },
      introspection: { enabled: true, allowedPolicy: (_ctx, client, token) => sameAccount(store, client, token) },
      revocation: { enabled: true, allowedPolicy: ownTokensOnly },
      devInteractions: { enabled: false },
      dPoP: { enabled: false },
      pushedAuthorizationRequests: { enabled: false },
      resourceIndicators: { enabled: false },
      rpInitiatedLogout: { enabled: false },
      userinfo: { enabled: false },
    },
    extraParams,
    fetch: (url, request) => fetchDocument(String(url), request as DocumentRequest, served, issuer),
    interactions: {
      policy: policy(),
      url: (_ctx, { uid, prompt, params }) =>
        prompt.name === "login" ? signInUrl(path, params) : `${path}/interaction/${uid}`,
    },
    findAccount: async (_ctx, sub) =>
      (await available(store.users.byId(Number(sub)))) && { accountId: sub, claims: async () => ({ sub }) },
    renderError: showError,
  }

  const provider = new Provider(issuer, configuration)
  // The mount sets the forwarded headers; see mount.ts.
  provider.proxy = true
  provider.Client.prototype.compareClientSecret = function compareClientSecret(secret: string) {
    return isSecretOf(this.clientSecret ?? "", secret)
  }
  allowEveryLoopbackPort(provider, (client) => hasKnownKeys || isDocumentUrl(client.clientId))
  reportDocumentLimit(provider)
  grantClientCredentials(provider)
  provider.on("server_error", (_ctx, error) => log.error({ err: error }, "authorization server failed"))
  const events: EventEmitter = provider
  events.on("error", (error) => log.warn({ err: error }, "a response of the authorization server was cut off"))
  return provider
}

const isPublic = ({ clientAuthMethod }: Client): boolean => clientAuthMethod === "none"

/** Introspection shows a client the tokens of its own account only. */
async function sameAccount(store: Store, asking: Client, token: { clientId?: string | undefined }) {
  if (token.clientId === asking.clientId) return true
  const [mine, theirs] = await Promise.all(
    [asking.clientId, token.clientId ?? ""].map((clientId) => available(store.oauthClients.byClientId(clientId))),
  )
  return mine !== undefined && mine.accountId === theirs?.accountId
}

/** RFC 7009 section 2.1: a token of another client is refused. A public client, which anyone can claim to be, gets the same response either way. */
function ownTokensOnly(_ctx: unknown, client: Client, token: { clientId?: string | undefined }) {
  if (token.clientId === client.clientId) return true
  if (client.clientAuthMethod === "none") return false
  throw new errors.InvalidRequest("client is not authorized to revoke the presented token")
}

/** Shows an error to the person when there is no safe redirect. */
function showError(ctx: KoaContextWithOIDC, { error, error_description: description }: ErrorOut): void {
  const { headers, body } = flowErrorPage({ error, description })
  for (let index = 0; index < headers.length; index += 2)
    ctx.set(headers[index] as string, headers[index + 1] as string)
  ctx.body = body
}

function policy() {
  const prompts = interactionPolicy.base()
  const { Check } = interactionPolicy
  // A public client proves nothing about itself, so a person must consent every time (RFC 8252 section 8.6).
  prompts.get("consent")?.checks.add(
    new Check("public_client", "public clients need the person's consent each time", "consent_required", (ctx) => {
      const { client, result } = ctx.oidc
      return client?.clientAuthMethod === "none" && !result?.consent ? Check.REQUEST_PROMPT : Check.NO_NEED_TO_PROMPT
    }),
  )
  // RFC 6749 section 3.3: a request without a scope asks for all scopes of the client; one that a document describes names none.
  prompts.get("login")?.checks.add(
    new Check("default_scope", "no scope is named", ({ oidc: { client, params, requestParamScopes } }) => {
      if (params && requestParamScopes.size === 0) params.scope = client?.scope ?? usualScopes.join(" ")
      return Check.NO_NEED_TO_PROMPT
    }),
  )
  return prompts
}
