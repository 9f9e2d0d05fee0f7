import assert from "node:assert/strict"
import { DatabaseSync } from "node:sqlite"
import { test } from "node:test"
import { addressMax } from "../../src/core/server/limits/ip-rate-limit.ts"
import { sample, useSampleApplication } from "../harness/oauth.ts"
import { person } from "../harness/person.ts"
import { usePetstore } from "../harness/use.ts"

// No address is exempt, so that this machine is counted like any other.
const petstore = usePetstore({
  env: { PETSTORE_TRUSTED_PROXIES: "127.0.0.1", PETSTORE_UNLIMITED_ADDRESSES: "192.0.2.0/24" },
})
const application = useSampleApplication(petstore)

/** Rows of all kinds that the authorization server has stored. */
function rows(): number {
  const db = new DatabaseSync(petstore.databaseFile, { readOnly: true })
  try {
    return (db.prepare("SELECT count(*) AS n FROM oauth_records").get() as { n: number }).n
  } finally {
    db.close()
  }
}

const request = async (more: Record<string, string> = {}) => {
  const { url } = await application.ask("openid read:pets")
  for (const [name, value] of Object.entries(more)) url.searchParams.set(name, value)
  return url
}

const ask = async (url: URL | string, from: string, init: RequestInit = {}) => {
  const headers = { "x-forwarded-for": from, accept: "text/html, */*", ...(init.headers as Record<string, string>) }
  const response = await fetch(new URL(url, petstore.url), { ...init, headers, redirect: "manual" })
  return { status: response.status, headers: response.headers, text: await response.text() }
}

test("state and nonce of more than 512 bytes, and other oversized parameters, are refused with 400", async () => {
  for (const name of ["state", "nonce", "login_hint", "ui_locales", "acr_values", "claims_locales"]) {
    const fits = await ask(await request({ [name]: "ä".repeat(256) }), "192.0.2.1")
    assert.equal(fits.status, 303, name)
    for (const value of ["x".repeat(513), "ä".repeat(257), "x".repeat(14_000)]) {
      const refused = await ask(await request({ [name]: value }), "192.0.2.1")
      assert.deepEqual(
        { status: refused.status, location: refused.headers.get("location") },
        { status: 400, location: null },
        name,
      )
      assert.match(refused.text, new RegExp(`${name} must not be longer than 512 bytes`))
    }
  }
})

test("the endpoints of the protocol read at most 16 KiB of a body, announced or not", async () => {
  const askForToken = async (body: string | ReadableStream) => {
    const headers = {
      accept: "application/json",
      authorization: `Basic ${btoa(`${sample.client_id}:sample-client-secret`)}`,
      "content-type": "application/x-www-form-urlencoded",
    }
    const init = { method: "POST", headers, body, duplex: "half" } as RequestInit
    const { status, text } = await ask("/oauth/token", "192.0.2.4", init)
    return [status, JSON.parse(text).error]
  }
  const form = (bytes: number) => "grant_type=none&padding=".padEnd(bytes, "x")
  const chunked = (bytes: number) => new Blob([form(bytes)]).stream()
  for (const body of [form, chunked]) {
    assert.deepEqual(await askForToken(body(16 * 1024)), [400, "unsupported_grant_type"])
    assert.deepEqual(await askForToken(body(16 * 1024 + 1)), [400, "invalid_request"])
  }
})

test("a request before sign-in stores nothing, with any cookies and in all its steps (slow)", async () => {
  const before = rows()
  for (let n = 0; n < 50; n++) {
    await ask(await request({ state: "x".repeat(512) }), "192.0.2.2")
    await ask(await request(), "192.0.2.2", { headers: { cookie: `petstore_session=made-up-${n}` } })
  }
  const visitor = person(petstore.url)
  await visitor.go(await request())
  assert.equal((await visitor.signIn("user1", "wrong password")).status, 400)
  await visitor.deny()
  await person(petstore.url).go("/console/consents")
  assert.equal(rows(), before)
})

test("twenty pending requests and twenty sign-ins of a person are kept (slow)", async () => {
  const kinds = () => {
    const db = new DatabaseSync(petstore.databaseFile, { readOnly: true })
    const found = db.prepare("SELECT kind, count(*) AS n FROM oauth_records WHERE user_id = 1002 GROUP BY kind").all()
    db.close()
    return Object.fromEntries(found.map(({ kind, n }) => [kind, n]))
  }
  for (let n = 0; n < 25; n++) {
    const visitor = person(petstore.url)
    await visitor.go(await request())
    assert.match((await visitor.signIn("user2", "password2")).html, /Allow Sample application/)
  }
  assert.deepEqual(kinds(), { Interaction: 20, Session: 20 })
  // The limits below start in a fresh minute.
  petstore.clock.advance(60_000)
})

test("the sign-in page names and leads to registered applications only", async () => {
  const url = await request()
  url.pathname = "/oauth/sign-in"
  assert.equal((await ask(url, "192.0.2.3")).status, 200)
  for (const [name, value] of [
    ["client_id", "unknown"],
    ["redirect_uri", "https://evil.example/"],
    ["redirect_uri", ""],
  ] as const) {
    const wrong = new URL(url)
    wrong.searchParams.set(name, value)
    const { status, text, headers } = await ask(wrong, "192.0.2.3")
    assert.equal(status, 400)
    assert.doesNotMatch(text, /password/)
    assert.doesNotMatch(headers.get("content-security-policy") ?? "", /evil/)
  }
})

test("every page of the authorization server is counted by address (slow)", async () => {
  const pages = ["/oauth/interaction/x", "/oauth/sign-in"]
  for (let n = 0; n < addressMax.anonymous; n++) await ask(pages[n % 2] as string, "198.51.100.1")
  for (const page of pages) {
    assert.equal((await ask(page, "198.51.100.1")).status, 429)
    assert.equal((await ask(page, "198.51.100.1", { method: "POST" })).status, 429)
    assert.notEqual((await ask(page, "198.51.100.2")).status, 429)
  }
})

test("an address has few passwords hashed a minute, right or wrong, at any path", async () => {
  const from = "198.51.100.3"
  const json = { "content-type": "application/json" }
  const logIn = () =>
    ask("/api/v3/user/login", from, {
      method: "POST",
      headers: json,
      body: JSON.stringify({ username: "user3", password: "password3" }),
    })
  for (let n = 0; n < addressMax.password; n++) assert.equal((await logIn()).status, 200)
  const again = await logIn()
  assert.equal(again.status, 429)
  assert.equal(JSON.parse(again.text).code, "too-many-requests")
  assert.ok(Number(again.headers.get("retry-after")) > 0)
  const form = { method: "POST", body: new URLSearchParams({ username: "user3", password: "password3" }) }
  const draft = { username: "visitor.new", password: "correct horse" }
  for (const refused of [
    await ask("/api/v3/user/login?username=user3&password=password3", from),
    await ask("/api/v3/user", from, { method: "POST", headers: json, body: JSON.stringify(draft) }),
    await ask("/oauth/sign-in", from, form),
  ])
    assert.equal(refused.status, 429)
  assert.equal((await ask("/api/v3/user/login?username=user3&password=password3", "198.51.100.4")).status, 200)
  petstore.clock.advance(60_000)
  assert.equal((await logIn()).status, 200)
})
