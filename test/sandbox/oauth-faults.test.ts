import assert from "node:assert/strict"
import { readFileSync } from "node:fs"
import { describe, test } from "node:test"
import * as oauth from "oauth4webapi"
import type { PartEndpoint } from "../../src/core/api/operations/part-endpoint.ts"
import { createSandboxClient } from "../../src/parts/sandbox/client/sandbox-client.ts"
import {
  earlyBreakages,
  endpointPaths,
  type FaultRule,
  lateBreakages,
  tokenFaults,
} from "../../src/parts/sandbox/faults/contract.ts"
import { serverUrl } from "../harness/database.ts"
import { insecure, oauthEndpoints, refusedWith, sample, sampleSecret, useSampleApplication } from "../harness/oauth.ts"
import { person } from "../harness/person.ts"
import { refusedAs } from "../harness/petstore.ts"
import { statusReceived } from "../harness/send.ts"
import { before, usePetstore } from "../harness/use.ts"

const basic = `Basic ${btoa("sample-client-id:sample-client-secret")}`

describe("faults of the authorization server", { skip: serverUrl && "named sandboxes need SQLite" }, () => {
  const petstore = usePetstore()
  const name = "faulty-issuer"
  const sandbox = () => createSandboxClient({ url: petstore.url, name })
  const home = {
    get url() {
      return `${petstore.url}/s/${name}`
    },
  }
  before(async () => {
    await createSandboxClient({ url: petstore.url }).createSandbox({ body: { name } })
  })
  const application = useSampleApplication(home)
  const setRules = (...rules: FaultRule[]) => sandbox().setFaults({ body: { rules } })

  /** A request that the endpoint accepts. */
  function ask({ path }: PartEndpoint, headers: Record<string, string> = {}, base = home.url): Promise<Response> {
    const form = new URLSearchParams({ grant_type: "client_credentials", token: "none" })
    const method = path.endsWith("/jwks") ? "GET" : "POST"
    const body = method === "POST" ? { body: form } : {}
    return fetch(base + path, { method, headers: { authorization: basic, ...headers }, ...body })
  }
  const statusOf = (...request: Parameters<typeof ask>) => statusReceived(ask(...request))
  const latest = async () => (await sandbox().listRequests({ query: { limit: 1 } })).value[0]

  test("the journal, the pages and the documents name each endpoint and what it can do wrong", () => {
    assert.deepEqual(
      oauthEndpoints.map(({ path }) => path),
      endpointPaths,
    )
    assert.deepEqual([...new Set(oauthEndpoints.flatMap(({ flaws }) => flaws))], tokenFaults)
    const text = readFileSync(new URL("../../docs/faults.md", import.meta.url), "utf8")
    for (const name of [...endpointPaths, ...tokenFaults.map((fault) => `token=${fault}`)])
      assert.ok(text.includes(`\`${name}\``), name)
  })

  for (const endpoint of oauthEndpoints) {
    const { path, errors } = endpoint

    test(`${path} can be refused with each of its errors, by a preference and by a rule, and the journal names it`, async () => {
      for (const [error, status] of Object.entries(errors)) {
        const asked = await ask(endpoint, { prefer: `code=${error}` })
        await setRules({ match: { path, times: 1 }, fault: `code=${error}` })
        const ruled = await ask(endpoint)
        assert.equal(asked.headers.get("preference-applied"), `code=${error}`)
        assert.equal(ruled.headers.get("preference-applied"), null)
        for (const response of [asked, ruled]) {
          const document = (await response.json()) as { error: string; error_description: string }
          assert.deepEqual([response.status, document.error], [status, error], path)
          assert.equal(typeof document.error_description, "string")
          assert.equal(response.headers.get("content-type"), "application/json; charset=utf-8")
          assert.equal(response.headers.get("cache-control"), "no-store")
          assert.equal(response.headers.get("retry-after"), status === 429 || status === 503 ? "1" : null)
          assert.equal(response.headers.has("www-authenticate"), status === 401)
        }
        const recorded = await latest()
        assert.deepEqual([recorded?.path, recorded?.status, recorded?.fault], [path, status, `code=${error}`])
      }
      assert.equal(await statusOf(endpoint), 200)
      const impossible = await ask(endpoint, { prefer: "code=pet-not-found" })
      assert.equal(impossible.status, 400)
      assert.match(await impossible.text(), /its problems are .*429 \(too_many_requests\)/)
    })

    test(`${path} breaks in each way in which an operation does (slow)`, async () => {
      // A body that is empty already is not cut, and one that is slow is tested by operations.
      const excluded = path.endsWith("/revocation") ? ["slow", "empty", "truncate"] : ["slow"]
      const faults = [...earlyBreakages, ...lateBreakages].filter((fault) => !excluded.includes(fault))
      for (const fault of faults) {
        await setRules({ match: { path: `/s/${name}${path}`, times: 1 }, fault: `fault=${fault}` })
        assert.equal(await statusOf(endpoint), { html: 502, garbage: 200 }[fault as string] ?? 0, fault)
        assert.equal((await latest())?.fault, `fault=${fault}`)
      }
    })

    test(`${path} is affected by no rule that does not name it, and by one of its own sandbox only`, async () => {
      await setRules({ fault: "code=503" }, { match: { path: "/*" }, fault: "fault=drop" })
      assert.equal(await statusOf(endpoint), 200)
      await setRules({ match: { path: "/oauth/*" }, fault: "code=503" })
      assert.equal(await statusOf(endpoint, {}, petstore.url), 200)
      assert.equal(await statusOf(endpoint, { "petstore-sandbox": name }, petstore.url), 503)
      assert.equal(await statusOf(endpoint, { prefer: "wait=0" }), 200, "a preference takes precedence")
      await sandbox().deleteFaults()
    })
  }

  test("a refusal on demand has the headers of the real one", async () => {
    const endpoint = oauthEndpoints[0] as PartEndpoint
    const wrong = { authorization: `Basic ${btoa("sample-client-id:wrong")}` }
    const [real, demanded] = [await ask(endpoint, wrong), await ask(endpoint, { prefer: "code=401" })]
    for (const header of ["content-type", "cache-control", "www-authenticate", "content-length"])
      assert.equal(demanded.headers.get(header), real.headers.get(header), header)
    assert.equal(await demanded.text(), await real.text())
  })

  test("a share with a seed is the same each time, and a wait delays the response", async () => {
    const endpoint = oauthEndpoints[0] as PartEndpoint
    const once = async () => {
      await setRules({ match: { path: endpoint.path, share: 0.5, seed: "seven" }, fault: "code=503" })
      return Promise.all([...Array(12)].map(() => statusOf(endpoint))).then((all) => all.toSorted())
    }
    const first = await once()
    assert.deepEqual(await once(), first)
    assert.equal(new Set(first).size, 2)
    await setRules({ match: { path: endpoint.path, times: 1 }, fault: "wait=0.05" })
    const startedAt = performance.now()
    assert.equal(await statusOf(endpoint), 200)
    assert.ok(performance.now() - startedAt >= 45)
  })

  test("requests and responses are held until a test releases them", async () => {
    const endpoint = oauthEndpoints[0] as PartEndpoint
    for (const [hold, where] of [
      ["hold", "before"],
      ["hold-response", "after"],
    ]) {
      await setRules({ match: { path: endpoint.path, times: 1 }, fault: `fault=${hold}` })
      const held = statusOf(endpoint)
      const [one] = await sandbox().holds({ within: "PT5S" })
      assert.deepEqual([one?.path, one?.where, one?.operation], [endpoint.path, where, undefined])
      assert.equal(await statusOf(endpoint), 200)
      await sandbox().release(one?.id as number)
      assert.equal(await held, 200)
    }
  })

  test("an explanation has the rule", async () => {
    const rule = { match: { path: "/oauth/token" }, fault: "code=503" }
    await setRules(rule)
    const response = await ask(oauthEndpoints[0] as PartEndpoint, { prefer: "explain" })
    assert.equal(response.headers.get("preference-applied"), "explain")
    const [, entry = ""] = /<([^>]+)>; rel="describedby"/.exec(response.headers.get("link") ?? "") ?? []
    const { explanation } = (await (await fetch(entry, { headers: { api_key: "special-key" } })).json()) as {
      explanation: { faultRule: object }
    }
    assert.deepEqual(explanation.faultRule, rule)
  })

  test("rules that no request to the authorization server can meet are refused", async () => {
    for (const rule of [
      { match: { path: "/oauth/tokens" } },
      { match: { path: "/oauth/auth" } },
      { match: { path: "/oauth/token", key: 1 } },
      { match: { operation: "/oauth/token" } },
      { match: { path: "/oauth/token" }, fault: "code=pet-not-found" },
      { match: { path: "/oauth/jwks" }, fault: "code=invalid_grant" },
      { match: { path: "/oauth/jwks" }, fault: "token=expired" },
      { match: { path: "/pet" }, fault: "token=expired" },
      { fault: "token=expired" },
    ])
      await assert.rejects(setRules(rule), refusedAs("invalid-body"), JSON.stringify(rule))
  })

  /** Signs user1 in; `exchange` can be repeated as long as the code was not used. */
  async function signIn(scope: string) {
    const asked = await application.ask(scope)
    const visitor = person(petstore.url)
    await visitor.go(asked.url)
    await visitor.signIn("user1", "password1")
    const { url: back } = await visitor.allow()
    return () => application.exchange({ ...asked, back })
  }
  const petStatus = async (token: string) => {
    const response = await fetch(`${home.url}/api/v3/pet/1`, { headers: { authorization: `Bearer ${token}` } })
    return [response.status, /error="(\w+)"/.exec(response.headers.get("www-authenticate") ?? "")?.[1]]
  }

  test("a code that is refused once can be used afterwards", async () => {
    const exchange = await signIn("read:pets")
    await setRules({ match: { path: "/oauth/token", times: 1 }, fault: "code=invalid_grant" })
    await assert.rejects(exchange(), refusedWith("invalid_grant"))
    assert.deepEqual(await petStatus((await exchange()).access_token), [200, undefined])
  })

  /** Refreshes a token with a fault, and returns the new tokens and why a client refuses them. */
  async function refresh(token: string, fault: string) {
    const options = { ...insecure, headers: { prefer: `token=${fault}` } }
    const { server } = application
    const response = await oauth.refreshTokenGrantRequest(server, sample, sampleSecret, token, options)
    const granted = (await response.clone().json()) as { access_token: string; refresh_token: string }
    assert.equal(response.headers.get("preference-applied"), `token=${fault}`)
    const refusal = await oauth
      .processRefreshTokenResponse(server, sample, response)
      .then(() => oauth.validateApplicationLevelSignature(server, response, insecure))
      .then(() => undefined)
      .catch((error: Error) => error.message)
    return { ...granted, refusal }
  }

  test("an issuer's mistakes are refused: those of an ID token by the client, an expired access token by the API", async () => {
    const { refresh_token: first } = await (await signIn("openid read:pets"))()
    let token = first as string
    for (const [fault, refusal, status] of [
      ["expired", /"exp" \(expiration time\)/, [401, "invalid_token"]],
      ["wrong-issuer", /"iss" \(issuer\)/, [200, undefined]],
      ["wrong-audience", /"aud" \(audience\)/, [200, undefined]],
      ["bad-signature", /signature verification failed/, [200, undefined]],
      ["unpublished-key", /key/, [200, undefined]],
    ] as const) {
      const got = await refresh(token, fault)
      assert.match(got.refusal ?? "none", refusal, fault)
      assert.deepEqual(await petStatus(got.access_token), status, fault)
      token = got.refresh_token
    }
    const last = await application.refresh(token)
    assert.deepEqual(await petStatus(last.access_token), [200, undefined])
    assert.equal((await latest())?.fault, undefined)
  })

  test("a key that signs is missing once in the published keys", async () => {
    const keysAt = oauthEndpoints.find(({ path }) => path.endsWith("/jwks")) as PartEndpoint
    const kids = async () => ((await (await ask(keysAt)).json()) as { keys: { kid: string }[] }).keys.length
    await setRules({ match: { path: keysAt.path, times: 1 }, fault: "token=unpublished-key" })
    assert.deepEqual([await kids(), await kids()], [0, 2])
  })

  test("an expired token of a client is refused by the API and inactive; the next one is not", async () => {
    const issue = async () =>
      (await (await ask(oauthEndpoints[0] as PartEndpoint)).json()) as { access_token: string; expires_in: number }
    await setRules({ match: { path: "/oauth/token", times: 1 }, fault: "token=expired" })
    const { access_token: token, expires_in: lifetime } = await issue()
    assert.equal(lifetime, 3600)
    assert.deepEqual(await petStatus(token), [401, "invalid_token"])
    const { server } = application
    const response = await oauth.introspectionRequest(server, sample, sampleSecret, token, insecure)
    assert.equal((await oauth.processIntrospectionResponse(server, sample, response)).active, false)
    assert.deepEqual(await petStatus((await issue()).access_token), [200, undefined])
  })
})
