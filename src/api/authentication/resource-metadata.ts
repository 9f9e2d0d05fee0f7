import { allScopes } from "../../domain/scopes.ts"
import { jsonType } from "../../kernel/network/media-types.ts"
import { basePath, oauthPath } from "../../kernel/network/path.ts"
import type { AddRoute } from "../../server/exchange/router.ts"

const metadataPath = "/.well-known/oauth-protected-resource"

/** The address where a refused client finds its authorization server (RFC 9728). */
export const resourceMetadataUrl = (publicUrl: string): string => `${publicUrl}${metadataPath}${basePath}`

/** Serves the metadata of the protected resource (RFC 9728) at its well-known address. */
export function addResourceMetadata(add: AddRoute, publicUrl: () => string, trusted: readonly string[]): void {
  for (const path of [metadataPath, metadataPath + basePath])
    add(["GET"], path, () => ({
      status: 200,
      headers: ["content-type", jsonType, "cache-control", "public, max-age=300"],
      body: JSON.stringify({
        resource: publicUrl() + basePath,
        resource_name: "Petstore",
        resource_documentation: `${publicUrl()}/docs`,
        authorization_servers: [publicUrl() + oauthPath, ...trusted],
        scopes_supported: allScopes,
        bearer_methods_supported: ["header"],
      }),
    }))
}
