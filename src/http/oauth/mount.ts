import type { IncomingMessage } from "node:http"
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify"
import type { Provider } from "oidc-provider"
import type { Sealing } from "../../domain/ports.ts"
import type { ExternalIssuer } from "../authentication/external-issuer.ts"
import { serveConsents } from "./consents.ts"
import { serveInteraction } from "./interaction.ts"
import { describeResource } from "./metadata.ts"
import { authorizationServer, type Issuing } from "./provider.ts"
import { type SigningIn, serveSignIn } from "./sign-in.ts"
import { rotateSigningKeys, signingKeys } from "./signing-keys.ts"

export const oauthPath = "/oauth"
/** As much as a stranger may send; oidc-provider itself would take 56 KiB. */
const bodyBytesMax = 16 * 1024
const wellKnown = ["oauth-authorization-server", "openid-configuration"]

export type OAuthServed = Issuing & SigningIn & { sealing: Sealing; externalIssuer: ExternalIssuer | undefined }

/** Serves the embedded authorization server below /oauth, and the metadata by which clients find it. */
export async function serveOAuth(app: FastifyInstance, served: OAuthServed): Promise<void> {
  await rotateSigningKeys(served)
  // A key that does not fit the database is better found now than by the first person who signs in.
  await signingKeys(served)
  const provider = providerOf(served)

  app.route({
    method: ["GET", "POST", "OPTIONS"],
    url: `${oauthPath}/*`,
    // Before Fastify reads the body, which oidc-provider reads itself.
    onRequest: async (request, reply) => hand(request, reply, request.url.slice(oauthPath.length)),
    handler: () => undefined,
  })
  // RFC 8414 section 3.1 puts the metadata of an issuer with a path at the root; OpenID Connect puts it below the issuer.
  for (const name of wellKnown)
    app.route({
      method: ["GET", "OPTIONS"],
      url: `/.well-known/${name}${oauthPath}`,
      onRequest: async (request, reply) => hand(request, reply, `/.well-known/${name}`),
      handler: () => undefined,
    })
  serveSignIn(app, `${oauthPath}/sign-in`, provider, served)
  serveInteraction(app, `${oauthPath}/interaction/:uid`, provider, served)
  serveConsents(app, `${oauthPath}/consents`, provider, served)
  describeResource(app, served.publicUrl, served.externalIssuer ? [served.externalIssuer.issuer] : [])

  async function hand(request: FastifyRequest, reply: FastifyReply, url: string): Promise<void> {
    await served.byAddress("anonymous", request)
    const callback = (await provider()).callback()
    reply.hijack()
    reply.raw.setHeader("x-request-id", request.id)
    reply.raw.setHeader("x-content-type-options", "nosniff")
    await callback(asMounted(request.raw, url, served.publicUrl()), reply.raw)
  }
}

/** The provider for the newest signing keys, made when the public address is known and made again when they change. */
export function providerOf(served: OAuthServed): () => Promise<Provider> {
  let current: { kid: string | undefined; provider: Provider } | undefined

  return async () => {
    const [newest] = await served.store.signingKeys.all()
    if (current && current.kid === newest?.kid) return current.provider
    const provider = authorizationServer(`${served.publicUrl()}${oauthPath}`, await signingKeys(served), served)
    current = { kid: newest?.kid, provider }
    return provider
  }
}

/** The request as oidc-provider expects it below its mount, at the public address whatever `Host` says. */
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
