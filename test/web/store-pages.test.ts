import assert from "node:assert/strict"
import { test } from "node:test"
import { readEventStream } from "../../src/client/receiving/event-stream.ts"
import { streamsMax } from "../../src/core/api/feeds/stream-limits.ts"
import { appoint, people, signedIn } from "../harness/console.ts"
import { hostileTexts } from "../harness/hostile-texts.ts"
import { startPetstore } from "../harness/petstore.ts"
import { newPet } from "../harness/samples.ts"
import { until } from "../harness/until.ts"
import { usePetstore } from "../harness/use.ts"

const petstore = usePetstore({ streams: { checkMs: 20 } }, "one for each test")
const store = petstore.as("special-key")

const read = async (path: string, url = petstore.url) => {
  const response = await fetch(url + path, { headers: { accept: "text/html" } })
  return { status: response.status, headers: response.headers, page: await response.text() }
}
const post = (path: string, headers: Record<string, string> = {}) =>
  fetch(petstore.url + path, { method: "POST", redirect: "manual", headers })
const namesOn = (page: string) => [...page.matchAll(/<strong [^>]*>(.*?)<\/strong>/g)].map(([, name]) => name)

test("the store shows the pets of GET /pet with the same parameters", async () => {
  assert.equal(namesOn((await read("/")).page).length, 10)
  for (const [query, parameters] of [
    ["status=pending", { status: ["pending" as const] }],
    [
      "category=Cats&status=available&sort=id",
      { category: ["Cats"], status: ["available" as const], sort: "id" as const },
    ],
    ["tag=tag4", { tag: ["tag4"] }],
    ["name=LI&sort=-name", { name: "LI", sort: "-name" as const }],
    ["name=&category=&tag=&status=&sort=", {}],
  ] as const) {
    const { value } = await store.listPets({ query: parameters as object })
    assert.deepEqual(
      namesOn((await read(`/?${query}`)).page),
      value.map(({ name }) => name),
      query,
    )
  }
})

test("errors of GET /pet are shown at the form, which keeps its input", async () => {
  const { status, page } = await read("/?category=Cats&name=li")
  assert.equal(status, 400)
  assert.match(page, /role="alert">Name cannot be combined with category/)
  assert.match(page, /name="name" value="li"/)
  assert.equal((await read("/?cursor=nonsense")).status, 400)
})

test("every filter and order that the store offers leads to pets of that filter, also from a filtered list (slow)", async () => {
  await newPet(store, { name: "Rex", category: { name: "Dog" }, tags: [{ name: "brown" }] })
  for (const from of ["/", "/?category=Dog", "/?tag=brown&status=available", "/?name=re", "/?name=re&sort=-name"]) {
    const { page } = await read(from)
    const [chips = ""] = /<nav class="chips".*?<span class="sorts">.*?<\/p>/s.exec(page) ?? []
    const links = [...chips.matchAll(/href="\.\/([^"]*)"/g)].map(([, query = ""]) => query.replaceAll("&amp;", "&"))
    assert.ok(links.length > 5, from)
    for (const query of links) {
      const { status, page } = await read(`/${query}`)
      assert.equal(status, 200, `${from} to ${query}`)
      const parameters = [...new URLSearchParams(query)].map(([name, value]) => [
        name,
        ["status", "category", "tag"].includes(name) ? [value] : value,
      ])
      const { value } = await store.listPets({ query: Object.fromEntries(parameters) })
      assert.deepEqual(
        namesOn(page),
        value.map(({ name }) => name),
        query,
      )
    }
  }
})

test("category and tag combine, a chip removes its own filter, and the number of pets is shown", async () => {
  for (const tag of ["spayed", "shy"])
    await newPet(store, { name: `Dog ${tag}`, category: { name: "Dog" }, tags: [{ name: tag }] })
  const { page } = await read("/?category=Dog&tag=spayed")
  assert.deepEqual(namesOn(page), ["Dog spayed"])
  assert.match(page, /<span>1 pet, in Dog, tagged spayed<\/span>/)
  assert.match(page, /href="\.\/\?tag=spayed" aria-current="true">Dog</)
  assert.match(page, /href="\.\/\?category=Dog" aria-current="true">spayed</)
  assert.match((await read("/?category=Dog&tag=nothing")).page, />0 pets, in Dog, tagged nothing<.*No pets match\./s)
})

