import { allScopes, usualScopes } from "../../domain/scopes.ts"
import { jsonType } from "../../kernel/network/media-types.ts"
import { basePath, mcpPath, oauthPath, wellKnownPath, wellKnownUrl } from "../../kernel/network/path.ts"
import type { AddRoute } from "../../server/exchange/router.ts"

const metadata = "oauth-protected-resource"
const metadataPath = `${wellKnownPath}/${metadata}`

/** The address where a refused client finds its authorization server (RFC 9728); `path` is that of the resource. */
export const resourceMetadataUrl = (publicUrl: string, path = basePath): string =>
  wellKnownUrl(publicUrl, metadata, path)

/**
 * Serves the metadata of the protected resources (RFC 9728), the API and its tools for models, at their well-known addresses. `docsUrl`
 * is the address of the pages that document them, if there are any.
 */
export function addResourceMetadata(
  add: AddRoute,
  publicUrl: () => string,
  docsUrl: () => string | undefined,
  externalIssuer: { issuer: string } | undefined,
): void {
  const api = { resource: basePath, scopes: allScopes }
  // Clients of the Model Context Protocol ask for all scopes that are named here, and for others when a tool needs them.
  const tools = { resource: mcpPath, scopes: usualScopes }
  const resources = { [metadataPath]: api, [metadataPath + basePath]: api, [metadataPath + mcpPath]: tools }
  for (const [path, { resource, scopes }] of Object.entries(resources))
    add(["GET"], path, () => ({
      status: 200,
      headers: ["content-type", jsonType, "cache-control", "public, max-age=300"],
      body: JSON.stringify({
        resource: publicUrl() + resource,
        resource_name: "Petstore",
        resource_documentation: docsUrl(),
        authorization_servers: [publicUrl() + oauthPath, ...(externalIssuer ? [externalIssuer.issuer] : [])],
        scopes_supported: scopes,
        bearer_methods_supported: ["header"],
      }),
    }))
}
