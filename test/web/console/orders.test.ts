import assert from "node:assert/strict"
import { describe, test } from "node:test"
import { appoint, signedIn } from "../../harness/console.ts"
import { newPet } from "../../harness/samples.ts"
import { before, usePetstore } from "../../harness/use.ts"

const petstore = usePetstore()
before(() => appoint(petstore))
const admin = () => petstore.as("special-key")
const statusOf = async (petId: number) => (await admin().getPetById({ params: { petId } })).value.status

describe("orders in the console", () => {
  test("a customer orders a pet, staff approve and deliver it, and both see the status", async () => {
    const petId = await newPet(admin(), { name: "Ordered" })
    const customer = await signedIn(petstore, "customer")
    assert.match((await customer.go(`/console/pets/${petId}`)).html, new RegExp(`/orders/new\\?petId=${petId}">Order<`))
    assert.match((await customer.go(`/console/orders/new?petId=${petId}`)).html, /Order Ordered/)
    const placed = await customer.submit({
      petId: `${petId}`,
      quantity: "2",
      shipDate: "2030-01-02T03:04",
      action: "place",
    })
    assert.match(placed.html, /Order \d+ was placed/)
    assert.match(placed.html, /<time datetime="2030-01-02T03:04:00Z"/)
    assert.doesNotMatch(placed.html, /Approve/)
    assert.equal(await statusOf(petId), "pending")

    const staff = await signedIn(petstore, "staff")
    await staff.go(placed.url)
    assert.match((await staff.submit({ action: "approve" })).html, /is approved/)
    assert.match((await staff.submit({ action: "deliver" })).html, /is delivered/)
    assert.equal(await statusOf(petId), "sold")
    assert.match((await customer.go(placed.url)).html, /class="badge good">delivered/)
    assert.match(
      (await staff.submit({ action: "approve" })).html,
      /role="alert">Order \d+ is delivered and cannot change/,
    )
  })

  test("a customer sees only their own orders and cannot approve them", async () => {
    const customer = await signedIn(petstore, "customer")
    const { html } = await customer.go("/console/orders")
    assert.match(html, /Your orders/)
    assert.match(html, /Order 1</)
    assert.doesNotMatch(html, /Order 2</)
    assert.equal((await customer.go("/console/orders/2")).status, 404)
    await customer.go("/console/orders/1")
    assert.equal((await customer.submit({ action: "approve" })).status, 403)
    const elsewhere = customer.submitTo("/console/orders/2", { action: "cancel" })
    assert.equal((await elsewhere).status, 404)
    assert.equal((await admin().getOrderById({ params: { orderId: 1 } })).value.status, "placed")
  })

  test("are cancelled, which makes the pet available again", async () => {
    const petId = await newPet(admin(), { name: "Cancelled" })
    const customer = await signedIn(petstore, "customer")
    await customer.go("/console/orders/new")
    await customer.submit({ petId: `${petId}`, quantity: "1", shipDate: "", action: "place" })
    const gone = await customer.submit({ action: "cancel" })
    assert.match(gone.html, /was deleted/)
    assert.equal(gone.url.pathname, "/console/orders")
    assert.equal(await statusOf(petId), "available")
  })

  test("are filtered, and errors are shown at their fields with the input", async () => {
    const staff = await signedIn(petstore, "staff")
    const { html } = await staff.go("/console/orders?status=approved&petId=6")
    assert.match(html, /Order 2</)
    assert.doesNotMatch(html, /Order 3</)
    assert.match((await staff.go("/console/orders?petId=999")).html, /No orders match/)
    assert.match(
      (await staff.go("/console/orders?petId=cat")).html,
      /id="petId-error" role="alert">This must be an integer/,
    )
    await staff.go("/console/orders/new")
    const wrong = await staff.submit({ petId: "12345678", quantity: "0", shipDate: "soon", action: "place" })
    assert.equal(wrong.status, 422)
    assert.match(wrong.html, /id="[\w-]+-quantity-error">Quantity must/)
    assert.match(wrong.html, /id="[\w-]+-shipDate-error">Ship date must/)
    assert.match(wrong.html, /name="petId" type="number" value="12345678"/)
    const sold = await staff.submit({ petId: "5", quantity: "1", shipDate: "", action: "place" })
    assert.equal(sold.status, 409)
    assert.match(sold.html, /Pet 5 is sold/)
    const gone = await staff.submit({ petId: "12345678", quantity: "1", shipDate: "", action: "place" })
    assert.match(gone.html, /role="alert">Id of the pet must be the id of a pet in the store\.</)
  })

  test("continue on the next page, and mark deleted pets", async () => {
    const made = []
    for (let n = 0; n < 26; n++) {
      const petId = await newPet(admin(), { name: `Gone ${n}` })
      made.push((await admin().placeOrder({ body: { petId } })).value)
    }
    const [first] = made
    const params = { orderId: first?.id ?? 0 }
    for (const status of ["approved", "delivered"] as const) await admin().patchOrder({ params, body: { status } })
    await admin().deletePet({ params: { petId: first?.petId ?? 0 } })
    const staff = await signedIn(petstore, "staff")
    const page = await staff.go("/console/orders")
    const next = /<a href="([^"]+)" rel="next"/.exec(page.html)?.[1]?.replaceAll("&amp;", "&") ?? ""
    assert.match(
      (await staff.go(next)).html,
      new RegExp(`Order ${first?.id}</a></td><td[^>]*><span class="clamp">${first?.petId} \\(deleted\\)`),
    )
    assert.match((await staff.go(`/console/orders/${first?.id}`)).html, /\(deleted\)/)
  })
})
