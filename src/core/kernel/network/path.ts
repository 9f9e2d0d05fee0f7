/** The base path of all endpoints. */
export const basePath = "/api/v3"

/** The base path of the classic v2 API, where it is enabled. */
export const v2Path = "/v2"

/** The path of the tools for language models (Model Context Protocol). */
export const mcpPath = "/mcp"

/** The path of the authorization server, the issuer of access tokens. */
export const oauthPath = "/oauth"

/** The parent path of metadata at well-known addresses (RFC 8615). */
export const wellKnownPath = "/.well-known"

/**
 * The address of metadata on a part of the service, before the path of a named store (RFC 8414 section 3.1, RFC 9728 section
 * 3.1). The base address of the service itself may have a path, whose parent belongs to another service.
 */
export function wellKnownUrl(publicUrl: string, name: string, path: string): string {
  const [, base = "", store = ""] = /^(.*?)(\/s\/[^/]+)?$/.exec(publicUrl) ?? []
  return `${base}${wellKnownPath}/${name}${store}${path}`
}

/** `/pet/{petId}` in the syntax of the router, `/pet/:petId`. */
export const routePath = (path: string): string => path.replace(/\{(\w+)\}/g, ":$1")

/** `/pet/{petId}` with parameter values. */
export const filledPath = (path: string, params: Record<string, unknown>): string =>
  path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(params[name])))

/** The names of the parameters in a path, in order. */
export const pathParameters = (path: string): string[] =>
  [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name as string)
