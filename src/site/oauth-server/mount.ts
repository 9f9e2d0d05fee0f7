import type { IncomingMessage } from "node:http"
import type { Provider } from "oidc-provider"
import type { ExternalIssuer } from "../../api/authentication/external-issuer.ts"
import { addResourceMetadata } from "../../api/authentication/resource-metadata.ts"
import type { Sealing } from "../../domain/ports/sealing.ts"
import { oauthPath, wellKnownPath } from "../../kernel/network/path.ts"
import type { Exchange } from "../../server/exchange/exchange.ts"
import { type AddRoute, createRouter, type Router } from "../../server/exchange/router.ts"
import { discardBody } from "../../server/reading/body.ts"
import { sendContinue } from "../../server/reading/expect-continue.ts"
import { redirect } from "../../server/writing/page-response.ts"
import { serverTiming } from "../../server/writing/server-timing.ts"
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

export type OAuthDeps = ProviderDeps & SignInDeps & { sealing: Sealing; externalIssuer: ExternalIssuer | undefined }

/** Adds the authorization server of the service, whose maintenance rotates the signing keys. */
export async function addOAuth(router: Router, deps: OAuthDeps): Promise<void> {
  await rotateSigningKeys(deps)
  // A key that does not fit the database fails the start, not the first sign-in.
  await signingKeys(deps)
  addRoutes(router, deps, providerOf(deps))
  // The page has moved to the console.
  const toConsole = () => redirect(`${consolePath(deps.publicUrl())}/consents`)
  router.add(["GET"], `${oauthPath}/consents`, { admission: "anonymous", handle: toConsole })
}

/** The parts of a router at which the authorization server of a named sandbox is, opened by the first request to one of them. */
export function addSandboxOAuth(router: Router, deps: OAuthDeps): void {
  let routes: Router | undefined
  const open = async () => {
    routes ??= addRoutes(createRouter(), deps, sandboxProviderOf(deps))
    return routes
  }
  for (const path of [oauthPath, wellKnownPath]) router.addPart(path, open)
}

function addRoutes(router: Router, deps: OAuthDeps, provider: () => Promise<Provider>): Router {
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
  for (const path of metadata.map((name) => `${wellKnownPath}/${name}`))
    for (const at of [path + oauthPath, oauthPath + path]) add(["GET"], at, (exchange) => delegate(exchange, path))
  for (const [path, load] of Object.entries(pages))
    for (const method of ["GET", "POST"] as const)
      add([method], oauthPath + path, async (exchange) => (await load())[method](exchange))
  addResourceMetadata(add, deps)
  return router

  /** oidc-provider reads the body and writes the response itself. */
  async function delegate(exchange: Exchange, path: string): Promise<undefined> {
    const { request, response, id, params, query } = exchange
    // Its router takes neither percent-encoded letters nor other spellings of a path that ours takes.
    const url = path.replace(":uid", encodeURIComponent(params.uid ?? "")) + (query && `?${query}`)
    const callback = (await provider()).callback()
    response.setHeader("X-Request-Id", id)
    response.setHeader("X-Content-Type-Options", "nosniff")
    sendContinue(request)
    await callback(asMounted(exchange, url, deps.publicUrl()), response)
    // What it has not read would keep the connection from its next request.
    discardBody(request)
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

/** Signing keys of a named sandbox are made when they are needed, and rotated by its clock. */
function sandboxProviderOf(deps: OAuthDeps): () => Promise<Provider> {
  const provider = providerOf(deps)
  return async () => {
    await rotateSigningKeys(deps)
    return provider()
  }
}

/** Adapts a request to oidc-provider: the path below the mount, at the public address regardless of `Host`. */
function asMounted(exchange: Exchange, url: string, publicUrl: string): IncomingMessage {
  const { request: raw, timings, startedAt } = exchange
  const { protocol, host, pathname } = new URL(publicUrl)
  raw.headers["x-forwarded-proto"] = protocol.slice(0, -1)
  raw.headers["x-forwarded-host"] = host
  const originalUrl = `${pathname.replace(/\/$/, "")}${oauthPath}${url}`
  const iterator = raw.iterator.bind(raw)
  return Object.assign(raw, {
    url,
    originalUrl,
    timing: timings && (() => serverTiming(timings, startedAt)),
    iterator: () => received(exchange, iterator({ destroyOnReturn: false })),
  })
}

/** The body, for oidc-provider and the journal. */
async function* received(exchange: Exchange, chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  for await (const chunk of chunks) {
    exchange.received = Buffer.concat([exchange.received, chunk])
    if (exchange.received.length > bodyBytesMax) throw new RangeError(`the body is larger than ${bodyBytesMax} bytes`)
    yield chunk
  }
}
