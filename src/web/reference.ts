import { hash } from "node:crypto"
import { promisify } from "node:util"
import { gzip } from "node:zlib"
import fastify, { type FastifyInstance } from "fastify"
import { basePath } from "../kernel/path.ts"
import type { Site } from "./site.ts"

/** A script as it is sent; its name changes with its text, so that it may be kept for ever. */
type Script = { name: string; plain: Buffer; zipped: Buffer }

/** The interactive reference at `/docs`; everything it needs comes from this service. */
export function serveReference(app: FastifyInstance, site: Site): void {
  const start = scriptOf("start", startText(site))
  const scripts = () => Promise.all([library(), start])

  app.get("/docs", async (_request, reply) =>
    reply
      .headers({
        "content-type": "text/html; charset=utf-8",
        "cache-control": "no-cache",
        "content-security-policy": contentSecurityPolicy,
      })
      .send(page(await scripts())),
  )
  app.get<{ Params: { name: string } }>("/docs/:name", async (request, reply) => {
    const script = (await scripts()).find(({ name }) => name === request.params.name)
    if (!script) return reply.callNotFound()
    const zipped = /\bgzip\b/.test(String(request.headers["accept-encoding"]))
    return reply
      .headers({
        "content-type": "text/javascript; charset=utf-8",
        "cache-control": "public, max-age=31536000, immutable",
        vary: "Accept-Encoding",
        ...(zipped && { "content-encoding": "gzip" }),
      })
      .send(zipped ? script.zipped : script.plain)
  })
}

/** Scalar adds its style sheets and draws inline styles at run time, which is all that is allowed beyond our own files. */
const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'unsafe-inline'",
  "img-src 'self' data: blob:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join("; ")

const page = (scripts: readonly Script[]): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Petstore reference</title>
<link rel="icon" href="favicon.svg" type="image/svg+xml">
</head>
<body>
<div id="app"></div>
<noscript>The reference needs JavaScript. Without it, read <a href="${basePath.slice(1)}/openapi.json">openapi.json</a>.</noscript>
${scripts.map(({ name }) => `<script src="docs/${name}"></script>`).join("\n")}
</body>
</html>
`

let carried: Promise<Script> | undefined

/** Scalar, taken from the plugin that carries it when somebody first opens the reference: loading it takes its time. */
function library(): Promise<Script> {
  carried ??= (async () => {
    const { default: scalar } = await import("@scalar/fastify-api-reference")
    const carrier = fastify()
    await carrier.register(scalar as never, { routePrefix: "/", configuration: { url: "-" } } as never)
    const { body } = await carrier.inject("/js/scalar.js")
    await carrier.close()
    return scriptOf("scalar", body)
  })()
  return carried
}

async function scriptOf(what: string, text: string): Promise<Script> {
  const plain = Buffer.from(text)
  return { name: `${what}-${hash("sha256", plain).slice(0, 16)}.js`, plain, zipped: await promisify(gzip)(plain) }
}

function startText({ knownKeys: [known], docsClientId }: Site): string {
  const configuration = {
    url: `${basePath}/openapi.json`.slice(1),
    withDefaultFonts: false,
    telemetry: false,
    agent: { disabled: true },
    mcp: { disabled: true },
    showDeveloperTools: "never",
    hideClientButton: true,
    documentDownloadType: "json",
    authentication: {
      preferredSecurityScheme: "api_key",
      securitySchemes: {
        ...(known && { api_key: { value: known.secret } }),
        oauth2: oauthClient(docsClientId),
      },
    },
  }
  return `Scalar.createApiReference("#app", ${JSON.stringify(configuration)})\n`
}

/** A public client with PKCE, which has no secret to put into a header. */
const oauthClient = (clientId: string | undefined) => ({
  flows: {
    authorizationCode: {
      "x-scalar-client-id": clientId ?? "",
      "x-usePkce": "SHA-256",
      "x-scalar-credentials-location": "body",
    },
  },
})
