import assert from "node:assert/strict"
import { test } from "node:test"
import { serverUrl } from "../harness/database.ts"
import { refusedAs } from "../harness/petstore.ts"
import { usePetstore } from "../harness/use.ts"

const petstore = usePetstore()
const staff = petstore.as("special-key")

const password = "correct horse"
const at = (username: string) => ({ params: { username } })

/** The client of a user who has just logged in. */
async function loggedIn(username: string, secret = password) {
  const { value: token } = await staff.logIn({ body: { username, password: secret } })
  return petstore.withToken(token)
}

async function registered(username: string) {
  await staff.createUser({ body: { username, password } })
  return loggedIn(username)
}

test("a registered user is a customer and reads their own record, in any case of the name", async () => {
  const body = { username: "Ada.1", password, firstName: "Ada", email: "ada@example.com" }
  const { value: made } = await staff.createUser({ body })
  const { password: _, ...shown } = body
  assert.deepEqual(made, { id: 12, ...shown, userStatus: 0 })
  const ada = await loggedIn("ada.1")
  assert.deepEqual((await ada.getUserByName(at("ADA.1"))).value, made)
})

test("an account has the name of its user, also when they change it, unless an administrator has given it another one", async () => {
  const before = await registered("namesake.1")
  const nameOf = async (user: typeof before) => (await user.getOwnAccount()).value.name
  assert.equal(await nameOf(before), "namesake.1")
  await before.updateUser({ ...at("namesake.1"), body: { username: "namesake.2", currentPassword: password } })
  const after = await loggedIn("namesake.2")
  assert.equal(await nameOf(after), "namesake.2")
  const { id } = (await after.getOwnAccount()).value
  await staff.patchAccount({ params: { id }, body: { name: "Paws & Co" } })
  await after.updateUser({ ...at("namesake.2"), body: { username: "namesake.3", currentPassword: password } })
  assert.equal(await nameOf(await loggedIn("namesake.3")), "Paws & Co")
})

test("a taken name, in any case, and an id in use are conflicts; those of a deleted user are free", async () => {
  for (const body of [{ username: "USER1" }, { username: "new.name", id: 1 }])
    await assert.rejects(staff.createUser({ body: { ...body, password } }), refusedAs("user-exists"))
  await staff.createUser({ body: { id: 900, username: "once", password } })
  await staff.deleteUser(at("once"))
  assert.equal((await staff.createUser({ body: { id: 900, username: "again", password } })).value.id, 900)
  assert.ok((await staff.createUser({ body: { id: 0, username: "once", password } })).value.id !== 900)
})

test("reserved and malformed names are refused", async () => {
  for (const username of ["login", "LogOut", "createWithList", "ab", "a b c", "ünïcode", "x".repeat(65), ""])
    await assert.rejects(staff.createUser({ body: { username, password } }), refusedAs("invalid-body"), username)
})

test("the response for another user's record is byte for byte that for a missing user, for every operation", async () => {
  const eve = await registered("eve.1")
  const { value: token } = await staff.logIn({ body: { username: "eve.1", password } })
  for (const [method, body] of [
    ["GET"],
    ["DELETE"],
    ["PUT", '{"firstName":"x"}'],
    ["PUT", '{"password":"12345678"}'],
  ]) {
    const ask = async (username: string) => {
      const response = await fetch(`${petstore.url}/api/v3/user/${username}`, {
        method: method as string,
        headers: { authorization: `Bearer ${token}`, ...(body && { "content-type": "application/json" }) },
        ...(body && { body }),
      })
      const { requestId, instance, ...problem } = (await response.json()) as Record<string, unknown>
      assert.ok(requestId && instance)
      return { status: response.status, names: [...response.headers.keys()].sort(), problem }
    }
    const [foreign, absent] = [await ask("user2"), await ask("no.such.user")]
    assert.deepEqual(foreign, absent)
    assert.equal(foreign.status, 404)
  }
  await assert.rejects(eve.listUsers(), refusedAs("role-missing"))
  await assert.rejects(eve.createUsersWithListInput({ body: [] }), refusedAs("role-missing"))
})

test("a list registers all users or none", async () => {
  const drafts = ["list.1", "list.2", "list.3"].map((username) => ({ username, password }))
  const { value } = await staff.createUsersWithListInput({ body: drafts })
  assert.deepEqual(
    value.map(({ username }) => username),
    ["list.1", "list.2", "list.3"],
  )
  for (const username of ["list.1", "List.4"])
    await assert.rejects(
      staff.createUsersWithListInput({
        body: [
          { username: "list.4", password },
          { username, password },
        ],
      }),
      refusedAs("user-exists"),
    )
  await assert.rejects(staff.getUserByName(at("list.4")), refusedAs("user-not-found"))
})

