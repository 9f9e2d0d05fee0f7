import assert from "node:assert/strict"
import { test } from "node:test"
import { allScopes, roles, type Scope } from "../../src/core/domain/scopes.ts"
import type { UserReplacement } from "../../src/core/domain/users/contract.ts"
import { useSampleApplication } from "../harness/oauth.ts"
import { person } from "../harness/person.ts"
import { refusedAs } from "../harness/petstore.ts"
import { usePetstore } from "../harness/use.ts"

const petstore = usePetstore()
const operator = petstore.as("special-key")
const application = useSampleApplication(petstore)

const currentPassword = "correct horse"
const email = "ada@example.com"
const at = (username: string) => ({ params: { username } })
async function loggedIn(username: string, password = currentPassword) {
  return petstore.withToken((await operator.logIn({ body: { username, password } })).value)
}

async function registered(username: string, role: "customer" | "staff" | "admin" = "customer") {
  await operator.createUser({ body: { username, password: currentPassword, email, firstName: "Ada" } })
  if (role !== "customer") await operator.grantRole({ params: { username, role } })
  return loggedIn(username)
}

/** The sample OAuth client with every scope that the person can grant. */
async function applicationOf(username: string) {
  const asked = await application.ask("read:users write:users read:pets")
  const browser = person(petstore.url)
  await browser.go(asked.url)
  await browser.signIn(username, currentPassword)
  const { url: back } = await browser.allow()
  return petstore.withToken((await application.exchange({ ...asked, back })).access_token)
}

/** An OAuth client that acts on its own behalf. */
async function programWith(scopes: Scope[]) {
  const { value: app } = await operator.createOAuthClient({ body: { name: "app", scopes } })
  const response = await fetch(`${petstore.url}/oauth/token`, {
    method: "POST",
    headers: { authorization: `Basic ${btoa(`${app.clientId}:${app.clientSecret}`)}` },
    body: new URLSearchParams({ grant_type: "client_credentials", scope: scopes.join(" ") }),
  })
  return petstore.withToken(((await response.json()) as { access_token: string }).access_token)
}

/** Changes that would give control of the user to someone else. */
const takeovers: UserReplacement[] = [
  { email, password: "another horse" },
  { email, username: "mine.now" },
  { email: "eve@example.com" },
  { firstName: "Ada" },
]

test("no OAuth client can change the password, name or e-mail of a user or delete them (slow)", async () => {
  const ada = await registered("ada.1")
  const application = await applicationOf("ada.1")
  for (const body of takeovers) {
    await assert.rejects(application.updateUser({ ...at("ada.1"), body }), refusedAs("session-required"))
    const knowing = { ...body, currentPassword }
    await assert.rejects(application.updateUser({ ...at("ada.1"), body: knowing }), refusedAs("session-required"))
  }
  for (const body of [undefined, { currentPassword }])
    await assert.rejects(
      application.deleteUser({ ...at("ada.1"), ...(body && { body }) }),
      refusedAs("session-required"),
    )
  assert.equal((await ada.getUserByName(at("ada.1"))).value.email, email)
  await loggedIn("ada.1")
  await application.updateUser({ ...at("ada.1"), body: { email, firstName: "Augusta" } })
})

test("a session alone is not enough: without the correct current password nothing changes", async () => {
  const ada = await registered("ada.2")
  for (const body of takeovers.filter(({ password }) => password === undefined))
    await assert.rejects(ada.updateUser({ ...at("ada.2"), body }), refusedAs("current-password-required"))
  for (const wrong of ["wrong", ""])
    for (const body of takeovers.slice(0, 2))
      await assert.rejects(
        ada.updateUser({ ...at("ada.2"), body: { ...body, currentPassword: wrong } }),
        refusedAs("current-password-required"),
      )
  await assert.rejects(ada.deleteUser(at("ada.2")), refusedAs("current-password-required"))
  await assert.rejects(
    ada.deleteUser({ ...at("ada.2"), body: { currentPassword: "wrong" } }),
    refusedAs("current-password-required"),
  )
  assert.equal((await ada.getUserByName(at("ada.2"))).value.email, email)

  await ada.updateUser({ ...at("ada.2"), body: { email: "new@example.com", currentPassword } })
  await ada.deleteUser({ ...at("ada.2"), body: { currentPassword } })
  await assert.rejects(loggedIn("ada.2"), refusedAs("invalid-credentials"))
})

