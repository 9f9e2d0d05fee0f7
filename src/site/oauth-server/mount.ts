import type { IncomingMessage } from "node:http"
import type { Provider } from "oidc-provider"
import type { ExternalIssuer } from "../../api/authentication/external-issuer.ts"
import { addResourceMetadata } from "../../api/authentication/resource-metadata.ts"
import type { Sealing } from "../../domain/ports/sealing.ts"
import { oauthPath } from "../../kernel/network/path.ts"
import type { Exchange } from "../../server/exchange/exchange.ts"
import type { AddRoute, Router } from "../../server/exchange/router.ts"
import { sendContinue } from "../../server/reading/expect-continue.ts"
import { redirect } from "../../server/writing/page-response.ts"
import { consolePath } from "../serving/cookies.ts"
import { asRequestOf } from "./acting.ts"
import type { ProviderDeps } from "./provider.ts"
import type { SignInDeps } from "./sign-in.ts"
import { rotateSigningKeys, signingKeys } from "./signing-keys.ts"

/** The largest body from an anonymous client; oidc-provider itself would accept 56 KiB. */
const bodyBytesMax = 16 * 1024
const metadata = ["oauth-authorization-server", "openid-configuration"]
/** The paths of oidc-provider below the mount. It responds to every other path and method with text. */
const endpoints = {
  "/auth": "GET",
  "/auth/:uid": "GET",
  "/token": "POST",
  "/token/introspection": "POST",
  "/token/revocation": "POST",
  "/jwks": "GET",
  // When another person signs in at the same browser, the earlier sign-in ends here.
  "/session/end/confirm": "POST",
}

type OAuthDeps = ProviderDeps & SignInDeps & { sealing: Sealing; externalIssuer: ExternalIssuer | undefined }

export async function addOAuth(router: Router, deps: OAuthDeps): Promise<void> {
  await rotateSigningKeys(deps)
  // A key that does not fit the database fails the start, not the first sign-in.
  await signingKeys(deps)
  const provider = providerOf(deps)
  /** The handlers of the pages, by their path below the mount. */
  const pages = {
    "/sign-in": async () => {
      const { oauthSignInHandlers } = await import("./sign-in.ts")
      return oauthSignInHandlers(provider, deps)
    },
    "/interaction/:uid": async () => {
      const { interactionHandlers } = await import("./interaction.ts")
      return interactionHandlers(provider, deps)
    },
  }

  const add: AddRoute = (methods, path, handle) =>
    router.add(methods, path, { admission: "anonymous", handle: (exchange) => asRequestOf(exchange, handle) })
  for (const [path, method] of Object.entries(endpoints))
    add([method], oauthPath + path, (exchange) => delegate(exchange, path))
  // RFC 8414 section 3.1 puts the metadata of an issuer with a path at the root; OpenID Connect puts it below the issuer.
  for (const path of metadata.map((name) => `/.well-known/${name}`))
    for (const at of [path + oauthPath, oauthPath + path]) add(["GET"], at, (exchange) => delegate(exchange, path))
  for (const [path, load] of Object.entries(pages))
    for (const method of ["GET", "POST"] as const)
      add([method], oauthPath + path, async (exchange) => (await load())[method](exchange))
  // The page has moved to the console.
  add(["GET"], `${oauthPath}/consents`, () => redirect(`${consolePath(deps.publicUrl())}/consents`))
  addResourceMetadata(add, deps.publicUrl, deps.externalIssuer ? [deps.externalIssuer.issuer] : [])

  /** oidc-provider reads the body and writes the response itself. */
  async function delegate({ request, response, id, params, query }: Exchange, path: string): Promise<undefined> {
    // Its router takes neither percent-encoded letters nor other spellings of a path that ours takes.
    const url = path.replace(":uid", encodeURIComponent(params.uid ?? "")) + (query && `?${query}`)
    const callback = (await provider()).callback()
    response.setHeader("X-Request-Id", id)
    response.setHeader("X-Content-Type-Options", "nosniff")
    sendContinue(request)
    await callback(asMounted(request, url, deps.publicUrl()), response)
  }
}

/**
 * The provider for the newest signing keys, recreated when they change. It is loaded on first use: that takes a quarter of a
 * start, and many services never need it.
 */
function providerOf(deps: OAuthDeps): () => Promise<Provider> {
  let current: { kid: string | undefined; provider: Provider } | undefined

  return async () => {
    const [newest] = await deps.store.signingKeys.all()
    if (current && current.kid === newest?.kid) return current.provider
    const { authorizationServer } = await import("./provider.ts")
    const provider = authorizationServer(`${deps.publicUrl()}${oauthPath}`, await signingKeys(deps), deps)
    current = { kid: newest?.kid, provider }
    return provider
  }
}

/** Adapts a request to oidc-provider: the path below the mount, at the public address regardless of `Host`. */
function asMounted(raw: IncomingMessage, url: string, publicUrl: string): IncomingMessage {
  const { protocol, host, pathname } = new URL(publicUrl)
  raw.headers["x-forwarded-proto"] = protocol.slice(0, -1)
  raw.headers["x-forwarded-host"] = host
  const originalUrl = `${pathname.replace(/\/$/, "")}${oauthPath}${url}`
  const iterator = raw.iterator.bind(raw)
  return Object.assign(raw, { url, originalUrl, iterator: () => bounded(iterator({ destroyOnReturn: false })) })
}

async function* bounded(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let bytes = 0
  for await (const chunk of chunks) {
    bytes += chunk.length
    if (bytes > bodyBytesMax) throw new RangeError(`the body is larger than ${bodyBytesMax} bytes`)
    yield chunk
  }
}
