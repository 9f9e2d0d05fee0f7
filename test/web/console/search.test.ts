import assert from "node:assert/strict"
import { describe, test } from "node:test"
import { appoint, signedIn } from "../../harness/console.ts"
import { hostileTexts, requireAsText } from "../../harness/hostile-texts.ts"
import { newPet } from "../../harness/samples.ts"
import { before, usePetstore } from "../../harness/use.ts"

const petstore = usePetstore()
before(() => appoint(petstore))
const api = petstore.as("special-key")

/** The links of the results, without those of the frame. */
async function search(role: "customer" | "staff" | "admin", text: string): Promise<{ html: string; links: string[] }> {
  const visitor = await signedIn(petstore, role)
  const { status, html } = await visitor.go(`/console/search?${new URLSearchParams({ q: text })}`)
  assert.equal(status, 200)
  const main = html.slice(html.indexOf("<main"))
  return { html, links: [...main.matchAll(/href="\/console([^"]*)"/g)].map(([, path = ""]) => path) }
}

describe("the search of the console", () => {
  test("is a form in the header of every page, which keeps the text", async () => {
    const visitor = await signedIn(petstore, "customer")
    for (const path of ["/console", "/console/pets/1"])
      assert.match((await visitor.go(path)).html, /<header>.*action="\/console\/search".*name="q".*<\/header>/s)
    assert.match((await search("customer", "Sear")).html, /name="q" value="Sear"/)
  })

  test("finds a pet and an order by id, and pets by the beginning of their names", async () => {
    const petId = await newPet(api, { name: "Searched One" })
    const other = await newPet(api, { name: "searched two" })
    assert.deepEqual((await search("staff", "SEARCHED ")).links, [`/pets/${petId}`, `/pets/${other}`])
    assert.deepEqual((await search("staff", String(petId))).links, [`/pets/${petId}`])
    const { value: order } = await api.placeOrder({ body: { petId } })
    assert.ok((await search("staff", ` ${order.id} `)).links.includes(`/orders/${order.id}`))
  })

  test("leads to the list when more pets have the name", async () => {
    for (let n = 0; n < 11; n++) await newPet(api, { name: `Crowd ${n}` })
    const { links } = await search("staff", "crowd")
    assert.equal(links.length, 11)
    assert.equal(links[0], "/pets?name=crowd")
  })

  test("finds users by name for staff, and for customers only what they may see", async () => {
    assert.deepEqual((await search("staff", "user4")).links, ["/users/named/user4"])
    assert.match((await search("customer", "user4")).html, /Nothing was found/)
    const petId = await newPet(api, { name: "Of staff" })
    const { value: order } = await api.placeOrder({ body: { petId } })
    assert.equal((await search("customer", String(order.id))).links.includes(`/orders/${order.id}`), false)
  })

  test("finds keys, applications, webhooks, accounts and events, as far as the visitor may see them", async () => {
    const admin = await signedIn(petstore, "admin")
    await admin.go("/console/accounts/1")
    await admin.submit({ action: "act" })
    await api.createKey({ body: { name: "CI of the shop", scopes: ["read:pets"] } })
    await api.createWebhook({
      body: { url: "http://127.0.0.1:9/ci", events: ["pet.created"], description: "CI receiver" },
    })
    const find = async (text: string) =>
      (await admin.go(`/console/search?${new URLSearchParams({ q: text })}`)).html.replace(/^.*<main/s, "")
    assert.match(await find("ci "), /<h2>Keys<\/h2>.*CI of the shop.*<h2>Webhooks<\/h2>.*CI receiver/s)
    assert.match(await find("sample"), /<h2>Applications<\/h2>/)
    assert.match(await find("SANDBOX ENTER"), /<h2>Accounts<\/h2>.*accounts\/1"/s)
    const [event] = (await api.listEvents({ query: { sort: "-id", limit: 1 } })).value
    assert.match(await find(event?.id.slice(0, -3) ?? ""), new RegExp(`<code>${event?.id}</code>`))
    assert.doesNotMatch((await search("customer", "sandbox enterprise")).html, /accounts\/1"/)
  })

  test("finds operations of the reference and errors", async () => {
    assert.match((await search("customer", "addpet")).html, /docs#tag\/pet\/POST\/pet">addPet/)
    assert.match((await search("customer", "pet-not-found")).html, /problems\/pet-not-found">/)
  })

  test("explains itself when nothing is searched or found, for any text (slow)", async () => {
    assert.match((await search("staff", "")).html, /Search for the id of a pet/)
    assert.match((await search("admin", "")).html, /an event, a request, an application/)
    assert.match((await search("customer", "")).html, /an event, an application/)
    const texts = [...hostileTexts, "0", "-1", "1e3", "9".repeat(16), "a".repeat(300), "user\0", "/", "%"]
    for (const text of texts) assert.match((await search("admin", text)).html, /Nothing was found|Results for/)
    for (const text of hostileTexts) requireAsText((await search("admin", text)).html, text.trim(), "the search")
  })
})
