// Runs in a process of its own.
import assert from "node:assert/strict"
import { spawnSync } from "node:child_process"
import { describe, test } from "node:test"
import {
  type Client,
  type OAuthClientProvider,
  type OAuthDiscoveryState,
  type StoredOAuthClientInformation,
  type StoredOAuthTokens,
  StreamableHTTPClientTransport,
  UnauthorizedError,
} from "@modelcontextprotocol/client"
import { usualScopes } from "../../src/core/domain/scopes.ts"
import { serveDocuments } from "../harness/certificate.ts"
import { connectTools, contentOf } from "../harness/mcp.ts"
import { person } from "../harness/person.ts"
import { until } from "../harness/until.ts"
import { use, usePetstore } from "../harness/use.ts"

const hasOpenssl = spawnSync("openssl", ["version"]).status === 0
if (!hasOpenssl) console.error("SKIPPED: openssl is not installed, so no document of a client is served over https")
const ifOpenssl = { skip: !hasOpenssl }

const petstore = usePetstore()
const documents = new Map<string, object>()
const site = hasOpenssl ? use(() => serveDocuments(documents)) : { url: "https://localhost", requested: [], agents: [] }

const redirectUrl = "http://127.0.0.1:33418/callback"
const mcp = () => `${petstore.url}/mcp`

/** A client for the person who allows the applications. */
async function signIn() {
  const { value: session } = await petstore.as("special-key").logIn({ body: { username: "admin", password: "admin" } })
  return petstore.withToken(session)
}

/** An application without a browser; it notes what it would open. */
function application(of: Partial<OAuthClientProvider>) {
  const kept: {
    verifier: string
    opened?: URL
    tokens?: StoredOAuthTokens
    registered?: StoredOAuthClientInformation
    discovered?: OAuthDiscoveryState
  } = { verifier: "" }
  const provider: OAuthClientProvider = {
    redirectUrl,
    clientMetadata: { redirect_uris: [redirectUrl] },
    clientInformation: () => kept.registered,
    saveClientInformation: (registered) => void Object.assign(kept, { registered }),
    saveDiscoveryState: (discovered) => void Object.assign(kept, { discovered }),
    discoveryState: () => kept.discovered,
    tokens: () => kept.tokens,
    saveTokens: (tokens) => void Object.assign(kept, { tokens }),
    redirectToAuthorization: (opened) => void Object.assign(kept, { opened }),
    saveCodeVerifier: (verifier) => void Object.assign(kept, { verifier }),
    codeVerifier: () => kept.verifier,
    ...of,
  }
  return { provider, opened: () => kept.opened as URL }
}
type Application = ReturnType<typeof application>

/** Signs the person in, consents, and hands the code to the application. */
async function allow({ provider, opened }: Application, browser = person(petstore.url)) {
  const page = await browser.go(opened())
  if (page.html.includes('name="password"')) await browser.signIn("admin", "admin")
  const { url: back } = await browser.allow()
  assert.equal(back.origin + back.pathname, redirectUrl, back.href)
  await new StreamableHTTPClientTransport(new URL(mcp()), { authProvider: provider }).finishAuth(back.searchParams)
  return browser
}

/** Finds an available cat, orders it, and watches the event. */
async function orderCat(client: Client, call: (name: string, values: object) => Promise<unknown>) {
  assert.ok(client.getServerVersion())
  const found = contentOf<{ items: { id: number }[] }>(
    await call("listPets", { category: ["Cats"], status: ["available"], limit: 1 }),
  )
  const petId = found.items[0]?.id
  const order = contentOf<{ id: number; status: string }>(await call("placeOrder", { petId }))
  assert.equal(order.status, "placed")
  await until(async () => {
    const { items } = contentOf<{ items: { event: string; data: { id: number } }[] }>(
      await call("listEvents", { sort: "-id", limit: 10 }),
    )
    return items.some(({ event, data }) => event === "order.placed" && data.id === order.id)
  }, "the order is in the feed")
}

/** The whole way of an application that knows the address of the tools and asks for scopes when it needs them. */
async function completeJourney(app: Application) {
  const options = { authProvider: app.provider }
  await assert.rejects(connectTools(mcp(), options), UnauthorizedError)
  assert.equal(app.opened().searchParams.get("code_challenge_method"), "S256")
  assert.equal(app.opened().searchParams.get("resource"), mcp())
  const browser = await allow(app)
  await using client = await connectTools(mcp(), options)
  const asked: string[] = []
  const call = async (name: string, values: object): Promise<unknown> => {
    try {
      return await client.callTool({ name, arguments: values as Record<string, unknown> })
    } catch (error) {
      if (!(error instanceof UnauthorizedError)) throw error
      asked.push(app.opened().searchParams.get("scope") ?? "")
      await allow(app, browser)
      return call(name, values)
    }
  }
  await orderCat(client, call)
  return { client, asked }
}

