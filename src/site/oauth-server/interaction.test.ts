import assert from "node:assert/strict"
import { Readable } from "node:stream"
import { test } from "node:test"
import type { Provider } from "oidc-provider"
import { exchangeOf } from "../../../test/harness/exchange.ts"
import { StoreUnavailable } from "../../domain/ports/store.ts"
import { interactionHandlers } from "./interaction.ts"
import { errors } from "./library.ts"
import type { SignInDeps } from "./sign-in.ts"

const kept = "k".repeat(32)

/** The page of a request for consent that is stored, or of one that cannot be read. */
function open(failure?: Error) {
  const results: object[] = []
  const server = {
    issuer: "https://pets.example/oauth",
    pathFor: () => "/oauth/auth",
    async interactionDetails() {
      if (failure) throw failure
      const params = { client_id: "poc_1", redirect_uri: "https://walker.example/cb", scope: "read:pets" }
      return { params, session: { accountId: "4" }, result: undefined, grantId: undefined }
    },
    async interactionResult(_request: unknown, _response: unknown, result: object) {
      results.push(result)
      return "/oauth/auth/resumed"
    },
    Grant: class {
      addOIDCScope() {}
      save = async () => "grant"
    },
  }
  const deps = {
    store: {
      oauthClients: { byClientId: async () => ({ name: "Walker", redirectUris: [], scopes: ["read:pets"] }) },
      users: { byId: async (id: number) => ({ user: { id, username: "ada", role: "customer" } }) },
    },
    samplePeople: [],
    publicUrl: () => "https://pets.example",
    siteUrl: () => "https://pets.example",
  }
  const handlers = interactionHandlers(async () => server as unknown as Provider, deps as unknown as SignInDeps)
  async function send(answer: string, token = kept) {
    const form = `${new URLSearchParams({ form: token, answer })}`
    const headers = { host: "pets.example", cookie: `petstore_form=${kept}`, "content-length": String(form.length) }
    const exchange = exchangeOf("/oauth/interaction/x", { method: "POST", headers })
    Object.assign(exchange, { request: Object.assign(Readable.from([Buffer.from(form)]), { headers }) })
    const { status, headers: sent } = await handlers.POST(exchange)
    return [status, sent[sent.indexOf("location") + 1], ...results]
  }
  return { show: () => handlers.GET(exchangeOf("/oauth/interaction/x")), send }
}

const expired = /This page has expired, or was opened elsewhere\./

test("a person allows or declines a request, which then continues", async () => {
  const { show, send } = open()
  assert.match(String((await show()).body), /<h1>Allow Walker\?<\/h1>/)
  const continued = [303, "/oauth/auth/resumed"]
  assert.deepEqual(await send("allow"), [...continued, { consent: { grantId: "grant" } }])
  const declined = { error: "access_denied", error_description: "the person declined" }
  for (const other of ["deny", ""]) assert.deepEqual(await open().send(other), [...continued, declined])
})

test("a request that another browser started, or that has ended, has expired", async () => {
  assert.deepEqual((await open().send("allow", "x"))[0], 400)
  const ended = open(new errors.SessionNotFound("gone"))
  const { status, body } = await ended.show()
  assert.equal(status, 400)
  assert.match(String(body), expired)
  assert.equal((await ended.send("allow"))[0], 400)
})

test("a failure of the storage is one, and does not look like a request that has expired", async () => {
  const failed = open(new StoreUnavailable("gone"))
  await assert.rejects(failed.show(), /gone/)
  await assert.rejects(failed.send("allow"), /gone/)
})
