import assert from "node:assert/strict"
import { test } from "node:test"
import * as oauth from "oauth4webapi"
import type { KeyDraft } from "../../src/core/domain/keys/contract.ts"
import type { Scope } from "../../src/core/domain/scopes.ts"
import { discover, insecure } from "../harness/oauth.ts"
import { refusedAs } from "../harness/petstore.ts"
import { usePetstore } from "../harness/use.ts"

const hour = 3_600_000
const here = "127.0.0.0/8"
const petstore = usePetstore({ env: { PETSTORE_TRUSTED_PROXIES: "127.0.0.1" } })
const admin = petstore.as("special-key")

const manager: Scope[] = ["read:pets", "manage:keys"]
const draft = (more: Partial<KeyDraft> = {}) => ({ body: { name: "test", scopes: manager, ...more } })
const inHours = (hours: number) => new Date(petstore.clock.now() + hours * hour).toISOString()

/** A key created by `maker`, and a client that uses it. */
async function made(maker: typeof admin, more: Partial<KeyDraft> = {}) {
  const { value: key } = await maker.createKey(draft(more))
  return { ...key, client: petstore.as(key.secret) }
}

const violations = async (asked: Promise<unknown>) => {
  const { problem } = await asked.then(
    () => assert.fail("was not refused"),
    (error) => error,
  )
  assert.equal(problem.code, "invalid-body")
  return problem.errors.map(({ pointer, code }: { pointer: string; code: string }) => [pointer, code])
}

test("what a key creates has its expiry and addresses or narrower ones, transitively", async () => {
  const limits = { expiresAt: inHours(2), allowedCidrs: [here, "2001:db8::/32"] }
  const maker = await made(admin, limits)
  const child = await made(maker.client)
  assert.deepEqual(
    { expiresAt: child.expiresAt, allowedCidrs: child.allowedCidrs },
    { expiresAt: limits.expiresAt, allowedCidrs: limits.allowedCidrs },
  )

  const narrower = { expiresAt: inHours(1), allowedCidrs: ["127.0.0.1", "::ffff:127.0.0.0/112"] }
  const grandchild = await made(child.client, narrower)
  assert.deepEqual(
    { expiresAt: grandchild.expiresAt, allowedCidrs: grandchild.allowedCidrs },
    { expiresAt: narrower.expiresAt, allowedCidrs: narrower.allowedCidrs },
  )
  const wider = { expiresAt: inHours(2), allowedCidrs: ["127.0.0.1", here, "0.0.0.0/0"] }
  assert.deepEqual(await violations(made(grandchild.client, wider)), [
    ["/expiresAt", "beyond-own"],
    ["/allowedCidrs/1", "beyond-own"],
    ["/allowedCidrs/2", "beyond-own"],
  ])
  assert.deepEqual((await made(grandchild.client, { allowedCidrs: [] })).allowedCidrs, narrower.allowedCidrs)
})

test("a rotated key neither outlives the credential that created or rotates it nor widens its addresses", async () => {
  const maker = await made(admin, { expiresAt: inHours(10), allowedCidrs: [here] })
  const child = await made(maker.client, { expiresAt: inHours(6) })
  const eternal = await made(admin)
  petstore.clock.advance(5 * hour)

  const rotated = async (client: typeof admin, id: number) => (await client.rotateKey({ params: { id } })).value
  const bySelf = await rotated(child.client, child.id)
  assert.equal(bySelf.expiresAt, child.expiresAt)
  const byAdmin = await rotated(admin, bySelf.id)
  assert.equal(byAdmin.expiresAt, child.expiresAt)
  const byMaker = await rotated(maker.client, eternal.id)
  assert.deepEqual(
    { expiresAt: byMaker.expiresAt, allowedCidrs: byMaker.allowedCidrs },
    { expiresAt: maker.expiresAt, allowedCidrs: [here] },
  )

  const { id } = await made(maker.client, { expiresAt: inHours(4) })
  assert.equal((await rotated(admin, id)).expiresAt, inHours(4))
  petstore.clock.advance(2 * hour)
  const late = await made(maker.client, { expiresAt: inHours(1) })
  petstore.clock.advance(hour / 2)
  assert.equal((await rotated(admin, late.id)).expiresAt, inHours(1))
  petstore.clock.advance(2 * hour)
  const last = await made(maker.client, { expiresAt: maker.expiresAt as string })
  petstore.clock.advance(hour / 4)
  assert.equal((await rotated(admin, last.id)).expiresAt, maker.expiresAt)

  const { id: elsewhere } = await made(admin, { allowedCidrs: ["192.0.2.0/24"] })
  await assert.rejects(rotated(maker.client, elsewhere), refusedAs("forbidden"))
})