test("replacing keeps omitted name and password, and clears the rest", async () => {
  const ada = await registered("ada.2")
  const { value: first } = await ada.updateUser({
    ...at("ada.2"),
    body: { firstName: "Ada", phone: "1", userStatus: 3 },
  })
  assert.deepEqual(
    { firstName: first.firstName, phone: first.phone, userStatus: first.userStatus },
    { firstName: "Ada", phone: "1", userStatus: 3 },
  )
  const { value: second } = await ada.updateUser({ ...at("ada.2"), body: { id: first.id, lastName: "L" } })
  assert.deepEqual(second, { id: first.id, username: "ada.2", lastName: "L", userStatus: 0 })
  await assert.rejects(ada.updateUser({ ...at("ada.2"), body: { id: 1 } }), refusedAs("invalid-body"))
  await loggedIn("ada.2")
})

test("a renamed user is found under the new name only, and remains logged in", async () => {
  const ada = await registered("ada.3")
  const taken = { username: "user1", currentPassword: password }
  await assert.rejects(ada.updateUser({ ...at("ada.3"), body: taken }), refusedAs("user-exists"))
  await ada.updateUser({ ...at("ada.3"), body: { username: "ADA.3", currentPassword: password } })
  await ada.updateUser({ ...at("ada.3"), body: { username: "ada.4", currentPassword: password } })
  assert.equal((await ada.getUserByName(at("ada.4"))).value.username, "ada.4")
  await assert.rejects(ada.getUserByName(at("ada.3")), refusedAs("user-not-found"))
  await registered("ada.3")
})

test("a new password ends every session from the next request on, and the old one is refused", async () => {
  const [laptop, phone] = [await registered("ada.5"), await loggedIn("ada.5")]
  await phone.getUserByName(at("ada.5"))
  await laptop.updateUser({ ...at("ada.5"), body: { password: "another horse", currentPassword: password } })
  for (const client of [laptop, phone])
    await assert.rejects(client.getUserByName(at("ada.5")), refusedAs("unauthorized"))
  await assert.rejects(loggedIn("ada.5"), refusedAs("invalid-credentials"))
  await loggedIn("ada.5", "another horse")
})

test("a deleted user is unknown from the next request on, and only their id is kept", async () => {
  const ada = await registered("ada.6")
  const { value: order } = await ada.placeOrder({ body: { petId: 1 } })
  const { id } = (await ada.getUserByName(at("ada.6"))).value
  await ada.deleteUser({ ...at("ada.6"), body: { currentPassword: password } })
  await assert.rejects(ada.getUserByName(at("ada.6")), refusedAs("unauthorized"))
  await assert.rejects(staff.getUserByName(at("ada.6")), refusedAs("user-not-found"))
  const inOrder = (await staff.listUsers({ query: { sort: "id", limit: 3 } })).value.map((user) => user.id)
  assert.deepEqual(inOrder, [1, 2, 3])
  assert.ok((await staff.listUsers()).value.every((user) => user.id !== id))
  assert.equal((await staff.getOrderById({ params: { orderId: order.id } })).value.petId, 1)

  const heir = await registered("ada.6")
  await assert.rejects(heir.getOrderById({ params: { orderId: order.id } }), refusedAs("order-not-found"))
})

test("a role changes what an open session may do from the next request on", async () => {
  const ada = await registered("ada.7")
  const body = { name: "Rex", photoUrls: [] }
  await assert.rejects(ada.addPet({ body }), refusedAs("forbidden"))
  await assert.rejects(ada.getOrderById({ params: { orderId: 1 } }), refusedAs("order-not-found"))

  assert.equal((await staff.grantRole({ params: { username: "ada.7", role: "staff" } })).value.role, "staff")
  await ada.addPet({ body })
  assert.equal((await ada.getOrderById({ params: { orderId: 1 } })).value.id, 1)
  await assert.rejects(ada.grantRole({ params: { username: "ada.7", role: "admin" } }), refusedAs("forbidden"))

  await staff.grantRole({ params: { username: "ada.7", role: "customer" } })
  await assert.rejects(ada.addPet({ body }), refusedAs("forbidden"))
})

test("staff change customers but not higher roles; admins change all users", async () => {
  const [clerk, boss] = [await registered("clerk.1"), await registered("boss.1")]
  await staff.grantRole({ params: { username: "clerk.1", role: "staff" } })
  await staff.grantRole({ params: { username: "boss.1", role: "admin" } })
  await clerk.updateUser({ ...at("user10"), body: { firstName: "x", email: "email10@test.com" } })
  assert.equal((await clerk.getRole(at("boss.1"))).value.role, "admin")
  await assert.rejects(clerk.updateUser({ ...at("boss.1"), body: { firstName: "x" } }), refusedAs("role-missing"))
  await assert.rejects(clerk.deleteUser(at("boss.1")), refusedAs("role-missing"))
  await boss.updateUser({ ...at("clerk.1"), body: { firstName: "y" } })
  await boss.grantRole({ params: { username: "clerk.1", role: "customer" } })
})

