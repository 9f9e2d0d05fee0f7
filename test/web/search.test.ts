import assert from "node:assert/strict"
import { describe, test } from "node:test"
import { appoint, signedIn } from "../harness/console.ts"
import { serverUrl } from "../harness/database.ts"
import { hostileTexts, requireAsText } from "../harness/hostile-texts.ts"
import { person } from "../harness/person.ts"
import { newPet } from "../harness/samples.ts"
import { keySender } from "../harness/send.ts"
import { before, usePetstore } from "../harness/use.ts"

const petstore = usePetstore()
before(() => appoint(petstore))
const api = petstore.as("special-key")

type Who = "anonymous" | "customer" | "staff" | "admin"

/** The results of a search: the page from its list on, and the addresses of its links. */
async function search(who: Who, text: string): Promise<{ html: string; links: string[] }> {
  const visitor = who === "anonymous" ? person(petstore.url) : await signedIn(petstore, who)
  const { status, html, url } = await visitor.go(`/search?${new URLSearchParams({ q: text })}`)
  assert.equal(status, 200)
  const found = html.slice(html.indexOf("<div data-found"))
  const links = [...found.matchAll(/href="([^"]*)"/g)].map(([, href = ""]) => {
    const { pathname, search, hash } = new URL(href.replaceAll("&amp;", "&"), url)
    return pathname + search + hash
  })
  return { html: found, links }
}

const linksOf = async (who: Who, text: string) => (await search(who, text)).links

