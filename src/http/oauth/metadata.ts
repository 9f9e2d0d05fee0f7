import type { FastifyInstance } from "fastify"
import { allScopes } from "../../domain/scopes.ts"
import { basePath } from "../../kernel/path.ts"

const metadataPath = "/.well-known/oauth-protected-resource"
const maxAge = 300

/** Where a client that was refused learns which authorization server to ask (RFC 9728). */
export const resourceMetadataUrl = (publicUrl: string): string => `${publicUrl}${metadataPath}${basePath}`

export function describeResource(app: FastifyInstance, publicUrl: () => string, trusted: readonly string[]): void {
  for (const url of [metadataPath, metadataPath + basePath])
    app.get(url, (_request, reply) =>
      reply
        .header("cache-control", `public, max-age=${maxAge}`)
        .type("application/json; charset=utf-8")
        .send(JSON.stringify(resourceMetadata(publicUrl(), trusted))),
    )
}

const resourceMetadata = (publicUrl: string, trusted: readonly string[]) => ({
  resource: publicUrl + basePath,
  resource_name: "Petstore",
  resource_documentation: `${publicUrl}/docs`,
  authorization_servers: [`${publicUrl}/oauth`, ...trusted],
  scopes_supported: allScopes,
  bearer_methods_supported: ["header"],
})
