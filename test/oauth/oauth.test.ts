import assert from "node:assert/strict"
import { hash } from "node:crypto"
import { test } from "node:test"
import { useSampleApplication } from "../harness/oauth.ts"
import { refusedAs } from "../harness/petstore.ts"
import { usePetstore } from "../harness/use.ts"

const petstore = usePetstore()
const application = useSampleApplication(petstore)

test("only a hash is stored: no table holds the token itself", async () => {
  const token = await application.clientToken()
  const found = await petstore.store.oauthRecords.read("ClientCredentials", token)
  assert.equal(found, undefined)
  const record = await petstore.store.oauthRecords.read("ClientCredentials", hash("sha256", token))
  assert.ok(record && !JSON.stringify(record).includes(token))
})

test("an account has at most 100 clients, also under concurrent registrations; deleting one makes space (slow)", async () => {
  const { value: account } = await petstore.as("pro-key").getOwnAccount()
  const { value: key } = await petstore.as("special-key").createKey({
    body: { name: "manager", scopes: ["manage:keys", "read:pets"], accountId: account.id },
  })
  const manager = petstore.as(key.secret)
  const create = () => manager.createOAuthClient({ body: { name: "App", scopes: ["read:pets"] } })
  const outcomes = await Promise.allSettled(Array.from({ length: 105 }, create))
  assert.equal(outcomes.filter(({ status }) => status === "fulfilled").length, 100)
  for (const outcome of outcomes)
    if (outcome.status === "rejected") assert.ok(refusedAs("too-many-oauth-clients")(outcome.reason))
  const [newest] = (await manager.listOAuthClients({ query: { limit: 1 } })).value
  await manager.deleteOAuthClient({ params: { id: newest?.id as number } })
  await create()
  await assert.rejects(create(), refusedAs("too-many-oauth-clients"))
})
