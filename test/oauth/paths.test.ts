import assert from "node:assert/strict"
import { once } from "node:events"
import { type IncomingMessage, request } from "node:http"
import { text } from "node:stream/consumers"
import { test } from "node:test"
import { allScopes } from "../../src/core/domain/scopes.ts"
import { serverUrl } from "../harness/database.ts"
import { rawConnection } from "../harness/raw-http.ts"
import { usePetstore } from "../harness/use.ts"

const petstore = usePetstore()

const page = "GET, HEAD, POST, OPTIONS"
const read = "GET, HEAD, OPTIONS"
const write = "POST, OPTIONS"
const allowed: Record<string, string> = {
  "/oauth/auth": read,
  "/oauth/auth/x": read,
  "/oauth/token": write,
  "/oauth/token/introspection": write,
  "/oauth/token/revocation": write,
  "/oauth/session/end/confirm": write,
  "/oauth/jwks": read,
  "/oauth/.well-known/openid-configuration": read,
  "/oauth/.well-known/oauth-authorization-server": read,
  "/.well-known/openid-configuration/oauth": read,
  "/.well-known/oauth-authorization-server/oauth": read,
  "/oauth/sign-in": page,
  "/oauth/interaction/x": page,
}
const methods = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]

async function ask(url: string, method: string, headers: Record<string, string> = { accept: "application/json" }) {
  const response = await fetch(url, { method, headers, redirect: "manual" })
  const type = response.headers.get("content-type")
  const text = await response.text()
  const code = type === "application/problem+json" && method !== "HEAD" ? JSON.parse(text).code : undefined
  return { status: response.status, allow: response.headers.get("allow"), type, text, code, headers: response.headers }
}

test("every path of the authorization server supports exactly the methods that Allow lists (slow)", async () => {
  for (const [path, allow] of Object.entries(allowed))
    for (const method of methods) {
      const got = await ask(petstore.url + path, method)
      const about = `${method} ${path}`
      if (method === "OPTIONS") assert.deepEqual([got.status, got.allow, got.text], [204, allow, ""], about)
      else if (allow.split(", ").includes(method)) assert.ok(![404, 405].includes(got.status), about)
      else {
        const problem = [405, allow, "application/problem+json"]
        assert.deepEqual([got.status, got.allow, got.type], problem, about)
        assert.equal(got.code, method === "HEAD" ? undefined : "method-not-allowed", about)
      }
      if (method === "HEAD") assert.equal(got.text, "", about)
      if (method === "HEAD" && got.status === 200)
        assert.notEqual(got.headers.get("content-length"), "0", `${about} has the length of GET`)
    }
})

test("the metadata names these paths and what there is, and nothing else", async () => {
  const issuer = `${petstore.url}/oauth`
  assert.deepEqual(await (await fetch(`${issuer}/.well-known/openid-configuration`)).json(), {
    issuer,
    authorization_endpoint: `${issuer}/auth`,
    token_endpoint: `${issuer}/token`,
    introspection_endpoint: `${issuer}/token/introspection`,
    revocation_endpoint: `${issuer}/token/revocation`,
    jwks_uri: `${issuer}/jwks`,
    grant_types_supported: ["authorization_code", "refresh_token", "client_credentials"],
    response_types_supported: ["code"],
    response_modes_supported: ["form_post", "fragment", "query"],
    code_challenge_methods_supported: ["S256"],
    token_endpoint_auth_methods_supported: ["client_secret_basic", "client_secret_post", "none"],
    id_token_signing_alg_values_supported: ["RS256", "ES256"],
    scopes_supported: ["openid", ...allScopes],
    subject_types_supported: ["public"],
    claims_supported: ["sub", "sid", "auth_time", "iss"],
    claim_types_supported: ["normal"],
    claims_parameter_supported: false,
    request_uri_parameter_supported: false,
    authorization_response_iss_parameter_supported: true,
    client_id_metadata_document_supported: true,
  })
})

