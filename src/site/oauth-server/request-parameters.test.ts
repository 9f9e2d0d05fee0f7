import assert from "node:assert/strict"
import { test } from "node:test"
import { declinedUrl, extraParams, signedInUrl, signInUrl } from "./request-parameters.ts"

type Context = Parameters<NonNullable<(typeof extraParams)[string]>>[0]

const check = (name: string, value: string | undefined, querystring = "") =>
  extraParams[name]?.({ request: { querystring } } as Context, value)

test("each parameter has a maximum length in bytes, and a longer one is not redirected", () => {
  const bounds: Record<string, number> = {
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
  assert.deepEqual(Object.keys(extraParams).sort(), [...Object.keys(bounds), "declined"].sort())
  for (const [name, max] of Object.entries(bounds)) {
    check(name, undefined)
    check(name, "x".repeat(max))
    const tooLong = {
      error: "invalid_request",
      allow_redirect: false,
      error_description: `${name} must not be longer than ${max} bytes`,
    }
    assert.throws(() => check(name, "x".repeat(max + 1)), tooLong)
    assert.throws(() => check(name, `${"x".repeat(max - 1)}é`), tooLong)
  }
})

test("a request has a known scope, if it names any", () => {
  const scope = (...words: string[]) => check("scope", "", `${new URLSearchParams({ scope: words.join(" ") })}`)
  check("scope", "", "")
  scope("")
  scope("openid")
  scope("offline_access")
  scope("nothing", "read:pets")
  assert.throws(() => scope("nothing"), { error: "invalid_scope", scope: "nothing" })
  assert.throws(() => scope("nothing", " other"), { error: "invalid_scope", scope: "nothing  other" })
})

test("a request whose person declined ends", () => {
  check("declined", undefined)
  assert.throws(() => check("declined", "true"), { error: "access_denied", error_description: "the person declined" })
})

test("the addresses of a flow keep its parameters; after the sign-in there is no prompt for it", () => {
  assert.equal(signInUrl("/oauth", { client_id: "a b", state: "&" }), "/oauth/sign-in?client_id=a+b&state=%26")
  const after = (query: string) => signedInUrl("/oauth", new URLSearchParams(query))
  assert.equal(after("client_id=a&prompt=login"), "/oauth/auth?client_id=a")
  assert.equal(after("client_id=a&prompt=login++consent"), "/oauth/auth?client_id=a&prompt=consent")
  assert.equal(after("prompt=consent+login+none&client_id=a"), "/oauth/auth?client_id=a&prompt=consent+none")
  assert.equal(after("client_id=a"), "/oauth/auth?client_id=a")
  assert.equal(declinedUrl("/oauth", new URLSearchParams("client_id=a")), "/oauth/auth?client_id=a&declined=true")
})
