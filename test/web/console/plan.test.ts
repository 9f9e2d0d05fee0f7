import assert from "node:assert/strict"
import { describe, test } from "node:test"
import { theOnly } from "../../../src/core/kernel/flow/the-only.ts"
import { person } from "../../harness/person.ts"
import { startPetstore } from "../../harness/petstore.ts"
import { until } from "../../harness/until.ts"
import { usePetstore } from "../../harness/use.ts"

const petstore = usePetstore({ env: { PETSTORE_PLAN_FREE: "2/minute, 100/day" } }, "one for each test")
const minuteMs = 60_000

/** A signed-in user of the sandbox whose account has the plan Free. */
async function customer(n = 1) {
  const visitor = person(petstore.url)
  await visitor.go("/console/sign-in")
  await visitor.signIn(`user${n}`, `password${n}`)
  return visitor
}
type Visitor = Awaited<ReturnType<typeof customer>>

/** Starts a download, which may not complete yet. */
const download = (visitor: Visitor) =>
  fetch(`${petstore.url}/console/pets/export?format=ndjson`, {
    headers: {
      cookie: visitor
        .cookies()
        .map(({ name, value }) => `${name}=${value}`)
        .join("; "),
    },
  })

/** Adds a number of pets. */
const addPets = (count: number) =>
  petstore.store.transaction(async (tx) => {
    for (let n = 0; n < count; n++) {
      const id = theOnly(await tx.pets.nextIds(1))
      await tx.pets.add([{ id, name: `Pet ${id}`, photoUrls: [], tags: [], status: "available" }])
    }
  })