test("a classic client can send the unchanged record back, including its password", async () => {
  const ada = await registered("ada.3")
  const { value: same } = await ada.getUserByName(at("ada.3"))
  await ada.updateUser({ ...at("ada.3"), body: { ...same, phone: "1" } })
  await ada.updateUser({ ...at("ada.3"), body: { ...same, password: currentPassword } })
  await ada.getUserByName(at("ada.3"))
  await assert.rejects(
    ada.updateUser({ ...at("ada.3"), body: { ...same, password: "another horse" } }),
    refusedAs("current-password-required"),
  )
})

test("guesses of the current password are limited like guesses at login, and count together", async () => {
  const ada = await registered("ada.4")
  const guess = () => ada.updateUser({ ...at("ada.4"), body: { password: "my horse now", currentPassword: "guess" } })
  const outcomes = await Promise.allSettled(Array.from({ length: 25 }, guess))
  const codes = outcomes.map((outcome) => outcome.status === "rejected" && outcome.reason.problem.code)
  assert.equal(codes.filter((code) => code === "current-password-required").length, 10)
  assert.equal(codes.filter((code) => code === "too-many-attempts").length, 15)
  await assert.rejects(
    ada.deleteUser({ ...at("ada.4"), body: { currentPassword } }),
    (error: { headers: Headers }) =>
      refusedAs("too-many-attempts")(error) && Number(error.headers.get("retry-after")) > 0,
  )
  await assert.rejects(loggedIn("ada.4"), refusedAs("too-many-attempts"))
})

test("confirmations with the correct password are limited too", async () => {
  const ada = await registered("ada.5")
  const change = (n: number) => ada.updateUser({ ...at("ada.5"), body: { email: `${n}@example.com`, currentPassword } })
  for (let n = 0; n < 20; n++) await change(n)
  await assert.rejects(change(20), refusedAs("too-many-attempts"))
  petstore.clock.advance(15 * 60_000)
  await change(21)
})

test("of two concurrent changes the one with the previous password is refused", async () => {
  const ada = await registered("ada.6")
  const outcomes = await Promise.allSettled(
    ["first horse", "second horse"].map((password) =>
      ada.updateUser({ ...at("ada.6"), body: { email, password, currentPassword } }),
    ),
  )
  assert.deepEqual(outcomes.map(({ status }) => status).sort(), ["fulfilled", "rejected"])
})

test("staff reset a password: every session and token of the person ends, and it is logged without the password", async () => {
  const [clerk, ada] = [await registered("clerk.7", "staff"), await registered("ada.7")]
  const application = await applicationOf("ada.7")
  await Promise.all([ada.getUserByName(at("ada.7")), application.getUserByName(at("ada.7"))])
  const { id } = (await ada.getUserByName(at("ada.7"))).value
  await clerk.resetPassword({ ...at("ada.7"), body: { password: "a fresh horse", currentPassword } })
  for (const ended of [ada, application])
    await assert.rejects(ended.getUserByName(at("ada.7")), refusedAs("unauthorized"))
  await assert.rejects(loggedIn("ada.7"), refusedAs("invalid-credentials"))
  await loggedIn("ada.7", "a fresh horse")

  const line = petstore.lines.map((text) => JSON.parse(text)).find(({ msg }) => msg === "password reset")
  assert.equal(line?.userId, id)
  assert.ok(line.requestId && line.session)
  assert.ok(petstore.lines.every((text) => !text.includes("a fresh horse")))
})

