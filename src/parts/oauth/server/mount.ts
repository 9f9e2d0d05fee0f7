import type { IncomingMessage } from "node:http"
import type { Provider } from "oidc-provider"
import { addResourceMetadata } from "../../../core/api/authentication/resource-metadata.ts"
import type { Handle } from "../../../core/api/operations/steps.ts"
import { once } from "../../../core/kernel/flow/once.ts"
import type { HttpResponse } from "../../../core/kernel/network/http-response.ts"
import { oauthPath, wellKnownPath } from "../../../core/kernel/network/path.ts"
import type { Exchange } from "../../../core/server/exchange/exchange.ts"
import { type AddRoute, createRouter, type Router } from "../../../core/server/exchange/router.ts"
import { sendContinue } from "../../../core/server/reading/expect-continue.ts"
import { CapturedResponse } from "../endpoints/captured-response.ts"
import { endpoints, programEndpoints } from "../endpoints/endpoints.ts"
import { refuseRequest } from "../endpoints/refusal.ts"
import { flawOf, spoil, spoilResponse } from "../endpoints/spoil-tokens.ts"
import { asRequestOf } from "./acting.ts"
import type { OAuthStore } from "./oauth-store.ts"
import { makeKey, rotateSigningKeys, signingKeys } from "./signing-keys.ts"
import { withoutUnused } from "./unused-parameters.ts"

/** The largest body from an anonymous client; oidc-provider itself would accept 56 KiB. */
const bodyBytesMax = 16 * 1024
const metadata = ["oauth-authorization-server", "openid-configuration"]
/** Makes the first signing key of the service. */
export async function prepareSigning({ ports }: Pick<OAuthStore, "ports">): Promise<void> {
  // Signs with little effort; the RSA key is made by maintenance, or the first request.
  await rotateSigningKeys(ports, ["ES256"])
  // A key that does not fit the database fails the start, not the first sign-in.
  await signingKeys(ports)
}

/** Adds the authorization server of the service, whose maintenance rotates the signing keys. */
export function addOAuth(router: Router, served: OAuthStore): void {
  addRoutes(router, served, providerOf(served, { atEachUse: false }))
}

/** The parts of a router at which the authorization server of a named store is, opened by the first request to one of them. */
export function addOAuthOfNamedStore(router: Router, served: OAuthStore): void {
  const load = once(async () => addRoutes(createRouter(), served, providerOf(served, { atEachUse: true })))
  for (const path of [oauthPath, wellKnownPath]) router.addPart(path, { load })
}

function addRoutes(router: Router, served: OAuthStore, provider: () => Promise<Provider>): Router {
  /** The handlers of the pages, by their path below the mount. */
  const pages = {
    "/sign-in": once(async () => {
      const { oauthSignInHandlers } = await import("./sign-in.ts")
      return oauthSignInHandlers(provider, served)
    }),
    "/interaction/:uid": once(async () => {
      const { interactionHandlers } = await import("./interaction.ts")
      return interactionHandlers(provider, served)
    }),
  }

  const add: AddRoute = (methods, path, handle) =>
    router.add(methods, path, { admission: "anonymous", handle: (exchange) => asRequestOf(exchange, handle) })
  for (const { method, path } of endpoints)
    router.add([method], oauthPath + path, { admission: "anonymous", handle: surrounded(path) })
  // RFC 8414 section 3.1 puts the metadata of an issuer with a path at the root; OpenID Connect puts it below the issuer.
  for (const path of metadata.map((name) => `${wellKnownPath}/${name}`))
    for (const at of [path + oauthPath, oauthPath + path]) add(["GET"], at, (exchange) => delegate(exchange, path))
  for (const [path, load] of Object.entries(pages))
    for (const method of ["GET", "POST"] as const)
      add([method], oauthPath + path, async (exchange) => (await load())[method](exchange))
  const docsUrl = () => served.docsPath && served.siteUrl() + served.docsPath
  addResourceMetadata(add, served.ports.publicUrl, docsUrl, served.externalIssuer)
  return router

  /** An endpoint with the steps of other parts, if programs call it. */
  function surrounded(path: string): Handle {
    const handle: Handle = (exchange) => asRequestOf(exchange, (one) => delegate(one, path))
    const endpoint = programEndpoints.find((one) => one.path === oauthPath + path)
    const issuer = () => served.ports.publicUrl() + oauthPath
    return endpoint
      ? served.surround(handle, { ...endpoint, refuse: (...refusal) => refuseRequest(issuer(), ...refusal), spoil })
      : handle
  }

  /** oidc-provider reads the body and makes the response. */
  async function delegate(exchange: Exchange, path: string): Promise<HttpResponse> {
    const { request, params } = exchange
    const query = path === "/auth" ? withoutUnused(exchange.query) : exchange.query
    // Its router takes neither percent-encoded letters nor other spellings of a path that ours takes.
    const url = path.replace(":uid", encodeURIComponent(params.uid ?? "")) + (query && `?${query}`)
    const callback = (await provider()).callback()
    // It says itself which origins may read the response.
    exchange.isReadableAnywhere = false
    sendContinue(request)
    const response = new CapturedResponse(request)
    await callback(asMounted(exchange, url, served.ports.publicUrl()), response)
    const flaw = flawOf(exchange)
    if (!flaw) return response.read()
    return spoilResponse(response.read(), flaw, { keys: await signingKeys(served.ports), makeKey })
  }
}

/**
 * The provider for the newest signing keys, recreated when they change. It is not loaded by the start, of which it would
 * take a quarter. Signing keys that are due are made then too, and for a named store, whose clock may move, at each use.
 */
function providerOf(served: OAuthStore, rotation: { atEachUse: boolean }): () => Promise<Provider> {
  const { ports } = served
  let current: { kids: string; provider: Provider } | undefined
  let rotating: Promise<unknown> | undefined

  /** Requests that arrive together make the keys once. */
  function rotate(): Promise<unknown> {
    rotating ??= rotateSigningKeys(ports).finally(() => {
      rotating = undefined
    })
    return rotating
  }

  return async () => {
    if (!current || rotation.atEachUse) await rotate()
    const kids = (await ports.store.signingKeys.all()).map(({ kid }) => kid).join(" ")
    if (current?.kids === kids) return current.provider
    const { authorizationServer } = await import("./provider.ts")
    const provider = authorizationServer(`${ports.publicUrl()}${oauthPath}`, await signingKeys(ports), served)
    current = { kids, provider }
    return provider
  }
}

/** Adapts a request to oidc-provider: the path below the mount, at the public address regardless of `Host`. */
function asMounted(exchange: Exchange, url: string, publicUrl: string): IncomingMessage {
  const { request: raw, method } = exchange
  const { protocol, host, pathname } = new URL(publicUrl)
  raw.headers["x-forwarded-proto"] = protocol.slice(0, -1)
  raw.headers["x-forwarded-host"] = host
  const originalUrl = `${pathname.replace(/\/$/, "")}${oauthPath}${url}`
  const iterator = raw.iterator.bind(raw)
  return Object.assign(raw, {
    // The head of the response to HEAD is that of GET.
    method: method === "HEAD" ? "GET" : method,
    url,
    originalUrl,
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
