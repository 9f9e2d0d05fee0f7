import assert from "node:assert/strict"
import { hash } from "node:crypto"
import { test } from "node:test"
import { decodeProtectedHeader, type JWK } from "jose"
import * as oauth from "oauth4webapi"
import {
  askFor,
  exchange,
  insecure,
  refusedWith,
  sample,
  sampleRedirectUri,
  sampleSecret,
  useSampleApplication,
} from "../harness/oauth.ts"
import { person } from "../harness/person.ts"
import { usePetstore } from "../harness/use.ts"

const petstore = usePetstore()
const application = useSampleApplication(petstore)

const status = async (token: string, path = "/pet/1", method = "GET") =>
  (await fetch(`${petstore.url}/api/v3${path}`, { method, headers: { authorization: `Bearer ${token}` } })).status

/** Runs the whole flow as user1 and resolves with the parameters of the redirect to the application. */
async function walked(scope = "read:pets write:orders", name = "user1") {
  const asked = await application.ask(scope)
  const visitor = person(petstore.url)
  const login = await visitor.go(asked.url)
  assert.match(login.html, /Sign in/)
  const consent = await visitor.signIn(name, name.replace("user", "password"))
  assert.match(consent.html, /Allow Sample application/)
  const back = await visitor.allow()
  assert.equal(back.url.origin + back.url.pathname, sampleRedirectUri)
  return { ...asked, back: back.url, visitor }
}

const tokens = async (scope?: string, name?: string) => {
  const { back, state, verifier } = await walked(scope, name)
  return application.exchange({ back, state, verifier })
}

test("a person signs in and consents, and the application may do what both may", async () => {
  const granted = await tokens("read:pets write:pets read:users")
  // A customer may not write pets, even with consent.
  assert.equal(granted.scope, "read:pets read:users")
  assert.equal(await status(granted.access_token), 200)
  assert.equal(await status(granted.access_token, "/user/user1"), 200)
  assert.equal(await status(granted.access_token, "/user/user2"), 404)
  assert.equal(await status(granted.access_token, "/pet/1", "DELETE"), 403)
  const headers = { cookie: `petstore_console=${granted.access_token}` }
  const page = await fetch(`${petstore.url}/console/pets`, { headers, redirect: "manual" })
  assert.equal(page.headers.get("location"), "/console/sign-in?next=%2Fpets", "a token is no session of the console")
})

test("the cookies of a flow are for its paths, and no script reads them", async () => {
  const asked = await application.ask("read:pets")
  const visitor = person(petstore.url)
  const seen = new Map<string, string[]>()
  const look = () => {
    for (const { name, path, attributes } of visitor.cookies())
      seen.set(
        `${name} ${path.replace(/[\w-]{21,}/, "UID")}`,
        attributes.filter((each) => /httponly|samesite/.test(each)),
      )
  }
  await visitor.go(asked.url)
  look()
  await visitor.signIn("user1", "password1")
  look()
  await visitor.allow()
  look()
  const lax = ["samesite=lax", "httponly"]
  assert.deepEqual(Object.fromEntries(seen), {
    "petstore_form /oauth": lax,
    "petstore_session /oauth": lax,
    "petstore_interaction /oauth/sign-in": lax,
    "petstore_interaction /oauth/interaction/UID": lax,
    "petstore_resume /oauth/auth/UID": lax,
  })
})

test("a request names its redirect URI, also where the application has only one", async () => {
  const { value: client } = await petstore
    .as("special-key")
    .createOAuthClient({ body: { name: "One", scopes: ["read:pets"], redirectUris: [sampleRedirectUri] } })
  const { url } = await askFor(application.server, client.clientId, sampleRedirectUri, "read:pets")
  assert.match((await person(petstore.url).go(url)).html, /<h1>Sign in<\/h1>/)
  url.searchParams.delete("redirect_uri")
  const { status, html } = await person(petstore.url).go(url)
  assert.equal(status, 400)
  assert.match(html, /missing required parameter/)
})

test("with the scope openid the response identifies the person, signed with a key of the key set", async () => {
  const { back, state, verifier, nonce } = await walked("openid read:pets")
  const granted = await application.exchange({ back, state, verifier, nonce })
  const claims = oauth.getValidatedIdTokenClaims(granted)
  assert.deepEqual(
    { iss: claims?.iss, aud: claims?.aud, sub: claims?.sub },
    { iss: `${petstore.url}/oauth`, aud: "sample-client-id", sub: "1001" },
  )
})

