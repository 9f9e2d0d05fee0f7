/** Parameters of OpenID Connect that a client may send always, and that mean nothing without an ID token (RFC 6749 section 3.1). */
const idTokenOnly = ["nonce", "acr_values", "claims_locales"]

/** The query of an authorization request without what only an ID token would contain, unless it asks for one; oidc-provider would refuse it. */
export function withoutUnused(query: string): string {
  const request = new URLSearchParams(query)
  const wantsIdToken = request.getAll("scope").join(" ").split(" ").includes("openid")
  if (wantsIdToken || !idTokenOnly.some((name) => request.has(name))) return query
  for (const name of idTokenOnly) request.delete(name)
  return request.toString()
}