test("keys, applications and webhooks of a person end when the role that allowed them does, or the person is deleted", async () => {
  const boss = await registered("boss.2")
  const role = (name: "admin" | "staff") => staff.grantRole({ params: { username: "boss.2", role: name } })
  const keyOf = async (client: typeof boss, scopes: ("admin" | "read:pets")[]) =>
    petstore.as((await client.createKey({ body: { name: "k", scopes } })).value.secret)
  const read = (client: typeof boss) => client.getPetById({ params: { petId: 1 } })

  await role("admin")
  const [wide, narrow] = [await keyOf(boss, ["admin", "read:pets"]), await keyOf(boss, ["read:pets"])]
  await Promise.all([read(wide), read(narrow)])
  const listens = await boss.createWebhook({ body: { url: "http://127.0.0.1:9/", events: ["pet.created"] } })
  await role("staff")
  assert.equal(await petstore.store.webhooks.read(listens.value.id), undefined)
  await assert.rejects(read(wide), refusedAs("unauthorized"))
  await read(narrow)
  await staff.deleteUser(at("boss.2"))
  await assert.rejects(read(narrow), refusedAs("unauthorized"))
})

test("staff list users newest first, in pages", async () => {
  const { value, headers } = await staff.listUsers({ query: { limit: 3 } })
  assert.equal(value.length, 3)
  assert.ok(value.every(({ id }, n) => n === 0 || id < (value[n - 1]?.id ?? 0)))
  assert.match(headers.get("link") ?? "", /rel="next"/)
})

test("concurrent registrations of one name create one user", async () => {
  const tries = Array.from({ length: 8 }, (_, n) =>
    staff.createUser({ body: { username: n % 2 ? "Same.Name" : "same.name", password } }),
  )
  const outcomes = await Promise.allSettled(tries)
  assert.equal(outcomes.filter(({ status }) => status === "fulfilled").length, 1)
  for (const outcome of outcomes)
    if (outcome.status === "rejected") assert.ok(refusedAs("user-exists")(outcome.reason), String(outcome.reason))
})

test("a failed registration leaves no account", async () => {
  const accounts = async () => {
    let id = 1
    while (await petstore.store.accounts.read(id)) id++
    return id
  }
  const before = await accounts()
  await assert.rejects(
    staff.createUsersWithListInput({
      body: [
        { username: "half.1", password },
        { id: 1, username: "half.2", password },
      ],
    }),
    refusedAs("user-exists"),
  )
  assert.equal(await accounts(), before)
})

test("the documented users of the sandbox keep name, password and role, also in a named sandbox and below /v2; other users do not", async () => {
  const known = refusedAs("well-known-user")
  const named = petstore.as("special-key", { url: `${petstore.url}/s/people` })
  for (const client of serverUrl === undefined ? [staff, named] : [staff]) {
    for (const [username, lower] of [
      ["user1", undefined],
      ["USER10", "customer"],
      ["admin", "staff"],
    ] as const) {
      await assert.rejects(client.deleteUser(at(username)), known, username)
      await assert.rejects(client.updateUser({ ...at(username), body: { username: `${username}-2` } }), known, username)
      if (lower) await assert.rejects(client.grantRole({ params: { username, role: lower } }), known, username)
      if (lower !== "staff")
        await assert.rejects(client.resetPassword({ ...at(username), body: { password: "another" } }), known, username)
    }
    const { value: user1 } = await client.getUserByName(at("user1"))
    const record = { ...user1, firstName: "One", password: "password1" }
    assert.equal((await client.updateUser({ ...at("user1"), body: record })).value.firstName, "One")
    await client.grantRole({ params: { username: "user1", role: "admin" } })
    await client.grantRole({ params: { username: "user1", role: "customer" } })
    await client.deleteUser(at("user2"))
  }
  const token = (await staff.logIn({ body: { username: "admin", password: "admin" } })).value
  const admin = petstore.withToken(token)
  const body = { password: "mine", currentPassword: "admin" }
  await assert.rejects(admin.updateUser({ ...at("admin"), body }), known)
  const deleted = await fetch(`${petstore.url}/v2/user/admin`, {
    method: "DELETE",
    headers: { api_key: "special-key" },
  })
  assert.equal(deleted.status, 409)
  await staff.logIn({ body: { username: "admin", password: "admin" } })
})
