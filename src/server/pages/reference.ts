import { hash } from "node:crypto"
import scalar from "@scalar/fastify-api-reference"
import fastify, { type FastifyInstance } from "fastify"
import { basePath } from "../../kernel/path.ts"
import type { Site } from "./site.ts"

/** The interactive reference at `/docs`; everything it needs comes from this service. */
export async function serveReference(app: FastifyInstance, site: Site): Promise<void> {
  const library = await librarySource()
  const libraryPath = `/docs/scalar-${hash("sha256", library).slice(0, 16)}.js`
  const start = startScript(site)
  const startPath = `/docs/start-${hash("sha256", start).slice(0, 16)}.js`

  app.get("/docs", (_request, reply) =>
    reply
      .headers({
        "content-type": "text/html; charset=utf-8",
        "cache-control": "no-cache",
        "content-security-policy": contentSecurityPolicy,
      })
      .send(page(libraryPath.slice(1), startPath.slice(1))),
  )
  for (const [path, script] of [
    [libraryPath, library],
    [startPath, start],
  ] as const)
    app.get(path, (_request, reply) =>
      reply
        .headers({
          "content-type": "text/javascript; charset=utf-8",
          "cache-control": "public, max-age=31536000, immutable",
        })
        .send(script),
    )
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

const page = (libraryPath: string, startPath: string): string => `<!doctype html>
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
<script src="${libraryPath}"></script>
<script src="${startPath}"></script>
</body>
</html>
`

/** The script of the reference, as the plugin that carries it hands it out. */
async function librarySource(): Promise<string> {
  const carrier = fastify()
  await carrier.register(scalar as never, { routePrefix: "/", configuration: { url: "-" } } as never)
  const { body } = await carrier.inject("/js/scalar.js")
  await carrier.close()
  return body
}

function startScript({ knownKeys: [known] }: Site): string {
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
      ...(known && { securitySchemes: { api_key: { value: known.secret } } }),
    },
  }
  return `Scalar.createApiReference("#app", ${JSON.stringify(configuration)})\n`
}
