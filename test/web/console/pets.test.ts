import assert from "node:assert/strict"
import { describe, test } from "node:test"
import { appoint, signedIn } from "../../harness/console.ts"
import { startReceiver } from "../../harness/receiver.ts"
import { before, use, usePetstore } from "../../harness/use.ts"

const petstore = usePetstore()
const receiver = use(startReceiver)
before(() => appoint(petstore))
const api = petstore.as("special-key")

/** The table with this caption. */
const tableOf = (html: string, caption: string): string =>
  new RegExp(`<caption class="unseen">${caption}</caption>.*?</table>`, "s").exec(html)?.[0] ?? ""

/** A pet with an order and events, of the account that the sandbox's admin acts for, and another pet. */
async function withHistory() {
  const { value: webhook } = await api.createWebhook({
    body: { url: `${receiver.url}/hook`, description: "The shelf" },
  })
  const { value: pet } = await api.addPet({ body: { name: "Told", photoUrls: [] } })
  const { value: order } = await api.placeOrder({ body: { petId: pet.id } })
  await api.addPet({ body: { name: "Untold", photoUrls: [] } })
  await petstore.worker.idle()
  return { pet, order, webhook }
}

describe("the page of a pet", () => {
  test("lists its orders, its events and their deliveries, and no other", async () => {
    const { pet, order, webhook } = await withHistory()
    const admin = await signedIn(petstore, "admin")
    await admin.go("/console/accounts/1")
    await admin.submit({ action: "act" })
    const { html } = await admin.go(`/console/pets/${pet.id}`)
    assert.match(tableOf(html, "Orders of this pet"), new RegExp(`/orders/${order.id}"`))
    const events = tableOf(html, "Events, newest first")
    for (const kind of ["pet.created", "pet.updated", "order.placed"]) assert.ok(events.includes(kind), kind)
    assert.doesNotMatch(events, /Untold/)
    const deliveries = tableOf(html, "Deliveries of these events")
    assert.equal(deliveries.match(new RegExp(`/webhooks/${webhook.id}/deliveries/`, "g"))?.length, 3)
    assert.match(deliveries, /The shelf/)
  })

  test("says when it was added and last changed, also to customers", async () => {
    const { value: pet } = await api.addPet({ body: { name: "Aged", photoUrls: [] } })
    const added = new Date(petstore.clock.now()).toISOString()
    petstore.clock.advance(3 * 60_000)
    await api.patchPet({ params: { petId: pet.id }, body: { status: "sold" } })
    const changed = new Date(petstore.clock.now()).toISOString()
    for (const role of ["admin", "customer"] as const) {
      const { html } = await (await signedIn(petstore, role)).go(`/console/pets/${pet.id}`)
      assert.match(html, new RegExp(`<dt>Added</dt><dd><time datetime="${added}">.*3 minutes ago`))
      assert.match(html, new RegExp(`<dt>Changed</dt><dd><time datetime="${changed}">`))
    }
  })

  test("leads to all orders and events where there are more", async () => {
    const { pet } = await withHistory()
    const admin = await signedIn(petstore, "admin")
    await admin.go("/console/accounts/1")
    await admin.submit({ action: "act" })
    const all = `/console/events?petId=${pet.id}`
    assert.ok(!(await admin.go(`/console/pets/${pet.id}`)).html.includes(all))
    for (let n = 0; n < 5; n++) await api.patchPet({ params: { petId: pet.id }, body: { name: `Told ${n}` } })
    const { html } = await admin.go(`/console/pets/${pet.id}`)
    assert.ok(html.includes(all))
    assert.equal(tableOf(html, "Events, newest first").match(/<tr [^>]*><td/g)?.length, 5)
    const filtered = tableOf((await admin.go(all)).html, "Events, newest first")
    assert.equal(filtered.match(/<tr [^>]*><td/g)?.length, 8)
    assert.doesNotMatch(filtered, /Untold/)
  })

  test("shows customers their own orders, and neither events nor deliveries", async () => {
    const { pet, order } = await withHistory()
    const { html } = await (await signedIn(petstore, "customer")).go(`/console/pets/${pet.id}`)
    assert.match(html, /There are no orders of this pet/)
    assert.ok(!html.includes(`/orders/${order.id}"`))
    assert.doesNotMatch(html, /<h2>(Events|Deliveries)</)
  })
})
