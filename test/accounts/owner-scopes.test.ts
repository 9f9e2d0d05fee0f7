import assert from "node:assert/strict"
import { DatabaseSync } from "node:sqlite"
import { describe, test } from "node:test"
import { roles, type Scope } from "../../src/core/domain/scopes.ts"
import { serverUrl } from "../harness/database.ts"
import { newPet } from "../harness/samples.ts"
import { usePetstore } from "../harness/use.ts"

const petstore = usePetstore()
const admin = petstore.as("special-key")

/** The administrator's key, acting for an account. */
const actingFor = (accountId: number) =>
  petstore.as("special-key", { headers: { api_key: "special-key", "petstore-account": String(accountId) } })

/** The account of this sample user. */
async function accountOf(username: string): Promise<number> {
  const body = { username, password: username.replace("user", "password") }
  return (await petstore.withToken((await admin.logIn({ body })).value).getOwnAccount()).value.id
}

type Refusal = { status: number; problem: { errors?: { pointer: string; detail: string }[]; detail: string } }

/** For `assert.rejects`: 422 at the scope that the role lacks, which it names. */
const beyond = (scope: Scope, role: string, index: number) => (error: unknown) => {
  const { status, problem } = error as Refusal
  const [violation] = problem.errors ?? []
  assert.deepEqual([status, violation?.pointer], [422, `/scopes/${index}`])
  assert.match(violation?.detail ?? "", new RegExp(`${scope}.*${role}`))
  return true
}

const tokenOf = async (clientId: string, secret: string, scope?: string) => {
  const headers = { authorization: `Basic ${btoa(`${clientId}:${secret}`)}` }
  const body = new URLSearchParams({ grant_type: "client_credentials", ...(scope !== undefined && { scope }) })
  const response = await fetch(`${petstore.url}/oauth/token`, { method: "POST", headers, body })
  return (await response.json()) as { access_token: string; scope: string; error?: string }
}

/** Gives a key or an application scopes that a service without this rule has let it have. */
async function widen(table: "keys" | "oauth_clients", id: number, scopes: string): Promise<void> {
  using db = new DatabaseSync(petstore.databaseFile)
  db.prepare(`UPDATE ${table} SET scopes = ?, text_hash = NULL WHERE id = ?`).run(scopes, id)
  // The service reads what others wrote after its own next commit.
  await newPet(admin)
}

describe("what the person of an account may not do, no credential for that account is created with", () => {
  test("a key, named by accountId or by acting for the account; one within the role works", async () => {
    const accountId = await accountOf("user1")
    const acting = actingFor(accountId)
    const body = { name: "t", scopes: ["read:pets" as const, "write:pets" as const] }
    await assert.rejects(admin.createKey({ body: { ...body, accountId } }), beyond("write:pets", "customer", 1))
    await assert.rejects(acting.createKey({ body }), beyond("write:pets", "customer", 1))
    const { value: key } = await admin.createKey({ body: { ...body, scopes: [...roles.customer], accountId } })
    assert.equal((await petstore.as(key.secret).getOwnAccount()).value.id, accountId)
    const { value: rotated } = await admin.rotateKey({ params: { id: key.id } })
    assert.equal((await petstore.as(rotated.secret).getOwnAccount()).value.id, accountId)
  })

  test("a key for the account of staff", async () => {
    const body = { name: "t", scopes: ["manage:webhooks" as const], accountId: await accountOf("user10") }
    await assert.rejects(admin.createKey({ body }), beyond("manage:webhooks", "staff", 0))
  })

  test("an application, when it is registered and when it is changed", async () => {
    const accountId = await accountOf("user1")
    const acting = actingFor(accountId)
    const body = { name: "t", scopes: ["write:pets" as const] }
    await assert.rejects(acting.createOAuthClient({ body }), beyond("write:pets", "customer", 0))
    const { value: client } = await acting.createOAuthClient({ body: { ...body, scopes: ["read:pets"] } })
    const params = { id: client.id }
    const widening = acting.updateOAuthClient({ params, body: { scopes: ["read:pets", "admin"] } })
    await assert.rejects(widening, beyond("admin", "customer", 1))
    assert.equal((await tokenOf(client.clientId, client.clientSecret ?? "")).scope, "read:pets")
  })
})

describe("a credential that exceeds the role of its person", {
  skip: serverUrl && "writes to the file of SQLite",
}, () => {
  test("as a key is refused with the role and the scopes, and is not rotated", async () => {
    const accountId = await accountOf("user1")
    const { value: key } = await admin.createKey({ body: { name: "t", scopes: ["read:pets"], accountId } })
    await widen("keys", key.id, "read:pets write:pets")
    await assert.rejects(petstore.as(key.secret).getPetById({ params: { petId: 1 } }), (error: unknown) => {
      const { status, problem } = error as Refusal
      assert.match(problem.detail, /exceeds the role customer.*write:pets/)
      return status === 401
    })
    await assert.rejects(admin.rotateKey({ params: { id: key.id } }), (error: unknown) => {
      const { status, problem } = error as Refusal
      assert.match(problem.detail, /role customer.*write:pets/)
      return status === 403
    })
  })

  test("as an application gets tokens whose scope is what they can do, and none if they could do nothing", async () => {
    const accountId = await accountOf("user1")
    const acting = actingFor(accountId)
    const { value: client } = await acting.createOAuthClient({ body: { name: "t", scopes: ["read:pets"] } })
    const secret = client.clientSecret ?? ""
    await widen("oauth_clients", client.id, "read:pets write:pets")
    const { access_token: token, scope } = await tokenOf(client.clientId, secret)
    assert.equal(scope, "read:pets")
    assert.deepEqual((await petstore.withToken(token).getOwnAccount()).value.scopes, ["read:pets"])
    assert.equal((await tokenOf(client.clientId, secret, "write:pets")).error, "invalid_scope")
    await widen("oauth_clients", client.id, "write:pets")
    assert.equal((await tokenOf(client.clientId, secret)).error, "invalid_scope")
  })
})