test("an ID token is signed with RS256, and with ES256 for an application that asks for it", async () => {
  const owner = petstore.as("special-key")
  const draft = { name: "Signed", scopes: ["read:pets" as const], redirectUris: [sampleRedirectUri] }
  const algOf = async (clientId: string, secret: string) => {
    const asked = await askFor(application.server, clientId, sampleRedirectUri, "openid read:pets")
    const visitor = person(petstore.url)
    await visitor.go(asked.url)
    await visitor.signIn("user1", "password1")
    const { url: back } = await visitor.allow()
    const client = { client_id: clientId }
    const auth = oauth.ClientSecretBasic(secret)
    const granted = await exchange(application.server, client, auth, { ...asked, back, redirectUri: sampleRedirectUri })
    const { alg, kid } = decodeProtectedHeader(granted.id_token ?? "")
    const { keys } = (await (await fetch(`${petstore.url}/oauth/jwks`)).json()) as { keys: JWK[] }
    assert.equal(keys.find((key) => key.kid === kid)?.alg, alg)
    return alg
  }
  const { value: usual } = await owner.createOAuthClient({ body: draft })
  assert.equal(usual.idTokenSignedResponseAlg, undefined)
  const secret = usual.clientSecret ?? ""
  assert.equal(await algOf(usual.clientId, secret), "RS256")
  const changed = { params: { id: usual.id }, body: { idTokenSignedResponseAlg: "ES256" as const } }
  assert.equal((await owner.updateOAuthClient(changed)).value.idTokenSignedResponseAlg, "ES256")
  assert.equal(await algOf(usual.clientId, secret), "ES256")
  const { value: other } = await owner.createOAuthClient({ body: { ...draft, idTokenSignedResponseAlg: "ES256" } })
  assert.equal(await algOf(other.clientId, other.clientSecret ?? ""), "ES256")
})

test("what only an ID token would contain is ignored without openid, as nonce of clients that always send one", async () => {
  for (const name of ["nonce", "acr_values", "claims_locales"]) {
    const asked = await application.ask("read:pets")
    asked.url.searchParams.set(name, "n")
    const visitor = person(petstore.url)
    await visitor.go(asked.url)
    await visitor.signIn("user1", "password1")
    const { url: back } = await visitor.allow()
    assert.deepEqual((await application.exchange({ ...asked, back })).scope, "read:pets", name)
  }
})

test("a request for scopes that do not exist is invalid_scope, before anyone signs in", async () => {
  const asked = await application.ask("nope also:nope")
  const { url } = await person(petstore.url).go(asked.url)
  assert.equal(url.origin + url.pathname, sampleRedirectUri)
  assert.equal(url.searchParams.get("error"), "invalid_scope")
})

test("a person who declines, and one who cancels, send the application away with access_denied", async () => {
  for (const first of ["login", "consent"] as const) {
    const asked = await application.ask("read:pets")
    const visitor = person(petstore.url)
    await visitor.go(asked.url)
    if (first === "consent") await visitor.signIn("user2", "password2")
    const back = await visitor.deny()
    assert.throws(
      () => oauth.validateAuthResponse(application.server, sample, back.url, asked.state),
      (error: unknown) => (error as { error?: string }).error === "access_denied",
    )
  }
})

test("a wrong password is reported, reveals no username, and repeated guessing is stopped", async () => {
  const asked = await application.ask("read:pets")
  const visitor = person(petstore.url)
  await visitor.go(asked.url)
  const wrong = await visitor.signIn('user3"><script>', "wrong password")
  assert.equal(wrong.status, 400)
  assert.match(wrong.html, /role="alert"[^>]*>The username or the password is wrong/)
  assert.ok(wrong.html.includes("user3&quot;&gt;&lt;script&gt;") && !wrong.html.includes("<script>"))

  for (let n = 0; n < 10; n++) await visitor.signIn("user3", "wrong password")
  const stopped = await visitor.signIn("user3", "password3")
  assert.equal(stopped.status, 429)
  assert.match(stopped.html, /Too many attempts/)
  assert.ok(Number(stopped.headers.get("retry-after")) > 0)
})