test("pages link through the whole list, and back (slow)", async () => {
  for (let n = 0; n < 40; n++) await newPet(store, { name: `n${n}` })
  const seen: (string | undefined)[] = []
  for (let path: string | undefined = "/?sort=id"; path !== undefined; ) {
    const { page } = await read(path)
    seen.push(...namesOn(page))
    const [, next] = /href="\.\/\?([^"]*)" rel="next"/.exec(page) ?? []
    assert.equal(/rel="prev"/.test(page), path !== "/?sort=id")
    path = next && `/?${next.replaceAll("&amp;", "&")}`
  }
  assert.equal(seen.length, 50)
  assert.equal(new Set(seen).size, 50)
})

test("a pet has a page with its image, its JSON and the command that reads it; other ids return 404", async () => {
  const { page, status } = await read("/pets/1")
  assert.equal(status, 200)
  const { text } = await store.getPetById({ params: { petId: 1 } })
  const shown = /<pre class="wrap"[^>]*>({.*?)<\/pre>/s.exec(page)?.[1]?.replaceAll("&quot;", '"') ?? ""
  assert.deepEqual(JSON.parse(shown), JSON.parse(text))
  const [, image = ""] = /<img class="image" src="\.\.(\/images\/[^"]+)"/.exec(page) ?? []
  assert.equal((await fetch(petstore.url + image)).status, 200)
  assert.ok(page.includes(`curl -H 'api_key: special-key' ${petstore.url}/api/v3/pet/1<`))
  for (const path of ["/pets/999", "/pets/0", "/pets/abc", "/pets/9007199254740993", "/pets/%3Cscript%3E"])
    assert.equal((await read(path)).status, 404, path)
})

