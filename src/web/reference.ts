import { hash } from "node:crypto"
import type { HttpResponse } from "../kernel/network/http-response.ts"
import { basePath } from "../kernel/network/path.ts"
import { type Compressed, compress } from "./compressed.ts"
import { readScalarBundle } from "./scalar.ts"
import type { Site } from "./site.ts"

/** A script whose name changes with its text, so that it may be cached for good. */
type Script = { name: string; respond: Compressed }

/** The interactive reference at `/docs`; everything it needs comes from this service. */
export function openReference(site: Pick<Site, "knownKeys" | "docsClientId">) {
  const start = makeScript("start", startText(site))
  const scripts = () => Promise.all([scalarScript(), start])

  return {
    async referencePage(): Promise<HttpResponse> {
      return { status: 200, headers, body: page(await scripts()) }
    },
    /** Undefined for a name no script has. */
    async referenceScript(name: string, acceptsGzip: boolean): Promise<HttpResponse | undefined> {
      const script = (await scripts()).find((candidate) => candidate.name === name)
      return script?.respond(acceptsGzip)
    },
  }
}

let scalar: Promise<Script> | undefined

/** Loaded when the reference is first opened: it takes longer than everything else the service loads. */
function scalarScript(): Promise<Script> {
  scalar ??= readScalarBundle().then((text) => makeScript("scalar", text))
  return scalar
}

async function makeScript(what: string, text: string): Promise<Script> {
  const name = `${what}-${hash("sha256", text).slice(0, 16)}.js`
  return {
    name,
    respond: await compress("text/javascript; charset=utf-8", "public, max-age=31536000, immutable", text),
  }
}

/** Scalar adds style sheets and inline styles at run time: the only thing allowed besides files of this service. */
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

const headers = [
  ...["content-type", "text/html; charset=utf-8"],
  ...["cache-control", "no-cache"],
  ...["content-security-policy", contentSecurityPolicy],
]

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

function startText({ knownKeys: [known], docsClientId }: Pick<Site, "knownKeys" | "docsClientId">): string {
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
  // The page may be open at an address other than the public one, and may only send requests to where it comes from.
  return `const servers = [{ url: new URL("${basePath.slice(1)}", location.href).href }]
Scalar.createApiReference("#app", { ...${JSON.stringify(configuration)}, servers })\n`
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
