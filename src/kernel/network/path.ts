/** Where the interface lives; every endpoint's path is below it. */
export const basePath = "/api/v3"

/** Where the paths of the classic v2 are, for those who switch them on. */
export const v2Path = "/v2"

/** Where the sandboxes are that test runs have for themselves, by their names. */
export const namedSandboxesPath = "/s/"

/** Where a named sandbox is. */
export const sandboxPath = (name: string): string => `${namedSandboxesPath}${name}`

/** `/pet/{petId}` in the router's spelling, `/pet/:petId`. */
export const routePath = (path: string): string => path.replace(/\{(\w+)\}/g, ":$1")

/** `/pet/{petId}` with its parameters filled in. */
export const filledPath = (path: string, params: Record<string, unknown>): string =>
  path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(params[name])))

/** The names of a path's parameters, in order. */
export const pathParameters = (path: string): string[] =>
  [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name as string)