test("the page places a real order, and a second one is refused with the reason", async () => {
  const { status, headers } = await post("/pets/1/order")
  const orderId = Number(/^\.\.\/1\?order=(\d+)$/.exec(headers.get("location") ?? "")?.[1])
  assert.equal(status, 303)
  const { value: order } = await store.getOrderById({ params: { orderId } })
  assert.deepEqual({ petId: order.petId, status: order.status }, { petId: 1, status: "placed" })
  const { page } = await read(`/pets/1?order=${orderId}`)
  assert.match(page, new RegExp(`Order #${orderId} is placed`))
  assert.doesNotMatch(page, /<form method="post"/)
  assert.doesNotMatch((await read(`/pets/2?order=${orderId}`)).page, /Order #/)
  const again = await post("/pets/1/order")
  assert.equal(again.status, 409)
  assert.match(await again.text(), /role="alert">/)
  assert.equal((await post("/pets/999/order")).status, 404)
  const logged = petstore.lines
    .map((line) => JSON.parse(line))
    .filter(({ "url.path": path }) => path === "/pets/1/order")
  assert.deepEqual(
    logged.map(({ account, key }) => ({ account, key })),
    [
      { account: 1, key: 1 },
      { account: 1, key: 1 },
    ],
    "the orders of anonymous visitors are made with the public key",
  )
})

test("pages of other sites cannot place an order", async () => {
  const refused = await post("/pets/1/order", { origin: "https://elsewhere.example" })
  assert.equal(refused.status, 403)
  assert.equal((await store.getPetById({ params: { petId: 1 } })).value.status, "available")
  const large = { method: "POST", headers: { origin: petstore.url }, body: "x".repeat(1025) }
  assert.equal((await fetch(`${petstore.url}/pets/1/order`, large)).status, 413)
  assert.equal((await post("/pets/1/order", { origin: petstore.url })).status, 303)
})

test("pages display a pet's data as text (slow)", async () => {
  for (const text of hostileTexts) {
    const petId = await newPet(store, {
      name: text.slice(0, 255),
      category: { name: text.slice(0, 100) },
      tags: [{ name: text.slice(0, 100) }],
      photoUrls: ["https://elsewhere.example/x.jpg", "x.svg"],
    })
    for (const path of [
      "/",
      `/pets/${petId}`,
      `/?name=${encodeURIComponent(text)}`,
      `/?tag=${encodeURIComponent(text)}&category=${encodeURIComponent(text)}`,
    ]) {
      const { page } = await read(path)
      const elements = page.replace(/<style>.*?<\/style>/s, "").match(/<\/?[a-z][^>]*>/gi) ?? []
      for (const element of elements) {
        assert.match(
          element,
          /^<\/?(html|head|meta|title|link|style|script|body|header|a|svg|g|path|circle|ellipse|nav|main|div|h1|h2|h3|p|ul|ol|li|img|strong|span|section|aside|form|label|input|select|option|datalist|button|pre|i|b|dl|dt|dd|code|table|thead|tbody|tr|th|td|time|details|summary|kbd)\b/i,
          element,
        )
        assert.doesNotMatch(element.replace(/"[^"]*"/g, '""'), /\son\w+\s*=|['`]/i, `${path}: ${element}`)
        assert.doesNotMatch(element, /\s(src|href|action)="(?!\.|#main")/i, `${path}: ${element}`)
      }
      assert.equal(page.match(/<script/g)?.length, 2)
      assert.match(page, /<script src="\.{1,2}\/assets\/store-[0-9a-f]{16}\.js" defer><\/script>/)
    }
    await store.deletePet({ params: { petId } })
  }
})

async function listen(query = "", init: RequestInit = {}) {
  const leave = new AbortController()
  const response = await fetch(`${petstore.url}/store/events${query}`, { ...init, signal: leave.signal })
  const events: { event: string; data: { name?: string } }[] = []
  void (async () => {
    if (!response.ok) return
    for await (const { data } of readEventStream(response.body as AsyncIterable<Uint8Array>))
      if (data !== undefined) events.push(JSON.parse(data))
  })().catch(() => undefined)
  return { status: response.status, headers: response.headers, events, leave: () => leave.abort() }
}

test("anonymous visitors get a stream of public events that starts after the page's, and none of an account", async () => {
  await petstore.worker.tick()
  const [, stream = ""] = /data-stream="\.\/store\/events(\?[^"]*)"/.exec((await read("/")).page) ?? []
  await newPet(store, { name: "Rex" })
  await post("/pets/1/order")
  const { status, headers, events, leave } = await listen(stream)
  assert.equal(status, 200)
  assert.equal(headers.get("access-control-allow-origin"), null)
  await newPet(store, { name: "last" })
  await until(() => events.some(({ data }) => data.name === "last"), "not told")
  assert.deepEqual(
    events.map(({ event, data }) => [event, data.name]),
    [
      ["pet.created", "Rex"],
      ["pet.updated", "Cat 1"],
      ["pet.created", "last"],
    ],
  )
  leave()
  const { page } = await read("/")
  assert.doesNotMatch(page, /order\.placed/)
})

test("a page from before a reset receives recent events, not none until the feed has grown", async () => {
  await petstore.worker.tick()
  const { status, events, leave } = await listen("?after=evt_9000_4f1d2c3b4a59")
  assert.equal(status, 200)
  await newPet(store, { name: "after the reset" })
  await until(() => events.some(({ data }) => data.name === "after the reset"), "not told")
  leave()
})

test("anonymous visitors have a few streams per address, and cannot request old events (slow)", async () => {
  for (let n = 0; n < 210; n++) await newPet(store, { name: `n${n}` })
  await petstore.worker.tick()
  const { events, leave } = await listen("?after=evt_1_000000000000")
  await until(() => events.at(-1)?.data.name === "n209", "not told")
  assert.equal(events.length, 200)
  const streams = await Promise.all(Array.from({ length: streamsMax.perAddress - 1 }, () => listen()))
  const refused = await listen()
  assert.equal(refused.status, 429)
  assert.match(refused.headers.get("retry-after") ?? "", /^\d+$/)
  for (const { leave } of streams) leave()
  leave()
})

