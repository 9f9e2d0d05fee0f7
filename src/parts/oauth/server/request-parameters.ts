import type { KoaContextWithOIDC, UnknownObject } from "oidc-provider"
import { allScopes } from "../../../core/domain/scopes.ts"
import { errors } from "./library.ts"

/** The maximum length of each parameter in bytes: they travel in addresses, and some are stored. */
const bytesMax = {
  state: 512,
  nonce: 512,
  login_hint: 512,
  prompt: 512,
  max_age: 512,
  display: 512,
  acr_values: 512,
  claims_locales: 512,
  ui_locales: 512,
  scope: 1024,
  client_id: 1024,
  redirect_uri: 2048,
  id_token_hint: 2048,
}

/** Marks an authorization request whose person declined to sign in. */
const declined = "declined"

type Check = (ctx: KoaContextWithOIDC, value: string | undefined) => void

/** Checks that oidc-provider runs on an authorization request first. */
export const extraParams: Record<string, Check> = {
  ...Object.fromEntries(Object.entries(bytesMax).map(([name, max]) => [name, bounded(name, max)])),
  scope(ctx, value) {
    bounded("scope", bytesMax.scope)(ctx, value)
    // What is left of the request's scope is known; here is what it was.
    requireKnownScope(new URLSearchParams(ctx.request.querystring).get("scope") ?? "")
  },
  [declined]: (_ctx, value) => {
    if (value !== undefined) throw new errors.AccessDenied("the person declined")
  },
}

/** The sign-in page, with the parameters of the request. */
export const signInUrl = (path: string, request: UnknownObject): string =>
  `${path}/sign-in?${new URLSearchParams(request as Record<string, string>)}`

/** The authorization request after the sign-in, without the prompt for it. */
export function signedInUrl(path: string, request: URLSearchParams): string {
  const again = new URLSearchParams(request)
  const prompts = (again.get("prompt") ?? "").split(" ").filter((prompt) => prompt !== "" && prompt !== "login")
  again.delete("prompt")
  if (prompts.length > 0) again.set("prompt", prompts.join(" "))
  return `${path}/auth?${again}`
}

/** The authorization request after the person declined to sign in; it ends with `access_denied`. */
export const declinedUrl = (path: string, request: URLSearchParams): string =>
  `${path}/auth?${new URLSearchParams([...request, [declined, "true"]])}`

const knownScopes: ReadonlySet<string> = new Set(["openid", "offline_access", ...allScopes])

/** Without this check oidc-provider ignores unknown scopes, and the person would be asked to allow nothing. */
function requireKnownScope(value: string): void {
  const wanted = value.split(" ").filter((scope) => scope !== "")
  if (wanted.length > 0 && !wanted.some((scope) => knownScopes.has(scope)))
    throw new errors.InvalidScope("none of the requested scopes exists", value)
}

function bounded(name: string, max: number): Check {
  return (_ctx, value = "") => {
    if (Buffer.byteLength(value) <= max) return
    const problem = new errors.InvalidRequest(`${name} must not be longer than ${max} bytes`)
    throw Object.assign(problem, { allow_redirect: false })
  }
}