test("the pages run no script, may not be framed or cached, and lead only back and to the application", async () => {
  const asked = await application.ask("read:pets")
  const { headers } = await person(petstore.url).go(asked.url)
  const policy = headers.get("content-security-policy") ?? ""
  assert.match(policy, /default-src 'none'/)
  assert.match(policy, /frame-ancestors 'none'/)
  assert.match(policy, /form-action 'self' http:\/\/localhost:3000;/)
  assert.doesNotMatch(policy, /unsafe|\*/)
  assert.equal(headers.get("cache-control"), "no-store")
  assert.equal(headers.get("access-control-allow-origin"), null)
})

test("a form from another site, or without the page's cookie, changes nothing", async () => {
  const asked = await application.ask("read:pets")
  const visitor = person(petstore.url)
  await visitor.go(asked.url)
  await visitor.signIn("user4", "password4")
  const forged = await visitor.submit({ answer: "allow" }, { origin: "https://evil.example" })
  assert.equal(forged.status, 403)
  for (const cookie of visitor.cookies()) if (cookie.name !== "petstore_session") assert.notEqual(cookie.path, "/")
  visitor.forgetCookies()
  assert.equal((await visitor.submit({ answer: "allow" })).status, 400)
})

test("a code is valid once: used again, everything issued with it ends", async () => {
  const { back, state, verifier } = await walked()
  const first = await application.exchange({ back, state, verifier })
  assert.equal(await status(first.access_token), 200)
  const again = application.exchange({ back, state, verifier })
  await assert.rejects(again, refusedWith("invalid_grant"))
  assert.equal(await status(first.access_token), 401)
  await assert.rejects(application.refresh(first.refresh_token as string), refusedWith("invalid_grant"))
})

test("of two simultaneous uses of a code at most one succeeds, and neither token is valid", async () => {
  const { back, state, verifier } = await walked()
  const both = await Promise.allSettled([1, 2].map(() => application.exchange({ back, state, verifier })))
  const issued = both.flatMap((each) => (each.status === "fulfilled" ? [each.value.access_token] : []))
  assert.ok(issued.length <= 1)
  for (const token of issued) assert.equal(await status(token), 401)
})

test("a code needs the verifier, the redirect and the client of its request, within a minute", async () => {
  const { back, state, verifier } = await walked()
  const use = (more: object) => application.exchange({ back, state, verifier, ...more })
  await assert.rejects(use({ verifier: oauth.generateRandomCodeVerifier() }), refusedWith("invalid_grant"))

  const other = await walked()
  await assert.rejects(
    application.exchange({ ...other, redirectUri: "http://127.0.0.1:3000/callback" }),
    refusedWith("invalid_grant"),
  )
  const late = await walked()
  petstore.clock.advance(61_000)
  await assert.rejects(application.exchange({ ...late }), refusedWith("invalid_grant"))
})

test("a refresh issues a new token each time, and reuse of an old one ends the family", async () => {
  const first = await tokens()
  const second = await application.refresh(first.refresh_token as string)
  assert.notEqual(second.refresh_token, first.refresh_token)
  assert.equal(await status(second.access_token), 200)

  await assert.rejects(application.refresh(first.refresh_token as string), refusedWith("invalid_grant"))
  assert.equal(await status(second.access_token), 401)
  await assert.rejects(application.refresh(second.refresh_token as string), refusedWith("invalid_grant"))
})

test("a refresh token used twice at the same time leaves no valid token", async () => {
  const { refresh_token: token = "" } = await tokens()
  const both = await Promise.allSettled([application.refresh(token), application.refresh(token)])
  for (const each of both)
    if (each.status === "fulfilled") {
      assert.equal(await status(each.value.access_token), 401)
      await assert.rejects(application.refresh(each.value.refresh_token as string), refusedWith("invalid_grant"))
    }
  assert.ok(both.some((each) => each.status === "rejected"))
})

test("revoking the refresh token ends the access tokens too, from the next request on", async () => {
  const granted = await tokens()
  assert.equal(await status(granted.access_token), 200)
  const revoking = oauth.revocationRequest(
    application.server,
    sample,
    sampleSecret,
    granted.refresh_token as string,
    insecure,
  )
  await oauth.processRevocationResponse(await revoking)
  assert.equal(await status(granted.access_token), 401)
})

