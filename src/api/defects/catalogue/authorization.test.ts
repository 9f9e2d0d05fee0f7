import assert from "node:assert/strict"
import { test } from "node:test"
import { defective, type Outcome, ok, problem, seen } from "../../../../test/harness/defective.ts"
import { exchangeOf } from "../../../../test/harness/exchange.ts"
import { principalOf } from "../../../../test/harness/principal.ts"
import type { Exchange } from "../../../server/exchange/exchange.ts"
import { authorizationDefects } from "./authorization.ts"

const { caller } = principalOf(7)
const customer = { ...caller, user: { id: 1, username: "a", role: "customer", accountId: 7 } }
const asStaff = ({ caller: by }: Exchange) =>
  JSON.stringify(by).includes('"staff"') ? ok([1]) : problem("order-not-found")

test("customers are taken for staff", async () => {
  for (const [id, operation] of [
    ["order-of-others-readable", "getOrderById"],
    ["order-of-others-deletable", "deleteOrder"],
  ] as const) {
    assert.deepEqual(await seen(id, operation, { given: { caller: customer } }, asStaff), [1])
    assert.equal(await seen(id, operation, { given: { caller } }, asStaff), "order-not-found")
  }
  const revealed = (outcome: Outcome) =>
    seen("existence-revealed", "getOrderById", { given: { caller: customer } }, outcome)
  assert.equal(await revealed(asStaff), "forbidden")
  assert.equal(await revealed(problem("order-not-found")), "order-not-found")
  assert.deepEqual(await revealed(ok([1])), [1])
})

const asAdmin =
  (code: string) =>
  ({ request: { headers } }: Exchange) =>
    headers.api_key === "special-key" && headers.authorization === undefined ? ok([1]) : problem(code)

test("a refusal of a credential becomes the access of an administrator", async () => {
  const authorization = "Bearer a"
  assert.deepEqual(
    await seen("scope-unchecked", "deletePet", { headers: { authorization } }, asAdmin("forbidden")),
    [1],
  )
  assert.equal(await seen("scope-unchecked", "deletePet", {}, asAdmin("unauthorized")), "unauthorized")
  assert.deepEqual(await seen("limit-not-enforced", "addPet", {}, asAdmin("quota-exceeded")), [1])
  for (const [id, operation] of [
    ["anonymous-read", "getPetById"],
    ["anonymous-delete", "deletePet"],
  ] as const) {
    assert.deepEqual(await seen(id, operation, {}, asAdmin("unauthorized")), [1])
    assert.equal(await seen(id, operation, { headers: { authorization } }, asAdmin("unauthorized")), "unauthorized")
    assert.equal(await seen(id, operation, { headers: { api_key: "a" } }, asAdmin("unauthorized")), "unauthorized")
  }
})

test("a key that was accepted once is accepted for ever", async () => {
  const ask = defective("revoked-key-accepted", "getPetById")
  const by = (key: string, outcome: Outcome, given: Partial<Exchange> = {}) =>
    ask({ headers: { api_key: key }, given }, outcome)
  const revoked = asAdmin("unauthorized")
  assert.equal((await by("a", revoked)).code, "unauthorized")
  await by("b", ok([]))
  assert.equal((await by("b", revoked)).code, "unauthorized", "without a caller it was not accepted")
  await by("a", ok([]), { caller })
  assert.deepEqual((await by("a", revoked)).shown, [1])
  assert.equal((await by("a", problem("forbidden"))).code, "forbidden")
})

test("an order that is sent as complete is shown as delivered from then on", async () => {
  const { inside = {} } = authorizationDefects["mass-assignment"]
  const memory = new Map<string, unknown>()
  const order = { id: 3, status: "placed", complete: false }
  const show = async (operation: string, received: object, shown = order) => {
    const exchange = exchangeOf("/api/v3/store/order")
    exchange.received = Buffer.from(JSON.stringify(received))
    const response = await inside[operation]?.(exchange, async () => ok(shown), memory)
    return JSON.parse(String(response?.body))
  }
  assert.deepEqual([await show("placeOrder", {}), await show("getOrderById", {})], [order, order])
  const delivered = { ...order, status: "delivered", complete: true }
  assert.deepEqual(
    [await show("placeOrder", { complete: true }), await show("getOrderById", {})],
    [delivered, delivered],
  )
  const other = { ...order, id: 4 }
  assert.deepEqual(await show("getOrderById", {}, other), other)
})
