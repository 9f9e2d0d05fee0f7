import assert from "node:assert/strict"
import { test } from "node:test"
import { expireOrders } from "../../src/core/domain/orders/expire.ts"
import { sender } from "../harness/send.ts"
import { usePetstore } from "../harness/use.ts"

const petstore = usePetstore()
const send = sender(petstore)
const sendV2 = sender(petstore, "/v2")

const postPet = async (status = "available") =>
  (await send("POST", "/pet", { name: "Rex", photoUrls: [], status })).value as { id: number; status: string }
const statusOf = async (id: number) => (await send("GET", `/pet/${id}`)).value.status

test("an order below v2 for an available pet reserves it, as in v3, and a second one for the same pet does not", async () => {
  const { id: petId } = await postPet()
  const racing = Array.from({ length: 8 }, () => sendV2("POST", "/store/order", { petId }))
  const placed = (await Promise.all(racing)).map(({ status, value }) => [status, value.id])
  assert.deepEqual(new Set(placed.map(([status]) => status)), new Set([200]))
  assert.equal(await statusOf(petId), "pending")
  const reserved: number[] = []
  for (const [, id] of placed) {
    assert.equal((await send("DELETE", `/store/order/${id}`)).status, 200)
    if ((await statusOf(petId)) === "available" && reserved.push(id) === 1)
      await send("POST", "/store/order", { petId })
  }
  // One of them freed the pet, which the order that followed keeps.
  assert.equal(reserved.length, 1)
  assert.equal(await statusOf(petId), "pending")
})

test("an order that reserves no pet expires without changing a pet", async () => {
  const { id: petId } = await postPet("sold")
  const orders = [petId, 987_655].map((id) => sendV2("POST", "/store/order", { petId: id }))
  const ids = (await Promise.all(orders)).map(({ value }) => value.id)
  assert.ok((await expireOrders(petstore, petstore.clock.now() + 1)) >= 2)
  for (const id of ids) assert.equal((await send("GET", `/store/order/${id}`)).status, 404)
  assert.equal(await statusOf(petId), "sold")
})
