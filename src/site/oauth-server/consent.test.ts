import assert from "node:assert/strict"
import { test } from "node:test"
import type { Interaction, Provider } from "oidc-provider"
import type { Role } from "../../domain/scopes.ts"
import { allow, type ConsentRequest, readConsentRequest } from "./consent.ts"
import type { SignInDeps } from "./sign-in.ts"

const documentUrl = "https://agent.example/agent.json"

type Given = {
  clientId?: string
  /** What a document says; undefined when it cannot be read. */
  document?: object | undefined
  scope?: string
  role?: Role
  userId?: string | undefined
  result?: object
  staffRole?: Role
  siteUrl?: string
  client?: object | undefined
}

const registered = { name: "Walker", redirectUris: ["https://walker.example/cb"], scopes: ["read:pets", "write:pets"] }

/** What a person is asked about a request. */
function read(given: Given): Promise<ConsentRequest> {
  const { clientId = "poc_1", document, scope = "read:pets", role = "customer", result, staffRole = "staff" } = given
  const client = "client" in given ? given.client : registered
  const accountId = "userId" in given ? given.userId : "4"
  const store = {
    oauthClients: { byClientId: async () => client },
    users: {
      byId: async (id: number) => (id === 4 ? { user: { id, username: "ada", role } } : undefined),
      byName: async (username: string) => ({ user: { id: 5, username, role: staffRole } }),
    },
  }
  const provider = { Client: { find: async () => document }, pathFor: () => "/oauth/auth" } as unknown as Provider
  const deps = {
    store,
    samplePeople: ["customer", "staff"].map((role) => ({ role, username: `sample ${role}`, password: "p" })),
    publicUrl: () => "https://pets.example",
    siteUrl: () => given.siteUrl ?? "https://pets.example",
  }
  const interaction = {
    params: { client_id: clientId, redirect_uri: "https://walker.example/cb?a=b", scope, state: "s" },
    session: accountId === undefined ? undefined : { accountId },
    result,
    grantId: "grant",
  }
  return readConsentRequest(provider, deps as unknown as SignInDeps, interaction as unknown as Interaction)
}

test("a person is asked for the scopes that they may grant, once each, and reads which they may not", async () => {
  const switchUrl = `/oauth/auth?${new URLSearchParams({
    client_id: "poc_1",
    redirect_uri: "https://walker.example/cb?a=b",
    scope: "openid read:pets read:pets write:pets admin",
    state: "s",
    prompt: "login",
  })}`
  assert.deepEqual(await read({ scope: "openid read:pets read:pets write:pets admin" }), {
    client: registered,
    clientId: "poc_1",
    clientName: "Walker",
    redirectOrigin: "https://walker.example",
    scopes: ["openid", "read:pets"],
    beyond: ["write:pets", "admin"],
    suggested: { role: "staff", username: "sample staff", password: "p" },
    person: { id: "4", username: "ada" },
    switchUrl,
    consentsUrl: "/console/consents",
    root: "",
    grantId: "grant",
  })
})

test("a sample person is suggested who may grant more and still has the role", async () => {
  const suggested = async (given: Given) => (await read(given)).suggested?.username
  const scope = "read:pets write:pets"
  assert.equal(await suggested({ scope }), "sample staff")
  assert.equal(await suggested({ scope, staffRole: "customer" }), undefined)
  assert.equal(await suggested({ scope, role: "staff" }), undefined)
  assert.equal(await suggested({ scope: "read:pets" }), undefined)
  const { consentsUrl, root } = await read({ siteUrl: "https://pets.example/shop" })
  assert.deepEqual([consentsUrl, root], [undefined, "/shop"])
})

test("a request ends when it has a result, or without its client or its person", async () => {
  for (const given of [
    { result: {} },
    { client: undefined },
    { userId: undefined },
    { userId: "6" },
    { clientId: documentUrl, document: undefined },
  ])
    await assert.rejects(read(given), { name: "SessionNotFound" }, JSON.stringify(given))
})

test("the client of a document has its name, cut to a hundred characters with its host, or its host alone", async () => {
  const nameOf = async (document: object) => (await read({ clientId: documentUrl, document })).client
  const all = (await nameOf({})).scopes
  assert.ok(all.includes("admin"))
  assert.deepEqual(await nameOf({ clientName: " Agent ", redirectUris: ["https://walker.example/cb"] }), {
    name: "Agent (agent.example)",
    redirectUris: ["https://walker.example/cb"],
    scopes: all,
  })
  for (const clientName of [undefined, "", " "])
    assert.deepEqual(await nameOf({ clientName }), { name: "agent.example", redirectUris: [], scopes: all })
  const fits = "x".repeat(100 - " (agent.example)".length)
  for (const clientName of [fits, `${fits}y`])
    assert.equal((await nameOf({ clientName })).name, `${fits} (agent.example)`)
  const host = `${"long.".repeat(24)}example`
  const ofLongHost = await read({ clientId: `https://${host}/agent.json`, document: { clientName: fits.repeat(9) } })
  assert.equal(ofLongHost.clientName, host)
})

/** What is stored when a person allows this. */
async function allowed(changed: Partial<ConsentRequest>) {
  const done: unknown[] = []
  class Grant {
    constructor(of: object) {
      done.push(["new", of])
    }
    static async find(id: string) {
      done.push(["find", id])
      return id === "kept" ? Object.create(Grant.prototype) : undefined
    }
    addOIDCScope(scopes: readonly string[]) {
      done.push(["add", ...scopes])
    }
    rejectOIDCScope(scopes: readonly string[]) {
      done.push(["reject", ...scopes])
    }
    async save() {
      return "saved"
    }
  }
  const putOfDocument = async (client: { clientId: string; name: string }) =>
    void done.push(["document", client.clientId, client.name])
  const store = { transaction: (work: (tx: object) => unknown) => work({ oauthClients: { putOfDocument } }) }
  const request = {
    client: registered,
    clientId: "poc_1",
    person: { id: "4" },
    scopes: ["read:pets"],
    beyond: ["admin"],
    grantId: undefined,
    ...changed,
  }
  const ports = { store, clock: { now: () => 0 } } as unknown as SignInDeps
  assert.equal(await allow({ Grant } as unknown as Provider, ports, request as ConsentRequest), "saved")
  return done
}

test("a consent makes a grant or extends the earlier one, with the scopes that were granted and refused", async () => {
  const made = ["new", { accountId: "4", clientId: "poc_1" }]
  const [add, reject] = [
    ["add", "read:pets"],
    ["reject", "admin"],
  ]
  assert.deepEqual(await allowed({}), [made, add, reject])
  assert.deepEqual(await allowed({ grantId: "kept" }), [["find", "kept"], add, reject])
  assert.deepEqual(await allowed({ grantId: "gone" }), [["find", "gone"], made, add, reject])
  assert.deepEqual(await allowed({ scopes: [] }), [made, reject])
  assert.deepEqual(await allowed({ beyond: [] }), [made, add])
  assert.deepEqual(await allowed({ clientId: documentUrl }), [
    ["document", documentUrl, "Walker"],
    ["new", { accountId: "4", clientId: documentUrl }],
    add,
    reject,
  ])
})