describe("the plan of a user in the console", () => {
  test("counts forms and no pages; a form over the limit changes nothing and reports when to retry", async () => {
    const visitor = await customer()
    const order = async () => {
      await visitor.go("/console/orders/new?petId=1")
      return visitor.submit({ petId: "1", quantity: "1", shipDate: "", action: "place" })
    }
    for (let n = 0; n < 5; n++) assert.equal((await visitor.go("/console/pets")).status, 200)
    assert.match((await order()).html, /Order \d+ was placed/)
    const taken = await order()
    assert.equal(taken.status, 409)
    const refused = await order()
    assert.deepEqual(
      { status: refused.status, "retry-after": refused.headers.get("retry-after") },
      { status: 429, "retry-after": "60" },
    )
    assert.match(refused.headers.get("content-type") ?? "", /^text\/html/)
    assert.match(
      refused.html,
      /role="alert">The plan free allows 2 requests a minute; there is room again in 60 seconds/,
    )
    assert.match(refused.html, /<input[^>]+name="quantity"[^>]+value="1"/, "what was typed is gone")
    const { value: token } = await petstore
      .as("special-key")
      .logIn({ body: { username: "user1", password: "password1" } })
    await assert.rejects(petstore.withToken(token).getInventory(), /allows 2 requests a minute/)
    petstore.clock.advance(minuteMs)
    assert.equal((await order()).status, 409)
  })

  test("counts each page of an export, which waits while the minute is used up (slow)", async () => {
    await addPets(2_500)
    const visitor = await customer()
    const { body, status } = await download(visitor)
    assert.equal(status, 200)
    let text = ""
    const reading = (async () => {
      for await (const chunk of body as AsyncIterable<Uint8Array>) text += Buffer.from(chunk).toString("latin1")
    })()
    const lines = () => text.split("\n").length - 1
    await until(() => lines() >= 2_000, "the first pages did not come")
    const { html, status: other } = await visitor.go("/console/pets/export?format=ndjson")
    assert.equal(other, 503)
    assert.match(html, /You have an export running/)
    assert.equal(lines(), 2_000, "a third page came within the minute")
    petstore.clock.advance(minuteMs)
    await reading
    assert.equal(lines(), 2_510)
  })

  test("limits exports to one per user and four in total; more are refused with a page (slow)", async () => {
    await addPets(2_500)
    const people = await Promise.all([1, 2, 3, 4, 5].map(customer))
    const [first, , , , fifth] = people as [Visitor, Visitor, Visitor, Visitor, Visitor]
    // Held until they are cancelled: fetch ends the connection of a response that is garbage-collected.
    const running = await Promise.all(people.slice(0, 4).map((each) => download(each)))
    for (const { status } of running) assert.equal(status, 200)
    const refused = await fifth.go("/console/pets/export?format=csv")
    assert.deepEqual(
      { status: refused.status, "retry-after": refused.headers.get("retry-after") },
      { status: 503, "retry-after": "10" },
    )
    assert.match(refused.html, /4 exports are running, the maximum/)
    assert.match((await first.go("/console/pets/export?format=csv")).html, /You have an export running/)
    assert.equal((await fifth.go("/console/pets/export")).status, 200, "the page itself is refused")
    for (const { body } of running) await body?.cancel()
    await until(
      async () => (await fifth.go("/console/pets/export?format=csv&name=Cat")).status === 200,
      "no room was given back",
    )
  })

  test("counts a change of several rows as a request for each; those beyond the limit are refused", async () => {
    await petstore.as("special-key").grantRole({ params: { username: "user2", role: "staff" } })
    const staff = await customer(2)
    const { html } = await staff.go("/console/pets?status=available")
    const shown = [...html.matchAll(/name="shown" value="(\d+ )&quot;(\S+)&quot;"/g)].map(
      ([, id, etag]) => `${id}"${etag}"`,
    )
    const result = await staff.submit({ action: "set-status", status: "sold", all: "yes", shown: shown.slice(0, 3) })
    assert.match(
      result.html,
      /2 pets were set to sold\. This one was refused.*The plan free allows 2 requests a minute/s,
    )
    petstore.clock.advance(minuteMs)
    assert.match(
      (await staff.submit({ action: "set-status", status: "sold", all: "yes", shown: shown.slice(3, 5) })).html,
      /2 pets were set to sold/,
    )
  })

  test("counts an import as one request, and as another one per further 1,000 pets; it ends when the day is used up (slow)", async () => {
    await petstore.as("special-key").grantRole({ params: { username: "user2", role: "staff" } })
    const staff = await customer(2)
    await staff.go("/console/pets/import")
    const query = new URLSearchParams({ form: staff.hidden().form ?? "", action: "import" })
    const send = () => {
      const body = new FormData()
      body.set("again", "yes")
      body.set("file", new Blob([`name\n${"Imported\n".repeat(2_500)}`]), "pets")
      return staff.go(`/console/pets/import?${query}`, { method: "POST", body })
    }
    const importing = send()
    const imported = async () => (await petstore.as("special-key").getInventory()).value.available
    const before = 7
    await until(async () => (await imported()) === before + 2_000, "2,000 pets were not imported")
    petstore.clock.advance(minuteMs)
    assert.match((await importing).html, /<dt>Pets added<\/dt><dd>2500<\/dd>/)

    const { value: token } = await petstore
      .as("special-key")
      .logIn({ body: { username: "user2", password: "password2" } })
    for (let used = 3; used < 99; used++) {
      if (used % 2 === 1) petstore.clock.advance(minuteMs)
      await petstore.withToken(token).getInventory()
    }
    petstore.clock.advance(minuteMs)
    const ended = (await send()).html
    assert.match(ended, /The operation was not completed\. The plan free allows 100 requests a day/)
    assert.match(ended, /<dt>Pets added<\/dt><dd>1000<\/dd>/)
  })
})

test("refusals before authentication are pages in the console, too", async () => {
  await using busy = await startPetstore({ load: { loopDelayMs: () => 5_000 } })
  for (const path of ["/console", "/console/sign-in", "/console/pets/export?format=csv"]) {
    const response = await fetch(busy.url + path)
    assert.deepEqual(
      { status: response.status, "retry-after": response.headers.get("retry-after") },
      { status: 503, "retry-after": "2" },
      path,
    )
    assert.match(response.headers.get("content-type") ?? "", /^text\/html/)
    assert.match(await response.text(), /<h1>.*<\/h1>\s*<p class="lead">The service is overloaded/)
  }
})
