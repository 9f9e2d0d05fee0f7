import { allScopes } from "../../domain/scopes.ts"
import { jsonType } from "../../kernel/network/media-types.ts"
import { basePath, oauthPath, wellKnownPath, wellKnownUrl } from "../../kernel/network/path.ts"
import type { AddRoute } from "../../server/exchange/router.ts"

const metadata = "oauth-protected-resource"
const metadataPath = `${wellKnownPath}/${metadata}`

/** The address where a refused client finds its authorization server (RFC 9728). */
export const resourceMetadataUrl = (publicUrl: string): string => wellKnownUrl(publicUrl, metadata, basePath)

type ResourceFacts = {
  publicUrl(): string
  /** The base address of the pages. */
  siteUrl(): string
  externalIssuer: { issuer: string } | undefined
}

/** Serves the metadata of the protected resource (RFC 9728) at its well-known address. */
export function addResourceMetadata(add: AddRoute, { publicUrl, siteUrl, externalIssuer }: ResourceFacts): void {
  for (const path of [metadataPath, metadataPath + basePath])
    add(["GET"], path, () => ({
      status: 200,
      headers: ["content-type", jsonType, "cache-control", "public, max-age=300"],
      body: JSON.stringify({
        resource: publicUrl() + basePath,
        resource_name: "Petstore",
        resource_documentation: `${siteUrl()}/docs`,
        authorization_servers: [publicUrl() + oauthPath, ...(externalIssuer ? [externalIssuer.issuer] : [])],
        scopes_supported: allScopes,
        bearer_methods_supported: ["header"],
      }),
    }))
}