describe("the search", () => {
  test("is linked from the header of every page, and its page keeps the text", async () => {
    const visitor = await signedIn(petstore, "customer")
    for (const path of ["/", "/problems", "/docs", "/console", "/console/pets/1"])
      assert.match((await visitor.go(path)).html, /<header>.*href="[^"]*\/search" data-palette.*<\/header>/s, path)
    assert.match((await visitor.go("/search?q=Sear")).html, /name="q" value="Sear"/)
  })

  test("finds a pet and an order by id, alone or after the noun, and pets by the beginning of their names", async () => {
    const petId = await newPet(api, { name: "Searched One" })
    const other = await newPet(api, { name: "searched two" })
    assert.deepEqual(await linksOf("staff", "SEARCHED "), [`/console/pets/${petId}`, `/console/pets/${other}`])
    assert.deepEqual(await linksOf("staff", String(petId)), [`/console/pets/${petId}`])
    const { value: order } = await api.placeOrder({ body: { petId } })
    for (const text of [` ${order.id} `, `order ${order.id}`, `Order #${order.id}`])
      assert.ok((await linksOf("staff", text)).includes(`/console/orders/${order.id}`), text)
    assert.deepEqual(await linksOf("staff", `pet ${petId}`), [`/console/pets/${petId}`])
    assert.deepEqual(await linksOf("staff", `order ${order.id + 9}`), [])
  })

  test("finds pets by any part of the name, categories and tags, for anonymous visitors in the store", async () => {
    const body = { name: "The great Quagga", category: { name: "Hoofed" }, tags: [{ name: "striped" }] }
    const petId = await newPet(api, body)
    for (const text of ["quag", "great q", "AGGA"]) {
      assert.deepEqual(await linksOf("anonymous", text), [`/pets/${petId}`])
      assert.deepEqual(await linksOf("staff", text), [`/console/pets/${petId}`])
    }
    assert.deepEqual(await linksOf("anonymous", "oofe"), ["/?category=Hoofed"])
    assert.deepEqual(await linksOf("staff", "stripe"), ["/console/pets?tag=striped"])
    assert.ok((await linksOf("anonymous", "dogs")).includes("/?category=Dogs"))
    assert.ok((await linksOf("anonymous", "tag1")).includes("/?tag=tag1"))
  })

  test("finds a category or tag that only old pets have by its whole name, and pets by the beginning of the name (slow)", async () => {
    const petId = await newPet(api, { name: "Ancient", category: { name: "Extinct" }, tags: [{ name: "rare" }] })
    const pets = Array.from({ length: 500 }, (_, n) => ({ name: `Later ${n}`, photoUrls: [] }))
    await api.importPets({ body: pets })
    assert.deepEqual(await linksOf("anonymous", "Extinct"), ["/?category=Extinct"])
    assert.deepEqual(await linksOf("anonymous", "rare"), ["/?tag=rare"])
    assert.deepEqual(await linksOf("anonymous", "ancien"), [`/pets/${petId}`])
    assert.deepEqual(await linksOf("anonymous", "ncient"), [])
  })

  test("finds users by name for staff, and for customers only what they may see", async () => {
    assert.deepEqual(await linksOf("staff", "user4"), ["/console/users/named/user4"])
    assert.deepEqual(await linksOf("customer", "user4"), [])
    const petId = await newPet(api, { name: "Of staff" })
    const { value: order } = await api.placeOrder({ body: { petId } })
    assert.deepEqual(await linksOf("customer", `order ${order.id}`), [])
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
      (await admin.go(`/search?${new URLSearchParams({ q: text })}`)).html.replace(/^.*<main/s, "")
    assert.match(await find("ci "), /<h2>Keys<\/h2>.*CI of the shop.*<h2>Webhooks<\/h2>.*CI receiver/s)
    assert.match(await find("sample"), /<h2>Applications<\/h2>/)
    assert.match(await find("SANDBOX ENTER"), /<h2>Accounts<\/h2>.*accounts\/1"/s)
    const [event] = (await api.listEvents({ query: { sort: "-id", limit: 1 } })).value
    assert.match(await find(event?.id.slice(0, -3) ?? ""), new RegExp(`>${event?.id}</a>`))
    assert.doesNotMatch((await search("customer", "sandbox enterprise")).html, /accounts\/1"/)
  })

  test("finds operations of the reference, and errors by code or title, or by their whole status", async () => {
    for (const who of ["anonymous", "customer"] as const) {
      assert.ok((await linksOf(who, "addpet")).includes("/docs#tag/pet/POST/pet"))
      assert.deepEqual(await linksOf(who, "pet-not-found"), ["/problems/pet-not-found"])
      assert.ok((await linksOf(who, "413")).includes("/problems/body-too-large"))
      assert.ok(!(await linksOf(who, "1")).includes("/problems/body-too-large"))
    }
  })

  test("finds no key by its scopes", async () => {
    assert.doesNotMatch((await search("admin", "manage:webhooks")).html, /<h2>Keys/)
  })

  test("finds pages and actions, all of them for an empty text, as far as the visitor may see them", async () => {
    assert.deepEqual((await linksOf("anonymous", "")).slice(0, 4), ["/", "/console", "/docs", "/problems"])
    assert.ok((await linksOf("staff", "orders")).includes("/console/orders"))
    assert.ok((await linksOf("staff", "import")).includes("/console/pets/import"))
    for (const page of ["/console/health", "/console/sandbox"]) {
      assert.ok((await linksOf("admin", "")).includes(page), page)
      assert.ok(!(await linksOf("customer", "")).includes(page), page)
    }
  })

  test("the sandbox adds its actions, its sandboxes and the requests that it has recorded, for admins", {
    skip: serverUrl && "named sandboxes need SQLite",
  }, async () => {
    await keySender(petstore, "")("GET", "/s/run-7/api/v3/pet/1")
    const sandbox = await search("admin", "run-7")
    assert.ok(sandbox.links.includes("/console/sandbox/run-7"))
    assert.match(sandbox.html, /<button[^>]*>Advance a day in run-7</)
    assert.match((await search("admin", "reset")).html, /<button[^>]*>Reset the sandbox</)
    assert.ok((await linksOf("admin", "faults")).includes("/console/sandbox#faults"))
    assert.ok((await linksOf("admin", "new sandbox")).includes("/console/sandbox#new"))
    for (const text of ["run-7", "reset", "faults"])
      assert.doesNotMatch((await search("staff", text)).html, /<button|console\/sandbox|Sandboxes/, text)
    const response = await fetch(`${petstore.url}/api/v3/pet/0`, { headers: { api_key: "special-key" } })
    const [link = ""] = await linksOf("admin", response.headers.get("x-request-id") ?? "")
    assert.match(link, /^\/console\/requests\/\d+$/)
  })

  test("explains itself when nothing is searched or found, for any text (slow)", async () => {
    const visitor = person(petstore.url)
    assert.match((await visitor.go("/search")).html, /Search for a page, a pet by its name or id/)
    const texts = [...hostileTexts, "0", "-1", "1e3", "9".repeat(16), "a".repeat(300), "user\0", "/", "%"]
    for (const who of ["anonymous", "admin"] as const)
      for (const text of texts) {
        const person = who === "admin" ? await signedIn(petstore, who) : visitor
        const { html } = await person.go(`/search?${new URLSearchParams({ q: text })}`)
        assert.match(html, /Nothing was found|Results for/)
      }
    for (const text of hostileTexts) {
      const { html } = await visitor.go(`/search?${new URLSearchParams({ q: text })}`)
      requireAsText(html, text.trim(), "the search")
    }
  })
})