test("an unknown path below /oauth is 404 with a problem for every method, also in a named sandbox, and a page for a browser (slow)", async () => {
  const unknown = [
    "",
    "/",
    "/reg",
    "/device",
    "/request",
    "/nope",
    "/auth/x/y",
    "/token/x",
    "//token",
    "/Token",
    "/me",
    "/session/end",
    "/jwks/%20",
  ]
  const mounts = [petstore.url]
  if (!serverUrl) {
    mounts.push(`${petstore.url}/s/paths`)
    // The first request to a named sandbox needs a key.
    await fetch(`${petstore.url}/s/paths/api/v3/pet/1`, { headers: { api_key: "special-key" } })
  }
  for (const mount of mounts)
    for (const path of unknown.map((end) => `${mount}/oauth${end}`)) {
      for (const method of methods) {
        const { status, type, code } = await ask(path, method)
        assert.deepEqual([status, type], [404, "application/problem+json"], `${method} ${path}`)
        assert.equal(code, method === "HEAD" ? undefined : "not-found")
      }
      const shown = await ask(path, "GET", { accept: "text/html,application/xhtml+xml,*/*;q=0.8" })
      assert.deepEqual([shown.status, shown.type], [404, "text/html; charset=utf-8"], path)
    }
})

test("a trailing slash or a percent-encoded letter names the same path", async () => {
  for (const path of ["/oauth/token/", "/oauth/tok%65n", "/oauth/%74oken/?x=1"]) {
    assert.equal(JSON.parse((await ask(petstore.url + path, "POST")).text).error, "invalid_request", path)
    assert.equal((await ask(petstore.url + path, "GET")).allow, write, path)
  }
})

test("a client that expects 100-continue sends its body to the endpoints after it", async () => {
  const headers = { "content-type": "application/x-www-form-urlencoded", expect: "100-continue" }
  const asking = request(`${petstore.url}/oauth/token`, { method: "POST", headers })
  asking.flushHeaders()
  const signal = AbortSignal.timeout(10_000)
  await once(asking, "continue", { signal })
  asking.end("client_id=unknown")
  const [response] = (await once(asking, "response", { signal })) as [IncomingMessage]
  assert.equal(JSON.parse(await text(response)).error, "invalid_client")
})

test("after a body that is too large for an endpoint its connection continues with the next request", async () => {
  const head = "POST /oauth/token HTTP/1.1\r\nHost: petstore\r\nContent-Type: application/x-www-form-urlencoded\r\n"
  const body = "x".repeat(200_000)
  for (const message of [
    `${head}Content-Length: ${body.length}\r\n\r\n${body}`,
    `${head}Transfer-Encoding: chunked\r\n\r\n${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`,
  ]) {
    using connection = await rawConnection(petstore.url)
    connection.send(`${message}GET /oauth/jwks HTTP/1.1\r\nHost: petstore\r\n\r\n`)
    const refused = await connection.response()
    assert.deepEqual([refused.status, JSON.parse(refused.body).error], [400, "invalid_request"])
    assert.equal((await connection.response()).status, 200)
  }
})

test("a page of any origin may send its credential to the endpoints, by their preflight", async () => {
  for (const [path, method] of [
    ["/oauth/token", "POST"],
    ["/oauth/token/revocation", "POST"],
    ["/oauth/jwks", "GET"],
  ] as const) {
    const { status, headers } = await ask(petstore.url + path, "OPTIONS", {
      origin: "http://localhost:3000",
      "access-control-request-method": method,
      "access-control-request-headers": "authorization,content-type",
    })
    assert.equal(status, 204)
    assert.equal(headers.get("access-control-allow-origin"), "*")
    assert.equal(headers.get("access-control-allow-headers"), "authorization,content-type")
    assert.ok(headers.get("access-control-allow-methods")?.includes(method))
  }
})

test("the page that posts an outcome to the client says the origin that it is from", async () => {
  const request = {
    client_id: "sample-client-id",
    redirect_uri: "http://localhost:3000/callback",
    response_type: "code",
    response_mode: "form_post",
    scope: "read:nothing",
  }
  const { text, headers } = await ask(`${petstore.url}/oauth/auth?${new URLSearchParams(request)}`, "GET", {})
  assert.match(text, /<form method="post" action="http:\/\/localhost:3000\/callback">[\s\S]*name="error"/)
  assert.equal(headers.get("referrer-policy"), "strict-origin")
})
