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

  test("explains itself when nothing is searched or found, for any text", async () => {
    assert.match((await search("staff", "")).html, /Search for the id of a pet/)
    const texts = [...hostileTexts, "0", "-1", "1e3", "9".repeat(16), "a".repeat(300), "user\0", "/", "%"]
    for (const text of texts) assert.match((await search("admin", text)).html, /Nothing was found|Results for/)
    for (const text of hostileTexts) requireAsText((await search("admin", text)).html, text.trim(), "the search")
  })
})
