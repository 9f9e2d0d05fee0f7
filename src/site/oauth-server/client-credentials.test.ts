import assert from "node:assert/strict"
import { test } from "node:test"
import type { KoaContextWithOIDC, Provider } from "oidc-provider"
import { grantClientCredentials } from "./client-credentials.ts"

type Handler = (ctx: KoaContextWithOIDC, next: () => Promise<void>) => Promise<void>

/** What a client with these scopes receives for a request. */
async function grant(scope: string | undefined, ...wanted: string[]) {
  let handler: Handler | undefined
  class ClientCredentials {
    readonly scope: string
    readonly expiration = 3600
    constructor({ scope }: { scope: string }) {
      this.scope = scope
    }
    save = async () => "token"
  }
  const registerGrantType = (_name: string, handle: Handler) => {
    handler = handle
  }
  grantClientCredentials({ ClientCredentials, registerGrantType } as unknown as Provider)
  const ctx = { oidc: { client: { scope }, requestParamScopes: new Set(wanted) }, body: undefined as unknown }
  await handler?.(ctx as unknown as KoaContextWithOIDC, async () => {})
  return ctx.body
}

test("a client receives the scopes that it names, and all of its own if it names none", async () => {
  const given = (scope: string) => ({ access_token: "token", token_type: "Bearer", expires_in: 3600, scope })
  assert.deepEqual(await grant("openid read:pets write:pets"), given("read:pets write:pets"))
  assert.deepEqual(await grant("openid read:pets write:pets", "write:pets"), given("write:pets"))
  assert.deepEqual(await grant(undefined), given(""))
})

test("a scope that the client does not have is refused, and so is that of a person", async () => {
  for (const wanted of ["admin", "openid"])
    await assert.rejects(grant("openid read:pets", "read:pets", wanted), { error: "invalid_scope", scope: wanted })
})
