import assert from "node:assert/strict"
import { test } from "node:test"
import { Refused } from "../../src/client/client.ts"
import { refusedAs, startPetstore } from "../harness/petstore.ts"

type Petstore = Awaited<ReturnType<typeof startPetstore>>

const tokenOf = async (petstore: Petstore, username: string, password: string) =>
  (await petstore.as("").logIn({ body: { username, password } })).value

test("the sandbox accepts the password of the classic documents, from registration to deletion", async () => {
  await using petstore = await startPetstore()
  const body = { username: "theUser", password: "12345" }
  assert.ok(!JSON.stringify((await petstore.as("").createUser({ body })).value).includes("12345"))
  const person = petstore.withToken(await tokenOf(petstore, "theUser", "12345"))
  await person.updateUser({ params: { username: "theUser" }, body: { ...body, email: "john@email.com" } })
  await person.deleteUser({ params: { username: "theUser" }, body: { currentPassword: "12345" } })
})

test("wherever a new password is set it has the configured minimum length, and one character less is 422", async () => {
  await using petstore = await startPetstore({ env: { PETSTORE_PASSWORD_MIN: "10" } })
  const [staff, short, long] = [petstore.as("special-key"), "🐕".repeat(9), "🐕".repeat(10)]
  const person = petstore.withToken(await tokenOf(petstore, "user3", "password3"))
  const params = { username: "user3" }
  const ways = [
    (password: string) => petstore.as("").createUser({ body: { username: "visitor", password } }),
    (password: string) => staff.createUsersWithListInput({ body: [{ username: "listed", password }] }),
    (password: string) => staff.resetPassword({ params: { username: "user4" }, body: { password } }),
    (password: string) => person.updateUser({ params, body: { password, currentPassword: "password3" } }),
  ]
  for (const [n, give] of ways.entries()) {
    await assert.rejects(give(short), tooShort(n === 1 ? "/0/password" : "/password"), `way ${n}`)
    await give(long)
  }
})

test("a password from before the minimum was raised remains valid, also when the record is sent back with it", async () => {
  await using petstore = await startPetstore({ env: { PETSTORE_PASSWORD_MIN: "10" } })
  const person = petstore.withToken(await tokenOf(petstore, "user5", "password5"))
  const params = { username: "user5" }
  const { value } = await person.updateUser({ params, body: { password: "password5", email: "new@example.com" } })
  assert.equal(value.email, "new@example.com")
  await assert.rejects(
    person.updateUser({ params, body: { password: "wrong", email: "x@example.com" } }),
    refusedAs("current-password-required"),
  )
})

const tooShort = (pointer: string) => (error: unknown) => {
  assert.ok(error instanceof Refused, String(error))
  assert.deepEqual(error.problem.errors, [{ pointer, code: "too-short", detail: "needs 10 characters or more" }])
  return error.problem.code === "invalid-body"
}
