import assert from "node:assert/strict"
import { describe, test } from "node:test"
import * as oauth from "oauth4webapi"
import { createPetstoreClient } from "../../src/client/petstore-client.ts"
import { createSandboxClient } from "../../src/parts/sandbox/client/sandbox-client.ts"
import { serverUrl } from "../harness/database.ts"
import {
  discover,
  insecure,
  refusedWith,
  sample,
  sampleRedirectUri,
  sampleSecret,
  useSampleApplication,
} from "../harness/oauth.ts"
import { person } from "../harness/person.ts"
import { before, usePetstore } from "../harness/use.ts"

describe("OAuth in named sandboxes", { skip: serverUrl && "named sandboxes need SQLite" }, () => {
  const petstore = usePetstore()
  const service = () => createSandboxClient({ url: petstore.url })
  let count = 0
  before(async () => {
    await service().createSandbox({ body: { name: "run" } })
  })
  const run = {
    get url() {
      return `${petstore.url}/s/run`
    },
  }
  const application = useSampleApplication(run)

  /** A new sandbox with its sample application. */
  async function open(options: { start?: string; freeze?: boolean; from?: string } = {}) {
    const name = `oauth-${++count}`
    await service().createSandbox({ body: { name, ...options } })
    const sandbox = createSandboxClient({ url: petstore.url, name })
    return { name, url: sandbox.url, sandbox, server: await discover(sandbox.url) }
  }

  type Opened = Awaited<ReturnType<typeof open>>
  const advance = ({ sandbox }: Pick<Opened, "sandbox">, by: string) => sandbox.advanceClock({ body: { advance: by } })

  async function clientToken({ server }: Pick<Opened, "server">) {
    const response = await oauth.clientCredentialsGrantRequest(server, sample, sampleSecret, {}, insecure)
    return (await oauth.processClientCredentialsResponse(server, sample, response)).access_token
  }
  async function introspect({ server }: Pick<Opened, "server">, token: string) {
    const response = await oauth.introspectionRequest(server, sample, sampleSecret, token, insecure)
    return oauth.processIntrospectionResponse(server, sample, response)
  }
  async function refresh({ server }: Pick<Opened, "server">, token: string) {
    const response = await oauth.refreshTokenGrantRequest(server, sample, sampleSecret, token, insecure)
    return oauth.processRefreshTokenResponse(server, sample, response)
  }
  const statusOf = async (url: string, token: string, path = "/pet/1") =>
    (await fetch(`${url}/api/v3${path}`, { headers: { authorization: `Bearer ${token}` } })).status

  /** Signs user1 in, consents, and exchanges the code for tokens. */
  async function grant({ server }: Pick<Opened, "server">, visitor = person(petstore.url), scope = "read:pets") {
    const asked = await askAt(server, scope)
    const { html } = await visitor.go(asked.url)
    if (html.includes("<h1>Sign in</h1>")) await visitor.signIn("user1", "password1")
    const { url: back } = await visitor.allow()
    return exchangeAt(server, { ...asked, back })
  }
  async function askAt(server: oauth.AuthorizationServer, scope: string) {
    const [verifier, state] = [oauth.generateRandomCodeVerifier(), oauth.generateRandomState()]
    const url = new URL(server.authorization_endpoint as string)
    url.search = new URLSearchParams({
      client_id: sample.client_id,
      redirect_uri: sampleRedirectUri,
      response_type: "code",
      scope,
      state,
      prompt: "consent",
      code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
      code_challenge_method: "S256",
    }).toString()
    return { url, verifier, state }
  }
  async function exchangeAt(
    server: oauth.AuthorizationServer,
    { back, state, verifier }: { back: URL; state: string; verifier: string },
  ) {
    const parameters = oauth.validateAuthResponse(server, sample, back, state)
    const response = await oauth.authorizationCodeGrantRequest(
      server,
      sample,
      sampleSecret,
      parameters,
      sampleRedirectUri,
      verifier,
      insecure,
    )
    return oauth.processAuthorizationCodeResponse(server, sample, response)
  }

  test("a refused client finds the issuer of the sandbox by the challenge, and its metadata at the addresses of the RFCs", async () => {
    const { headers } = await fetch(`${run.url}/api/v3/pet/1`)
    const named = /resource_metadata="([^"]+)"/.exec(headers.get("www-authenticate") ?? "")?.[1]
    assert.equal(named, `${petstore.url}/.well-known/oauth-protected-resource/s/run/api/v3`)
    const resource = new URL(`${run.url}/api/v3`)
    const response = await oauth.resourceDiscoveryRequest(resource, insecure)
    const found = await oauth.processResourceDiscoveryResponse(resource, response)
    assert.deepEqual(found.authorization_servers, [`${run.url}/oauth`])
    assert.equal(application.server.issuer, `${run.url}/oauth`)
    const issuer = new URL(application.server.issuer)
    const openId = await oauth.discoveryRequest(issuer, { algorithm: "oidc", ...insecure })
    const metadata = await oauth.processDiscoveryResponse(issuer, openId)
    for (const [name, url] of Object.entries(metadata))
      if (/_endpoint$|^jwks_uri$/.test(name)) assert.ok(String(url).startsWith(`${run.url}/oauth/`), `${name}: ${url}`)
  })

  test("tokens are valid in the sandbox that issued them and its copies, and nowhere else (slow)", async () => {
    const one = await open()
    const token = await clientToken(one)
    const other = await open()
    const copy = await open({ from: one.name })
    assert.deepEqual(
      {
        here: await statusOf(one.url, token),
        other: await statusOf(other.url, token),
        service: await statusOf(petstore.url, token),
        copy: await statusOf(copy.url, token),
      },
      { here: 200, other: 401, service: 401, copy: 200 },
    )
    const atService = useToken(await clientToken({ server: await discover(petstore.url) }))
    assert.equal(await atService(one.url), 401)
  })
  const useToken = (token: string) => (url: string) => statusOf(url, token)

  test("a person signs in, consents, and the application refreshes its tokens; a token used twice ends the grant", async () => {
    const granted = await application.ask("openid read:pets read:orders").then(async (asked) => {
      const visitor = person(petstore.url)
      const login = await visitor.go(asked.url)
      assert.match(login.html, /<a class="home" href="\/"/)
      const consent = await visitor.signIn("user1", "password1")
      assert.match(consent.html, /Allow Sample application/)
      assert.doesNotMatch(consent.html, /consents"/)
      const { url: back } = await visitor.allow()
      return application.exchange({ ...asked, back })
    })
    assert.equal(oauth.getValidatedIdTokenClaims(granted)?.iss, `${run.url}/oauth`)
    assert.equal(await statusOf(run.url, granted.access_token), 200)
    assert.equal(await statusOf(petstore.url, granted.access_token), 401)
    const first = granted.refresh_token as string
    const second = await application.refresh(first)
    await assert.rejects(application.refresh(first), refusedWith("invalid_grant"))
    assert.equal(await statusOf(run.url, second.access_token), 401)
    const api = createPetstoreClient({ url: run.url, apiKey: "special-key" })
    const actions = (await api.listAudit()).value.map(({ action }) => action)
    assert.deepEqual(actions.slice(0, 3), ["consent.ended", "consent.given", "session.created"])
  })

  test("a revoked token is refused with the next request", async () => {
    const opened = await open()
    const token = await clientToken(opened)
    assert.equal(await statusOf(opened.url, token), 200)
    const response = await oauth.revocationRequest(opened.server, sample, sampleSecret, token, insecure)
    await oauth.processRevocationResponse(response)
    assert.equal(await statusOf(opened.url, token), 401)
    assert.equal((await introspect(opened, token)).active, false)
  })

  for (const [clock, options] of Object.entries({
    "the real time": {},
    "a start date in the past": { start: "2020-02-29T23:59:59Z" },
    "a start date in the future": { start: "2090-01-01T00:00:00Z" },
    "a frozen clock": { start: "2020-01-01T00:00:00Z", freeze: true },
  }))
    test(`lifetimes follow the sandbox with ${clock}: access token an hour, refresh token 30 days, consent 90 days (slow)`, async () => {
      const opened = await open(options)
      const granted = await grant(opened)
      assert.equal(granted.expires_in, 3600)
      const use = () => statusOf(opened.url, granted.access_token)
      assert.equal(await use(), 200)
      await advance(opened, "PT59M30S")
      assert.equal(await use(), 200)
      const { active, exp = 0, iat = 0 } = await introspect(opened, granted.access_token)
      const inSeconds = Math.floor(Date.now() / 1000)
      assert.ok(active && exp - inSeconds >= 25 && exp - inSeconds <= 31, `ends in ${exp - inSeconds} s of real time`)
      assert.ok(Math.abs(exp - iat - 3600) <= 1, `lives ${exp - iat} s`)
      await advance(opened, "PT31S")
      assert.equal(await use(), 401)
      assert.equal((await introspect(opened, granted.access_token)).active, false)

      let token = granted.refresh_token as string
      for (const by of ["P29D", "P29D", "P29D"]) {
        await advance(opened, by)
        const refreshed = await refresh(opened, token)
        assert.equal(await statusOf(opened.url, refreshed.access_token), 200)
        token = refreshed.refresh_token as string
      }
      await advance(opened, "P3D")
      await assert.rejects(refresh(opened, token), refusedWith("invalid_grant"))

      const unused = (await grant(opened)).refresh_token as string
      await advance(opened, "P30D")
      await assert.rejects(refresh(opened, unused), refusedWith("invalid_grant"))
    })

  test("a code, a sign-in and a client's max_age follow the sandbox's clock (slow)", async () => {
    const opened = await open()
    const visitor = person(petstore.url)
    const asked = await askAt(opened.server, "read:pets")
    await visitor.go(asked.url)
    await visitor.signIn("user1", "password1")
    const { url: back } = await visitor.allow()
    await advance(opened, "PT61S")
    await assert.rejects(exchangeAt(opened.server, { ...asked, back }), refusedWith("invalid_grant"))

    const asks = async (maxAge?: number) => {
      const { url } = await askAt(opened.server, "openid read:pets")
      if (maxAge !== undefined) url.searchParams.set("max_age", String(maxAge))
      return (await visitor.go(url)).html.includes("<h1>Sign in</h1>")
    }
    assert.deepEqual([await asks(), await asks(3600)], [false, false])
    await advance(opened, "PT1H2S")
    assert.deepEqual([await asks(), await asks(3600), await asks(7200)], [false, true, false])
    await advance(opened, "PT23H")
    assert.equal(await asks(), true)
  })

  test("signing keys are made when they are needed, and rotated after 90 days of the sandbox's clock (slow)", async () => {
    const opened = await open()
    const keysOf = async () => {
      const { keys } = (await (await fetch(opened.server.jwks_uri as string)).json()) as { keys: { kid: string }[] }
      return keys.map(({ kid }) => kid)
    }
    const first = await keysOf()
    assert.equal(new Set(first).size, 2)
    await advance(opened, "P89D")
    assert.deepEqual(await keysOf(), first)
    await advance(opened, "P1D")
    const second = await keysOf()
    assert.equal(new Set(second).size, 4)
    assert.deepEqual(second.slice(2), first)
    const theService = await (await fetch(`${petstore.url}/oauth/jwks`)).text()
    for (const kid of second) assert.ok(!theService.includes(kid))
  })

  test("after a reset the tokens of before are refused, and new ones are issued (slow)", async () => {
    const opened = await open()
    const token = await clientToken(opened)
    await opened.sandbox.resetSandbox()
    assert.equal(await statusOf(opened.url, token), 401)
    assert.equal(await statusOf(opened.url, await clientToken(opened)), 200)
  })

  test("the header selects the sandbox's token endpoint too; a name without a sandbox is refused", async () => {
    const ask = async (url: string, headers: Record<string, string>) => {
      const authorization = `Basic ${btoa("sample-client-id:sample-client-secret")}`
      const body = new URLSearchParams({ grant_type: "client_credentials" })
      const response = await fetch(url, { method: "POST", body, headers: { authorization, ...headers } })
      return { status: response.status, ...((await response.json()) as { access_token?: string; detail?: string }) }
    }
    const named = await ask(`${petstore.url}/oauth/token`, { "petstore-sandbox": "run" })
    assert.equal(await statusOf(run.url, named.access_token as string), 200)
    const absent = await ask(`${petstore.url}/s/nowhere/oauth/token`, {})
    assert.equal(absent.status, 401)
    assert.match(absent.detail ?? "", /nowhere does not exist/)
  })

  test("the journal has the requests of clients to the token endpoint, without their secrets; pages are not recorded", async () => {
    const opened = await open()
    const granted = await grant(opened)
    await refresh(opened, granted.refresh_token as string)
    const recorded = await opened.sandbox.requests({ path: "/oauth/*" })
    assert.deepEqual(
      recorded.map(({ method, path, status }) => [method, path, status]),
      Array.from({ length: 2 }, () => ["POST", "/oauth/token", 200]),
    )
    const body = recorded.map(({ request }) => request?.body ?? "")
    assert.deepEqual(body.map((each) => new URLSearchParams(each).get("grant_type")).toSorted(), [
      "authorization_code",
      "refresh_token",
    ])
    for (const secret of [granted.refresh_token, granted.access_token, "sample-client-secret"])
      assert.ok(!JSON.stringify(recorded).includes(secret as string))
    for (const { response } of recorded) assert.equal(JSON.parse(response?.body ?? "").expires_in, 3600)
    await opened.sandbox.verify({ match: { path: "/oauth/token", text: "grant_type=refresh_token" }, exactly: 1 })
  })

  test("a person's session at the service is none in a sandbox, and a sandbox's none in another one (slow)", async () => {
    const [one, other] = [await open(), await open()]
    const visitor = person(petstore.url)
    await grant(one, visitor)
    for (const { server } of [other, { server: await discover(petstore.url) }]) {
      const { html } = await visitor.go((await askAt(server, "read:pets")).url)
      assert.match(html, /<h1>Sign in<\/h1>/)
    }
    assert.equal(new Set(visitor.cookies().map(({ name, path }) => `${name} ${path}`)).size, visitor.cookies().length)
  })
})
