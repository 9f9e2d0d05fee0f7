import type { Description } from "../../../core/assembly/description.ts"
import type { Ports } from "../../../core/domain/ports/ports.ts"
import type { HttpResponse } from "../../../core/kernel/network/http-response.ts"
import { basePath, mcpPath, v2Path, wellKnownPath } from "../../../core/kernel/network/path.ts"
import { redirectPermanently } from "../../site/pages/redirect.ts"
import type { SitePage } from "../../site/serving/pages.ts"
import { addressesOf } from "../descriptions.ts"

const catalogPath = `${wellKnownPath}/api-catalog`
const expiresAfterMs = 180 * 24 * 60 * 60 * 1000

/**
 * The files that programs look for at a service that they do not know, and redirections from addresses that they try.
 * `securityContact` is where to report a vulnerability, as a URI; without it there is no security.txt.
 */
export const discoveryPages = (
  descriptions: readonly Description[],
  { publicUrl, clock }: Pick<Ports, "publicUrl" | "clock">,
  securityContact: string | undefined,
): SitePage[] => [
  { path: catalogPath, respond: () => catalog(descriptions, publicUrl()) },
  { path: "/llms.txt", respond: () => file(llmsText(descriptions, publicUrl()), "text/markdown") },
  { path: "/robots.txt", respond: () => file(robotsText(descriptions, publicUrl())) },
  {
    path: `${wellKnownPath}/security.txt`,
    respond: () =>
      securityContact === undefined ? undefined : file(securityText(securityContact, publicUrl(), clock.now())),
  },
  ...["openapi", "swagger"].flatMap((name) =>
    ["json", "yaml"].map((format) => alias(`${name}.${format}`, descriptions)),
  ),
]

const file = (body: string, type = "text/plain"): HttpResponse => ({
  status: 200,
  headers: ["content-type", `${type}; charset=utf-8`, "cache-control", "public, max-age=3600"],
  body,
})

/** Without v2, Swagger 2.0 is not served, and the classic operations are what such a program knows. */
function alias(name: string, descriptions: readonly Description[]): SitePage {
  const target = descriptions.find(({ path }) => path.endsWith(`/${name}`))?.path ?? `${basePath}/openapi.classic.json`
  return { path: `/${name}`, respond: ({ query }) => redirectPermanently(`.${target}${query && `?${query}`}`) }
}

/** The API catalog (RFC 9727) as a linkset (RFC 9264), with the relations of RFC 8631. */
function catalog(descriptions: readonly Description[], url: string): HttpResponse {
  const described = (path: string) => descriptions.filter((each) => each.path.startsWith(`${path}/`))
  const linkset = [basePath, v2Path]
    .filter((path) => described(path).length > 0)
    .map((path) => ({
      anchor: url + path,
      "service-desc": described(path).flatMap((each) =>
        addressesOf(each).map((address) => ({ href: url + address.path, type: each.mediaType, title: address.title })),
      ),
      "service-doc": ["/docs", "/docs/descriptions"].map((href) => ({ href: url + href, type: "text/html" })),
      status: [{ href: `${url}/readyz`, type: "application/json" }],
    }))
  const type = 'application/linkset+json; profile="https://www.rfc-editor.org/info/rfc9727"'
  return {
    status: 200,
    headers: [
      "content-type",
      type,
      "link",
      `<${url}${catalogPath}>; rel="api-catalog"`,
      "cache-control",
      "public, max-age=3600",
    ],
    body: JSON.stringify({ linkset }),
  }
}

/** An index for language models (https://llmstxt.org). */
function llmsText(descriptions: readonly Description[], url: string): string {
  const lines = descriptions.flatMap((each) =>
    addressesOf(each).map(({ path, title }) => `- [${title}](${url}${path}): for ${each.readers}`),
  )
  return `# Petstore

> The classic Petstore v3 API (pets, orders, users) with API keys, OAuth 2.0, webhooks and request limits.

Operations are below ${url}${basePath}. Send an API key in the header \`api_key\`, or an access token in \`Authorization: Bearer\`. Errors are
\`application/problem+json\` (RFC 9457): \`detail\` says what to do, and \`type\` is the address of a page about the problem.

The operations are tools of the Model Context Protocol at ${url}${mcpPath}.

## Descriptions

${lines.join("\n")}

## Pages

- [Reference](${url}/docs): every operation, interactively
- [Descriptions](${url}/docs/descriptions): which program reads which description
- [Results](${url}/docs/results): what common clients, testing tools and pet stores do
- [Errors](${url}/problems): every problem, its status and its code
`
}

/** Crawlers index the store and the documentation, and neither operations nor pages for people who are signed in. */
function robotsText(descriptions: readonly Description[], url: string): string {
  const { pathname } = new URL(`${url}/`)
  const at = (path: string) => pathname + path.slice(1)
  const rules = [
    ...descriptions.map(({ path }) => `Allow: ${at(path)}`),
    ...[`${basePath}/`, `${v2Path}/`, "/console", "/oauth", "/s/"].map((path) => `Disallow: ${at(path)}`),
  ]
  return `User-agent: *\n${rules.join("\n")}\n`
}

/** RFC 9116. */
const securityText = (contact: string, url: string, now: number): string => `Contact: ${contact}
Expires: ${new Date(now + expiresAfterMs).toISOString().slice(0, 10)}T00:00:00Z
Canonical: ${url}${wellKnownPath}/security.txt
Preferred-Languages: en
`