const production = { PETSTORE_PROFILE: "production", PETSTORE_PUBLIC_URL: "https://pets.example" }

test("the store of a sandbox lists its keys, and people who can sign in with the password beside them", async () => {
  const { page } = await read("/")
  const rows = [...page.matchAll(/<tr><td><code>([^<]+)<\/code><\/td><td><code>([^<]+)<\/code><\/td>/g)]
  assert.equal(rows.length, 3)
  for (const [, username = "", password = ""] of rows)
    assert.equal(typeof (await store.logIn({ body: { username, password } })).value, "string")
  assert.ok(page.includes("<code>free-key</code>"))
})

test("in production the store is off by default: / redirects to the console, and pages return 404", async () => {
  await using own = await startPetstore({ env: production })
  const entrance = await fetch(own.url, { redirect: "manual" })
  assert.deepEqual(
    { status: entrance.status, location: entrance.headers.get("location") },
    { status: 302, location: "./console" },
  )
  for (const path of ["/pets/1", "/store/events"]) assert.equal((await read(path, own.url)).status, 404)
})

test("in production a public store shows pets, but no key, and orders after sign-in", async () => {
  await using own = await startPetstore({ env: { ...production, PETSTORE_PUBLIC_STORE: "on" } })
  const petId = await newPet(own.as(own.firstKey as string), { name: "Rex" })
  for (const path of ["/", `/pets/${petId}`]) {
    const { status, page } = await read(path, own.url)
    assert.equal(status, 200)
    assert.ok(page.includes("Rex") && page.includes("YOUR_KEY") && page.includes("https://pets.example/api/v3/pet"))
    for (const text of ["special-key", "password10", "andbox", 'method="post"']) assert.ok(!page.includes(text), text)
  }
  const ordered = await fetch(`${own.url}/pets/${petId}/order`, { method: "POST" })
  assert.match(ordered.url, /\/console\/sign-in$/)
  const { value: after } = await own.as(own.firstKey as string).getPetById({ params: { petId } })
  assert.equal(after.status, "available")
})

test("a signed-in visitor orders for themselves, sees the order in the console, and staff can edit the pet", async () => {
  await appoint(petstore)
  const petId = await newPet(store, { name: "Rex" })
  const customer = await signedIn(petstore, "customer")
  const page = await customer.go(`/pets/${petId}`)
  assert.match(page.html, /Orders in the name of/)
  assert.doesNotMatch(page.html, />Edit</)
  const ordered = await customer.go(`/pets/${petId}/order`, { method: "POST", headers: { origin: petstore.url } })
  const [, orderId = ""] = /console\/orders\/(\d+)/.exec(ordered.html) ?? []
  const { value: record } = await store.getOrderRecord({ params: { orderId: Number(orderId) } })
  assert.equal(record.username, people.customer)
  assert.match((await customer.go(`/console/orders/${orderId}`)).html, />Rex</)
  assert.match(
    (await (await signedIn(petstore, "staff")).go(`/pets/${petId}`)).html,
    new RegExp(`console/pets/${petId}">Edit<`),
  )
  assert.match((await read(`/pets/${petId}`)).page, />Sign in</)
})

test("a page that knows its visitor is stored by no shared cache", async () => {
  const customer = await signedIn(petstore, "customer")
  for (const path of ["/", "/pets/1"])
    assert.match((await customer.go(path)).headers.get("cache-control") ?? "", /private|no-store/, path)
})

test("the sandbox's store can be switched off, and only on and off are valid", async () => {
  await using own = await startPetstore({ env: { PETSTORE_PUBLIC_STORE: "off" } })
  assert.equal((await fetch(own.url, { redirect: "manual" })).status, 302)
  await assert.rejects(startPetstore({ env: { PETSTORE_PUBLIC_STORE: "yes" } }), /must be on or off/)
})