describe("an application that knows only the address of the tools", () => {
  test("is led to the authorization server, and asks for a scope when a tool needs it", async () => {
    const { value: registered } = await (await signIn()).createOAuthClient({
      body: {
        name: "Agent",
        type: "public",
        redirectUris: [redirectUrl],
        scopes: [...usualScopes, "manage:webhooks"],
      },
    })
    const clientInformation = () => ({ client_id: registered.clientId })
    const clientMetadata = { redirect_uris: [redirectUrl], scope: "read:pets", token_endpoint_auth_method: "none" }
    const { asked } = await completeJourney(application({ clientInformation, clientMetadata }))
    assert.deepEqual(
      asked.map((scope) => scope.split(" ").at(-1)),
      ["manage:webhooks"],
    )
  })

  test("is known by the document at its address, which counts for the person who allows it", ifOpenssl, async () => {
    const clientMetadataUrl = `${site.url}/agent.json`
    documents.set("/agent.json", {
      client_id: clientMetadataUrl,
      client_name: "\u202eAgent\u202c 7\u200b",
      redirect_uris: ["http://127.0.0.1/callback"],
      grant_types: ["authorization_code", "refresh_token"],
      response_types: ["code"],
      token_endpoint_auth_method: "none",
    })
    const app = application({ clientMetadataUrl })
    await completeJourney(app)
    assert.equal(site.requested.filter((path) => path === "/agent.json").length, 1)
    const { access_token: token = "" } = (await app.provider.tokens()) ?? {}
    const { value: account } = await petstore.withToken(token).getOwnAccount()
    const admin = await signIn()
    assert.equal(account.id, (await admin.getOwnAccount()).value.id)
    const { value: consents } = await admin.listConsents()
    assert.match(consents[0]?.clientName ?? "", /^localhost:\d+ \(Agent 7\)$/)
    await admin.endConsent({ params: { id: consents[0]?.id as number } })
    await assert.rejects(petstore.withToken(token).getOwnAccount(), { status: 401 })
  })
})

describe("a document is refused", ifOpenssl, () => {
  const refused = {
    "that names another client": { client_id: "https://other.example/a.json" },
    "with a secret": { client_secret: "s" },
    "that authenticates": { token_endpoint_auth_method: "client_secret_basic" },
    "that is too large": { client_name: "a".repeat(6000) },
  }
  for (const [what, of] of Object.entries(refused))
    test(what, async () => {
      const path = `/${encodeURIComponent(what)}.json`
      const clientId = `${site.url}${path}`
      const base = { client_id: clientId, redirect_uris: [redirectUrl], token_endpoint_auth_method: "none" }
      documents.set(path, { ...base, ...of })
      assert.equal((await ask(clientId)).status, 400)
    })

  test("at an address where the service may not send requests", async () => {
    for (const clientId of ["https://10.0.0.1/a.json", "https://169.254.169.254/latest", "https://[::ffff:10.0.0.1]/a"])
      assert.equal((await ask(clientId)).status, 400, clientId)
  })

  test("that does not exist, or at an address that is too long", async () => {
    const requests = () => site.requested.filter((path) => path === "/none.json").length
    assert.equal((await ask(`${site.url}/none.json`)).status, 400)
    // The refusal is remembered for a minute.
    petstore.clock.advance(59_999)
    assert.equal((await ask(`${site.url}/none.json`)).status, 400)
    assert.equal(requests(), 1)
    petstore.clock.advance(1)
    assert.equal((await ask(`${site.url}/none.json`)).status, 400)
    assert.equal(requests(), 2)
    assert.deepEqual([...new Set(site.agents)], [`Petstore-OAuth/1 (+${petstore.url}/oauth)`])
    assert.equal((await ask(`${site.url}/${"a".repeat(1100)}`)).status, 400)
  })
})

const ask = (clientId: string) =>
  fetch(
    `${petstore.url}/oauth/auth?${new URLSearchParams({
      client_id: clientId,
      redirect_uri: redirectUrl,
      response_type: "code",
      code_challenge: "a".repeat(43),
      code_challenge_method: "S256",
    })}`,
    { redirect: "manual" },
  )
