import assert from "node:assert/strict"
import { test } from "node:test"
import type { Provider } from "oidc-provider"
import { destinationOf } from "./destination.ts"

const redirectUri = "https://walker.example/cb?a=b"

/** Where a person continues after a request, for a server that knows one client. */
function find(parameters: Record<string, string>, clientName?: string) {
  const known = { clientName, redirectUriAllowed: (uri: string) => uri === redirectUri }
  const Client = { find: async (id: string) => (id === "poc_1" ? known : undefined) }
  const server = { issuer: "https://pets.example/shop/oauth", Client } as unknown as Provider
  return destinationOf(server, new URLSearchParams(parameters))
}

test("a person continues to a client that is known, at an address that it has registered", async () => {
  const request = { client_id: "poc_1", redirect_uri: redirectUri, prompt: "login" }
  const found = {
    clientName: "poc_1",
    loginHint: "",
    origins: ["https://walker.example"],
    signedIn: `/shop/oauth/auth?${new URLSearchParams({ client_id: "poc_1", redirect_uri: redirectUri })}`,
    declined: `/shop/oauth/auth?${new URLSearchParams({ ...request, declined: "true" })}`,
  }
  assert.deepEqual(await find(request), found)
  const hinted = await find({ ...request, login_hint: "ada" }, "Walker")
  assert.deepEqual([hinted?.clientName, hinted?.loginHint], ["Walker", "ada"])
  for (const wrong of [{ client_id: "poc_2" }, { client_id: "" }, { redirect_uri: "https://x.example/" }])
    assert.equal(await find({ ...request, ...wrong }), undefined)
  for (const { client_id, redirect_uri } of [request])
    for (const some of [{ client_id }, { redirect_uri }])
      assert.equal(await find(some as Record<string, string>), undefined)
})
