import assert from "node:assert/strict"
import { after, before, test } from "node:test"
import { refusedAs, startPetstore } from "../../../test/harness/petstore.ts"

let petstore: Awaited<ReturnType<typeof startPetstore>>
let store: ReturnType<typeof petstore.as>

before(async () => {
  petstore = await startPetstore()
  store = petstore.as("special-key")
})
after(() => petstore[Symbol.asyncDispose]())

const password = "correct horse"

async function loggedIn(username: string, secret = password) {
  const { value, headers } = await store.logIn({ body: { username, password: secret } })
  return { token: value, headers, client: petstore.as("", { headers: { authorization: `Bearer ${value}` } }) }
}

test("a registered user logs in, reads their own record and never sees a password", async () => {
  const { value: made } = await store.createUser({
    body: { username: "Ada.1", password, email: "ada@example.com" },
  })
  assert.deepEqual(made, { id: 11, username: "Ada.1", email: "ada@example.com", userStatus: 0, role: "customer" })
  const { client, headers } = await loggedIn("ada.1")
  assert.deepEqual((await client.getUserByName({ params: { username: "Ada.1" } })).value, made)
  assert.equal(headers.get("x-rate-limit"), "60")
  assert.equal(headers.get("x-expires-after"), "2026-01-01T12:00:00.000Z")
})

test("a token is refused from the request after logout on, and logout answers 200 in any case", async () => {
  const { client } = await loggedIn("user1", "password1")
  await client.getUserByName({ params: { username: "user1" } })
  assert.equal((await client.logOut()).status, 200)
  await assert.rejects(client.getUserByName({ params: { username: "user1" } }), refusedAs("unauthorized"))
  for (const authorization of ["", "Bearer", "Bearer pss_torn", "Basic eDp5"])
    assert.equal((await store.logoutUser({ headers: { authorization } })).status, 200)
})
