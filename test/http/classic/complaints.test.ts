import assert from "node:assert/strict"
import { describe, test } from "node:test"
import { sender } from "../../harness/send.ts"
import { usePetstore } from "../../harness/use.ts"

const petstore = usePetstore()

/** A request like one of the public petstore's clients. */
const send = sender(petstore)

const classicUser = {
  id: 10_000,
  username: "theUser",
  firstName: "John",
  lastName: "James",
  email: "john@email.com",
  password: "12345678",
  phone: "12345",
  userStatus: 1,
}

describe("known complaints about the public petstore do not apply here", () => {
  test("a user without a username is refused and breaks nothing", async () => {
    for (const user of [
      { ...classicUser, username: undefined },
      { ...classicUser, username: "" },
      {},
      { username: null },
    ])
      assert.equal((await send("POST", "/user", user)).status, 422)
    assert.equal((await send("POST", "/user/createWithList", [classicUser, { password: "12345678" }])).status, 422)
    assert.equal((await send("GET", "/user/undefined")).status, 404)
    assert.equal((await send("GET", "/user")).value.length, 11)
    assert.equal((await send("GET", "/user/login?username=user1&password=password1")).status, 200)
  })

  test("the classic user is returned as it was sent, without the password", async () => {
    const { status, value } = await send("POST", "/user", classicUser)
    const { password, ...shown } = classicUser
    assert.deepEqual({ status, value }, { status: 200, value: shown })
    assert.deepEqual((await send("GET", "/user/theUser")).value, value)
    assert.equal((await send("PUT", "/user/theUser", { ...classicUser, firstName: "Jim" })).value.firstName, "Jim")
    assert.ok(password)
  })

  test("an order without status does not break the inventory, and no other order does", async () => {
    const { value: before } = await send("GET", "/store/inventory")
    assert.equal((await send("POST", "/store/order", { petId: 1 })).status, 200)
    for (const odd of [{ status: "" }, { status: "asdf" }, { complete: "true" }]) {
      const { status, value } = await send("POST", "/store/order", { petId: 2, ...odd })
      assert.deepEqual(
        { status, pointer: value.errors[0].pointer },
        { status: 422, pointer: `/${Object.keys(odd)[0]}` },
      )
    }
    await send("POST", "/store/order", { id: 10, petId: 2, quantity: 7, status: "approved", complete: true })
    const { value: after } = await send("GET", "/store/inventory")
    assert.deepEqual(after, { ...before, available: before.available - 2, pending: before.pending + 2 })
  })

  test("an order starts as placed, with any status and complete", async () => {
    const order = { id: 11, petId: 7, quantity: 7, shipDate: "2026-01-02T03:04:05.000Z" }
    const { value } = await send("POST", "/store/order", { ...order, status: "delivered", complete: true })
    assert.deepEqual(value, { ...order, status: "placed", complete: false })
  })

  test("a ship date in the public petstore's format is accepted, and returned in RFC 3339", async () => {
    const order = { petId: 8, shipDate: "2026-01-02T03:04:05.000+0000" }
    const { value } = await send("POST", "/store/order", order)
    assert.equal(value.shipDate, "2026-01-02T03:04:05.000+00:00")
    await send("DELETE", `/store/order/${value.id}`)
  })

  test("an order for a pet that is deleted or never existed is refused", async () => {
    await send("DELETE", "/pet/10")
    for (const petId of [10, 198772]) {
      const { status, value } = await send("POST", "/store/order", { petId })
      assert.deepEqual(
        { status, code: value.code, pointer: value.errors[0].pointer },
        { status: 422, code: "invalid-body", pointer: "/petId" },
      )
    }
  })

  test("the login response is valid JSON, with the two classic headers", async () => {
    const { value, headers } = await send("GET", "/user/login?username=user2&password=password2")
    assert.equal(typeof value, "string")
    assert.ok(Number(headers.get("x-rate-limit")) > 0)
    assert.ok(Date.parse(headers.get("x-expires-after") ?? "") > petstore.clock.now())
  })

  test("wrong credentials are 400, not a login", async () => {
    for (const query of ["username=user1&password=wrong", "username=unknown&password=x", "username=&password="]) {
      const { status, value } = await send("GET", `/user/login?${query}`)
      assert.deepEqual({ status, code: value.code }, { status: 400, code: "invalid-credentials" })
    }
    for (const query of ["", "?username=user1", "?password=password1", "?username=user1&username=user2&password=x"])
      assert.equal((await send("GET", `/user/login${query}`)).status, 400)
  })

  test("a deleted order and a deleted user are 404, and deleting them again is 404", async () => {
    await send("POST", "/store/order", { id: 12, petId: 8 })
    assert.deepEqual((await send("DELETE", "/store/order/12")).value, {
      code: 200,
      type: "success",
      message: "Order deleted",
    })
    assert.deepEqual(
      {
        status: (await send("DELETE", "/store/order/12")).status,
        detail: (await send("GET", "/store/order/12")).value.detail,
      },
      { status: 404, detail: "Order not found" },
    )
    await send("DELETE", "/user/user9")
    assert.deepEqual(
      { status: (await send("DELETE", "/user/user9")).status, detail: (await send("GET", "/user/user9")).value.detail },
      { status: 404, detail: "User not found" },
    )
  })

  test("no input to orders and users is a 500", async () => {
    const oddities = [
      null,
      0,
      -1,
      1.5,
      2 ** 53,
      1e308,
      "",
      "x",
      "\u0000",
      "🐕".repeat(3000),
      true,
      [],
      {},
      [[]],
      { a: { b: [] } },
    ]
    const statuses = new Set<number>()
    for (const odd of oddities) {
      const user = Object.fromEntries(Object.keys(classicUser).map((name) => [name, odd]))
      const order = { id: odd, petId: odd, quantity: odd, shipDate: odd, status: odd, complete: odd }
      const name = encodeURIComponent(typeof odd === "string" ? odd || "%" : JSON.stringify(odd))
      const requests: { method: string; path: string; body?: unknown }[] = [
        { method: "POST", path: "/user", body: odd },
        { method: "POST", path: "/user", body: user },
        { method: "POST", path: "/user/createWithList", body: [user, odd] },
        { method: "PUT", path: "/user/user3", body: user },
        { method: "PUT", path: `/user/${name}`, body: { firstName: "x" } },
        { method: "GET", path: `/user/${name}` },
        { method: "DELETE", path: `/user/${name}` },
        { method: "POST", path: "/user/login", body: { username: odd, password: odd } },
        { method: "GET", path: `/user/login?username=${name}&password=${name}` },
        { method: "POST", path: "/store/order", body: odd },
        { method: "POST", path: "/store/order", body: order },
        { method: "POST", path: "/store/order", body: { ...order, id: 0, petId: 9 } },
        { method: "PATCH", path: "/store/order/1", body: { status: odd } },
        { method: "GET", path: `/store/order/${name}` },
        { method: "DELETE", path: `/store/order/${name}` },
        { method: "GET", path: `/store/order?status=${name}&petId=${name}` },
      ]
      for (const { method, path, body } of requests) statuses.add((await send(method, path, body)).status)
    }
    assert.ok(
      [...statuses].every((status) => status < 500),
      [...statuses].join(),
    )
    assert.ok(statuses.size > 2)
  })
})
