import { type ApiContract, classicOperations } from "../../../core/domain/api.ts"
import type { Endpoint } from "../../../core/kernel/endpoint/endpoint.ts"
import type { HttpResponse } from "../../../core/kernel/network/http-response.ts"
import { basePath } from "../../../core/kernel/network/path.ts"
import type { Exchange } from "../../../core/server/exchange/exchange.ts"
import { type Asset, makeAsset, referenceScript, referenceStyle } from "../../site/pages/assets.ts"
import { renderPage } from "../../site/pages/frame.ts"
import { siteHeader } from "../../site/pages/header.ts"
import { html, Markup } from "../../site/pages/html.ts"
import { type Site, surround } from "../../site/site.ts"
import { readScalarBundle } from "./scalar.ts"

type ReferenceSite = {
  site: Site
  api: ApiContract
  /** Public API keys. */
  knownKeys: readonly { secret: string }[]
  /** The OAuth client that the reference uses by default; undefined when the reader enters one. */
  docsClientId: string | undefined
}

export type ReferencePage = {
  respond(exchange: Exchange): Promise<HttpResponse>
  /** Its static files. */
  scripts(): Promise<readonly Asset[]>
}

/** Scalar, for all stores. It is read at the first visit, because it takes longer to load than the rest of the service. */
let scalar: Promise<Asset> | undefined

/** The interactive reference at `/docs`. It loads nothing from other origins. */
export function openReference({ site, ...described }: ReferenceSite): ReferencePage {
  const start = makeAsset("start", "js", referenceScript + startText(described))

  const scripts = async () => {
    scalar ??= readScalarBundle().then((text) => makeAsset("scalar", "js", text))
    return [await scalar, start]
  }

  const respond = async (exchange: Exchange) => {
    const surrounded = surround(site, ".", await site.findVisitor(exchange))
    return renderPage({
      ...surrounded,
      title: "Petstore reference",
      main: reference,
      scripts: (await scripts()).map(({ name }) => name),
      imageSources: "data: blob:",
      frame: {
        style: new Markup(`<style>${referenceStyle}</style>`),
        // Scalar adds style sheets and inline styles at run time.
        styleSource: "'unsafe-inline'",
        body: html`${siteHeader({ ...surrounded, current: "/docs" })}
${reference}`,
      },
    })
  }
  return { respond, scripts }
}

const reference = html`<div id="app"></div>
<noscript>The reference needs JavaScript. Without it, read <a href="${basePath.slice(1)}/openapi.json">openapi.json</a>.</noscript>`

function startText({ api, knownKeys: [known], docsClientId }: Omit<ReferenceSite, "site">): string {
  const configuration = {
    url: `${basePath}/openapi.json`.slice(1),
    withDefaultFonts: false,
    telemetry: false,
    agent: { disabled: true },
    mcp: { disabled: true },
    showDeveloperTools: "never",
    hideClientButton: true,
    // The palette of the header finds operations too, with the same keys.
    hideSearch: true,
    defaultOpenAllTags: true,
    documentDownloadType: "json",
    authentication: {
      preferredSecurityScheme: "api_key",
      securitySchemes: {
        ...(known && { api_key: { value: known.secret } }),
        oauth2: oauthClient(docsClientId),
      },
    },
  }
  // The page may be open at an address other than the public URL, and its policy allows requests to its own origin only.
  return `const servers = [{ url: new URL("${basePath.slice(1)}", location.href).href }]
const first = ${JSON.stringify(classicOperations.map((name) => routeOf(api[name])))}
const isLate = (position) => position < 0
const positionOf = ({ method, path }) => first.indexOf(method.toUpperCase() + " " + path)
const operationsSorter = (a, b) => isLate(positionOf(a)) - isLate(positionOf(b)) || positionOf(a) - positionOf(b)
Scalar.createApiReference("#app", { ...${JSON.stringify(configuration)}, servers, operationsSorter })\n`
}

const routeOf = (endpoint: Endpoint) => `${endpoint.method} ${endpoint.path}`

/** A public client with PKCE: it has no secret for a header. */
const oauthClient = (clientId: string | undefined) => ({
  flows: {
    authorizationCode: {
      "x-scalar-client-id": clientId ?? "",
      "x-usePkce": "SHA-256",
      "x-scalar-credentials-location": "body",
    },
  },
})