test("a deleted person's tokens are invalid, and so are those from before a new password", async () => {
  const staff = petstore.as("special-key")
  const changed = await tokens("read:pets", "user5")
  const deleted = await tokens("read:pets", "user6")
  assert.deepEqual(
    { changed: await status(changed.access_token), deleted: await status(deleted.access_token) },
    { changed: 200, deleted: 200 },
  )

  await staff.resetPassword({ params: { username: "user5" }, body: { password: "another password" } })
  await staff.deleteUser({ params: { username: "user6" } })
  assert.deepEqual(
    { changed: await status(changed.access_token), deleted: await status(deleted.access_token) },
    { changed: 401, deleted: 401 },
  )
  for (const { refresh_token } of [changed, deleted])
    await assert.rejects(application.refresh(refresh_token as string), refusedWith("invalid_grant"))
})

test("a request with a wrong redirect never leaves the service; others go back with their error", async () => {
  const good = {
    client_id: sample.client_id,
    redirect_uri: sampleRedirectUri,
    response_type: "code",
    scope: "read:pets",
  }
  const pkce = { code_challenge: "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM", code_challenge_method: "S256" }
  const sent = (parameters: Record<string, string>) =>
    person(petstore.url).go(`/oauth/auth?${new URLSearchParams(parameters)}`)

  for (const redirect_uri of [
    `${sampleRedirectUri}/`,
    `${sampleRedirectUri}?x=1`,
    "https://localhost:3000/callback",
    "https://evil.example",
  ]) {
    const { status, html } = await sent({ ...good, ...pkce, redirect_uri })
    assert.equal(status, 400)
    assert.match(html, /Authorization failed/)
  }
  const errorOf = async (parameters: Record<string, string>) => {
    const { search, hash } = (await sent(parameters)).url
    return new URLSearchParams(search || hash.slice(1)).get("error")
  }
  assert.equal(await errorOf(good), "invalid_request")
  assert.equal(await errorOf({ ...good, ...pkce, code_challenge_method: "plain" }), "invalid_request")
  assert.equal(await errorOf({ ...good, ...pkce, response_type: "token" }), "unsupported_response_type")
  assert.equal(await errorOf({ ...good, ...pkce, scope: "admin" }), "invalid_scope")
  assert.equal(await errorOf({ ...good, ...pkce, scope: "" }), null, "no scope asks for all the application may have")
  assert.equal(await errorOf({ ...good, ...pkce, prompt: "none" }), "login_required")
  assert.equal((await sent({ ...good, ...pkce, client_id: "<unknown>" })).status, 400)
})

test("an application detects a response of another issuer, and one to another request", async () => {
  const { back, state } = await walked()
  assert.throws(() =>
    oauth.validateAuthResponse({ ...application.server, issuer: "https://other.example" }, sample, back, state),
  )
  assert.throws(() => oauth.validateAuthResponse(application.server, sample, back, "another state"))
})

test("a second request of an application with a secret needs no consent; one of a public client does", async () => {
  const visitor = person(petstore.url)
  const redirectUri = "https://app.example/callback"
  const askAs = async (type: "confidential" | "public") => {
    const { value } = await petstore.as("special-key").createOAuthClient({
      body: { name: "App", type, redirectUris: [redirectUri], scopes: ["read:pets"] },
    })
    return async () => visitor.go((await askFor(application.server, value.clientId, redirectUri, "read:pets")).url)
  }
  const [confidential, open] = [await askAs("confidential"), await askAs("public")]
  await confidential()
  await visitor.signIn("user8", "password8")
  await visitor.allow()
  assert.equal((await confidential()).url.origin, "https://app.example")
  for (const _ of [1, 2]) {
    assert.match((await open()).html, /Allow App/)
    assert.equal((await visitor.allow()).url.origin, "https://app.example")
  }
})

test("another person can sign in instead, which ends the first sign-in", async () => {
  const asked = await application.ask("read:users")
  const visitor = person(petstore.url)
  await visitor.go(asked.url)
  const consent = await visitor.signIn("user7", "password7")
  assert.match(consent.html, /<strong>user7<\/strong>/)
  const [, link = ""] = /href="([^"]+)">Sign in as another user/.exec(consent.html) ?? []
  await visitor.go(link.replaceAll("&amp;", "&"))
  const first = visitor.cookies().find(({ name }) => name === "petstore_session")?.value as string
  const switched = await visitor.signIn("user8", "password8")
  assert.match(switched.html, /<strong>user8<\/strong>/)
  assert.equal(await petstore.store.oauthRecords.read("Session", hash("sha256", first)), undefined)
})
