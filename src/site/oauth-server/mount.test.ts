import assert from "node:assert/strict"
import { test } from "node:test"
import { createRouter } from "../../server/exchange/router.ts"
import { addOAuth, type OAuthDeps } from "./mount.ts"

/** Starts the authorization server with these signing keys; whether it has its routes then. */
async function start(...keys: string[]): Promise<boolean> {
  const open = (sealed: string) => {
    if (sealed === "foreign") throw new Error("it was sealed with another key")
    return "{}"
  }
  const deps = {
    store: { signingKeys: { all: async () => keys.map((sealed) => ({ kid: sealed, sealed, createdAt: 0 })) } },
    sealing: { open },
    clock: { now: () => 0 },
    publicUrl: () => "https://pets.example",
  } as unknown as OAuthDeps
  const router = createRouter()
  await addOAuth(router, deps)
  const found = router.find("/oauth/token")
  return found !== undefined && "resource" in found && found.resource.routes.has("POST")
}

test("a service starts only if it can open its signing keys, those before the newest included", async () => {
  assert.equal(await start("own", "own"), true)
  await assert.rejects(start("own", "foreign"), /sealed with another key/)
})