test("tokens of an OAuth client end with the key that created it and work from its addresses only", async () => {
  const maker = await made(admin, { expiresAt: inHours(0.5), allowedCidrs: [here] })
  const body = { name: "app", scopes: manager }
  const { value: app } = await maker.client.createOAuthClient({ body })
  assert.deepEqual(
    { expiresAt: app.expiresAt, allowedCidrs: app.allowedCidrs },
    { expiresAt: maker.expiresAt, allowedCidrs: [here] },
  )
  const { clientSecret, ...shown } = app
  assert.deepEqual((await admin.getOAuthClient({ params: { id: app.id } })).value, shown)

  const as = await discover(petstore.url)
  const token = async () => {
    const secret = oauth.ClientSecretBasic(clientSecret as string)
    const client = { client_id: app.clientId }
    const response = await oauth.clientCredentialsGrantRequest(as, client, secret, {}, insecure)
    return (await oauth.processClientCredentialsResponse(as, client, response)).access_token
  }
  const authorization = `Bearer ${await token()}`
  const opens = async (headers: Record<string, string> = {}) =>
    (await fetch(`${petstore.url}/api/v3/pet/1`, { headers: { authorization, ...headers } })).status
  assert.equal(await opens(), 200)
  assert.equal(await opens({ "x-forwarded-for": "192.0.2.1" }), 401)
  const byToken = await made(petstore.as("", { headers: { authorization } }))
  assert.deepEqual(
    { expiresAt: byToken.expiresAt, allowedCidrs: byToken.allowedCidrs },
    { expiresAt: maker.expiresAt, allowedCidrs: [here] },
  )

  petstore.clock.advance(hour / 2)
  assert.equal(await opens(), 401)
  await assert.rejects(token())
})

test("a credential cannot change or take over an OAuth client that outlives it or allows more addresses", async () => {
  const { value: app } = await admin.createOAuthClient({ body: { name: "app", scopes: manager } })
  const params = { id: app.id }
  for (const limits of [{ expiresAt: inHours(1) }, { allowedCidrs: [here] }]) {
    const { client } = await made(admin, limits)
    await assert.rejects(client.rotateOAuthClientSecret({ params }), refusedAs("forbidden"))
    const stolen = { redirectUris: ["https://thief.example/"] }
    await assert.rejects(client.updateOAuthClient({ params, body: stolen }), refusedAs("forbidden"))
    const { value: own } = await client.createOAuthClient({ body: { name: "own", scopes: manager } })
    await client.rotateOAuthClientSecret({ params: { id: own.id } })
  }
  await admin.rotateOAuthClientSecret({ params })
})

test("revoking a key, and changing or deleting an OAuth client, requires its scopes", async () => {
  const { client } = await made(admin)
  const wide = await made(admin, { scopes: ["admin"] })
  await assert.rejects(client.revokeKey({ params: { id: wide.id } }), refusedAs("forbidden"))
  await wide.client.getOwnAccount()

  const { value: app } = await admin.createOAuthClient({ body: { name: "strong", scopes: ["admin"] } })
  const params = { id: app.id }
  await assert.rejects(client.deleteOAuthClient({ params }), refusedAs("forbidden"))
  await assert.rejects(client.updateOAuthClient({ params, body: { scopes: ["read:pets"] } }), refusedAs("forbidden"))
  assert.deepEqual((await admin.getOAuthClient({ params })).value.scopes, ["admin"])

  const own = await made(client)
  await client.revokeKey({ params: { id: own.id } })
  await admin.revokeKey({ params: { id: wide.id } })
  await admin.deleteOAuthClient({ params })
})
