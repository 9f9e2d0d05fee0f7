import assert from "node:assert/strict"
import { test } from "node:test"
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

test("no input to orders and users is a 500 (slow)", async () => {
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
