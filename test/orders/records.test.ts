import assert from "node:assert/strict"
import { test } from "node:test"
import { refusedAs } from "../harness/petstore.ts"
import { newOrder, newPet, newUser } from "../harness/samples.ts"
import { usePetstore } from "../harness/use.ts"

const petstore = usePetstore()
const staff = petstore.as("special-key")
const free = petstore.as("free-key")

async function loggedIn(username: string, password: string) {
  return petstore.withToken((await staff.logIn({ body: { username, password } })).value)
}

const recordOf = async (orderId: number) => (await staff.getOrderRecord({ params: { orderId } })).value

test("a record names the time, the account and the person of an order, and the order keeps the classic members", async () => {
  const user = await loggedIn("user3", "password3")
  const placedAt = new Date(petstore.clock.now()).toISOString()
  const id = await newOrder(user, await newPet(staff))
  const { value: order } = await staff.getOrderById({ params: { orderId: id } })
  const { value: account } = await user.getOwnAccount()
  const origin = { placedAt, accountId: account.id, accountName: "user3", username: "user3" }
  assert.deepEqual(await recordOf(id), { ...order, ...origin })
  petstore.clock.advance(60_000)
  await staff.patchOrder({ params: { orderId: id }, body: { status: "approved" } })
  assert.deepEqual(await recordOf(id), { ...order, status: "approved", ...origin })
})

test("an order of a program has no username, nor has that of a deleted user, whose account loses the name too", async () => {
  const byProgram = await recordOf(await newOrder(free, await newPet(staff)))
  assert.ok(!("username" in byProgram))
  assert.ok(byProgram.accountName)

  const { username, password } = await newUser(staff)
  const leaver = await loggedIn(username, password)
  const id = await newOrder(leaver, await newPet(staff))
  assert.equal((await recordOf(id)).username, username)
  await leaver.deleteUser({ params: { username }, body: { currentPassword: password } })
  const { accountName, ...left } = await recordOf(id)
  assert.ok(!("username" in left))
  assert.match(accountName ?? "", /^user \d+$/)
})

test("records are listed as orders are: customers see their own, page by page and with the total", async () => {
  const user = await loggedIn("user4", "password4")
  for (let n = 0; n < 3; n++) await newOrder(user, await newPet(staff))
  for (const caller of [user, staff])
    for (const query of [{ limit: 2 }, { sort: "id" as const }, { status: ["delivered" as const] }]) {
      const headers = { prefer: "count=exact" }
      const [orders, records] = [
        await caller.listOrders({ query }, { headers }),
        await caller.listOrderRecords({ query }, { headers }),
      ]
      assert.deepEqual(
        records.value.map(({ id, status }) => ({ id, status })),
        orders.value.map(({ id, status }) => ({ id, status })),
      )
      assert.equal(records.headers.get("total-count"), orders.headers.get("total-count"))
      assert.equal(records.headers.has("link"), orders.headers.has("link"))
    }
  const foreign = await newOrder(free, await newPet(staff))
  await assert.rejects(user.getOrderRecord({ params: { orderId: foreign } }), refusedAs("order-not-found"))
})