test("a reset requires staff and their own password, and is refused for admins and to OAuth clients", async () => {
  const [clerk, ada] = [await registered("clerk.8", "staff"), await registered("ada.8")]
  await registered("boss.8", "admin")
  const boss = await registered("boss.9", "admin")
  const body = { password: "my horse now", currentPassword }
  for (const { client, username, code } of [
    { client: ada, username: "ada.8", code: "role-missing" },
    { client: ada, username: "unknown", code: "role-missing" },
    { client: clerk, username: "unknown", code: "user-not-found" },
    { client: clerk, username: "boss.8", code: "role-missing" },
    { client: boss, username: "boss.8", code: "role-missing" },
    { client: operator, username: "boss.8", code: "role-missing" },
    { client: await applicationOf("clerk.8"), username: "ada.8", code: "session-required" },
    {
      client: petstore.withToken(await application.clientToken("write:users")),
      username: "ada.8",
      code: "role-missing",
    },
  ])
    await assert.rejects(client.resetPassword({ ...at(username), body }), refusedAs(code), `${username} ${code}`)
  for (const wrong of [{}, { currentPassword: "wrong" }])
    await assert.rejects(
      clerk.resetPassword({ ...at("ada.8"), body: { password: "my horse now", ...wrong } }),
      refusedAs("current-password-required"),
    )
  await operator.resetPassword({ ...at("ada.8"), body: { password: "my horse now" } })
  await loggedIn("ada.8", "my horse now")
})

test("staff cannot set a password in an update, and need their own password for names, e-mail addresses and deletion", async () => {
  const clerk = await registered("clerk.10", "staff")
  await registered("ada.10")
  for (const client of [clerk, operator])
    await assert.rejects(
      client.updateUser({ ...at("ada.10"), body: { email, password: "my horse now", currentPassword } }),
      refusedAs("session-required"),
    )
  await assert.rejects(clerk.updateUser({ ...at("ada.10"), body: {} }), refusedAs("current-password-required"))
  await assert.rejects(clerk.deleteUser(at("ada.10")), refusedAs("current-password-required"))
  await clerk.updateUser({ ...at("ada.10"), body: { email, firstName: "Augusta" } })
  for (const client of [clerk, operator])
    await client.updateUser({ ...at("ada.10"), body: { email, password: currentPassword } })
  await loggedIn("ada.10")
  await clerk.deleteUser({ ...at("ada.10"), body: { currentPassword } })
})

test("a role is granted by a credential with every scope of the role only, and the scope admin alone is not every scope", async () => {
  await registered("mole")
  const keyOf = async (scopes: readonly Scope[]) =>
    petstore.as((await operator.createKey({ body: { name: "k", scopes: [...scopes] } })).value.secret)
  const administrators = [await keyOf(["admin"]), await programWith(["admin"])]
  for (const administrator of administrators)
    for (const role of ["customer", "staff", "admin"] as const) {
      const granting = administrator.grantRole({ params: { username: "mole", role } })
      await assert.rejects(granting, refusedAs("forbidden"), role)
    }
  const clerk = await keyOf(["admin", ...roles.staff])
  await clerk.grantRole({ params: { username: "mole", role: "staff" } })
  await assert.rejects(clerk.grantRole({ params: { username: "mole", role: "admin" } }), refusedAs("forbidden"))
  const almost = await keyOf(["admin", "write:users"])
  const resetting = almost.resetPassword({ ...at("mole"), body: { password: "another horse" } })
  await assert.rejects(resetting, refusedAs("forbidden"))
  assert.equal((await operator.getRole(at("mole"))).value.role, "staff")
})

test("the role admin is granted by the operator's key or with the current password, never by an application", async () => {
  await registered("heir")
  const params = { username: "heir", role: "admin" } as const
  const boss = await registered("chief.40", "admin")
  await assert.rejects(boss.grantRole({ params }), refusedAs("current-password-required"))
  const wrong = { currentPassword: "wrong" }
  await assert.rejects(boss.grantRole({ params, body: wrong }), refusedAs("current-password-required"))
  const program = await programWith(allScopes)
  await assert.rejects(program.grantRole({ params, body: { currentPassword } }), refusedAs("session-required"))
  assert.equal((await operator.getRole(at("heir"))).value.role, "customer")

  await boss.grantRole({ params: { ...params, role: "staff" } })
  assert.equal((await boss.grantRole({ params, body: { currentPassword } })).value.role, "admin")
  await operator.grantRole({ params: { ...params, role: "customer" } })
  assert.equal((await operator.grantRole({ params })).value.role, "admin")
})
