/** The base path of all endpoints. */
export const basePath = "/api/v3"

/** The base path of the classic v2 API, where it is enabled. */
export const v2Path = "/v2"

/** The path of the authorization server, the issuer of access tokens. */
export const oauthPath = "/oauth"

/** The parent path of named sandboxes, for test runs. */
export const namedSandboxesPath = "/s/"

export const sandboxPath = (name: string): string => `${namedSandboxesPath}${name}`

/** `/pet/{petId}` in the syntax of the router, `/pet/:petId`. */
export const routePath = (path: string): string => path.replace(/\{(\w+)\}/g, ":$1")

/** `/pet/{petId}` with parameter values. */
export const filledPath = (path: string, params: Record<string, unknown>): string =>
  path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(params[name])))

/** The names of the parameters in a path, in order. */
export const pathParameters = (path: string): string[] =>
  [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name as string)
