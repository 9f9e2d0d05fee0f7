import assert from "node:assert/strict"
import { describe, test } from "node:test"
import { createPetstoreClient } from "../../src/client/petstore-client.ts"
import { createSandboxClient } from "../../src/parts/sandbox/client/sandbox-client.ts"
import { serverUrl } from "../harness/database.ts"
import { person } from "../harness/person.ts"
import { startPetstore } from "../harness/petstore.ts"
import { usePetstore } from "../harness/use.ts"

describe("the pages of a named sandbox", { skip: serverUrl && "named sandboxes need SQLite" }, () => {
  const petstore = usePetstore({}, "one for each test")

  const inside = (name: string) => createPetstoreClient({ url: `${petstore.url}/s/${name}`, apiKey: "special-key" })
  const sandboxAt = (name: string) => createSandboxClient({ url: petstore.url, name })

  /** A visitor who is signed in to the service's own console as this sample user. */
  async function visitor(username: string, password: string) {
    const one = person(petstore.url)
    await one.go("/console/sign-in")
    await one.signIn(username, password)
    return one
  }

  test("a named sandbox has a store, a console and a reference of its own data", async () => {
    await inside("run-7").addPet({ body: { name: "Only inside", photoUrls: [] } })
    const anyone = person(petstore.url)
    const store = await anyone.go("/s/run-7")
    assert.equal(store.url.pathname, "/s/run-7/")
    assert.match(store.html, /Only inside/)
    assert.match(store.html, /class="area">run-7</)
    assert.doesNotMatch((await anyone.go("/")).html, /Only inside/)
    for (const path of ["/docs", "/problems", "/problems/not-found", "/pets/11", "/console/sign-in"])
      assert.equal((await anyone.go(`/s/run-7${path}`)).status, 200, path)
    const [, image = ""] = /<img[^>]* src="([^"]+)"/.exec(store.html) ?? []
    assert.equal((await fetch(new URL(image, store.url))).status, 200)
  })

  test("an administrator looks inside with one click, and both sessions last beside each other", async () => {
    await inside("run-7").addPet({ body: { name: "Only inside", photoUrls: [] } })
    const admin = await visitor("admin", "admin")
    assert.match((await admin.go("/console")).html, /name="name" value="run-7"/)
    const entered = await admin.submitTo("/console/sandbox", { action: "look", name: "run-7" })
    assert.equal(entered.url.pathname, "/s/run-7/console")
    assert.match((await admin.go("/s/run-7/console/pets")).html, /Only inside/)
    assert.doesNotMatch((await admin.go("/console/pets")).html, /Only inside/)
    assert.match((await admin.go("/s/run-7/")).html, /popovertarget="person">admin</)

    await admin.go("/s/run-7/console/pets/new")
    await admin.submit({ action: "add", name: "Added inside", photoUrls: "" })
    const { value: pets } = await inside("run-7").listPets({ query: { name: "Added inside" } })
    assert.equal(pets.length, 1)

    await admin.go("/s/run-7/console")
    await admin.submitTo("/s/run-7/console/sign-out", {})
    assert.match((await admin.go("/s/run-7/console")).url.pathname, /sign-in/)
    assert.equal((await admin.go("/console/pets")).url.pathname, "/console/pets")
  })

  test("the console of a sandbox has no pages of the process or of sandboxes, and leads back", async () => {
    await inside("run-7").getPetById({ params: { petId: 1 } })
    const admin = await visitor("admin", "admin")
    await admin.go("/console")
    const { html } = await admin.submitTo("/console/sandbox", { action: "look", name: "run-7" })
    assert.match(html, /href="[^"]*console\/sandbox\/run-7">Leave the sandbox</)
    for (const path of ["/health", "/sandbox", "/requests"])
      assert.equal((await admin.go(`/s/run-7/console${path}`)).status, 404, path)
  })

  test("pages of a sandbox are neither recorded nor counted as requests, and create no sandbox", async () => {
    await inside("run-7").getPetById({ params: { petId: 1 } })
    const anyone = person(petstore.url)
    for (const path of ["/", "/pets/1", "/console/sign-in"]) await anyone.go(`/s/run-7${path}`)
    const { value: recorded } = await sandboxAt("run-7").listRequests()
    assert.deepEqual(
      recorded.map(({ path }) => path).filter((path) => !path.includes("/sandbox/")),
      ["/api/v3/pet/1"],
    )
    assert.ok([401, 404].includes((await anyone.go("/s/unknown-1/")).status))
    const { value: sandboxes } = await createSandboxClient({ url: petstore.url }).listSandboxes()
    assert.deepEqual(
      sandboxes.map(({ name }) => name),
      ["run-7"],
    )
  })

  test("a held request is on the page of its sandbox, and continues with one click", async () => {
    const held = fetch(`${petstore.url}/s/run-7/api/v3/pet/1`, {
      headers: { api_key: "special-key", prefer: "fault=hold" },
    })
    const [one] = await sandboxAt("run-7").holds({ within: "PT30S" })
    const admin = await visitor("admin", "admin")
    const { html } = await admin.go("/console/sandbox/run-7")
    assert.match(html, /Held requests.*GET \/pet\/1.*before its operation.*in \d+ .*Release/s)
    const released = await admin.submit({ action: "release", id: String(one?.id) })
    assert.match(released.html, new RegExp(`Request ${one?.id} continues`))
    assert.doesNotMatch(released.html, /Held requests/)
    assert.equal((await held).status, 200)
    assert.match((await admin.submit({ action: "release", id: String(one?.id) })).html, /Hold not found/)
  })

  test("only an administrator looks inside, and only into a sandbox that exists", async () => {
    const customer = await visitor("user1", "password1")
    await customer.go("/console")
    assert.equal((await customer.submitTo("/console/sandbox", { action: "look", name: "run-7" })).status, 404)
    const admin = await visitor("admin", "admin")
    await admin.go("/console")
    assert.equal((await admin.submitTo("/console/sandbox", { action: "look", name: "nowhere" })).status, 404)
  })
})

test("production has no pages of sandboxes", async () => {
  await using own = await startPetstore({
    env: { PETSTORE_PROFILE: "production", PETSTORE_PUBLIC_URL: "https://pets.example" },
  })
  for (const path of ["/s/run-7", "/s/run-7/", "/s/run-7/console"])
    assert.equal((await fetch(own.url + path, { redirect: "manual" })).status, 404, path)
})
