import assert from "node:assert/strict"
import { execFile } from "node:child_process"
import { describe, test } from "node:test"
import { promisify } from "node:util"
import { createPetstoreClient } from "../../../src/client/petstore-client.ts"
import { createSandboxClient } from "../../../src/client/sandbox-client.ts"
import { appoint, passwordOf, people, signedIn } from "../../harness/console.ts"
import { serverUrl } from "../../harness/database.ts"
import { person } from "../../harness/person.ts"
import { startPetstore } from "../../harness/petstore.ts"
import { keySender } from "../../harness/send.ts"
import { before, usePetstore } from "../../harness/use.ts"

describe("the console's pages of sandboxes", { skip: serverUrl && "named sandboxes need SQLite" }, () => {
  const petstore = usePetstore()
  before(() => appoint(petstore))
  const send = keySender(petstore, "")

  test("the requests of both kinds of sandbox are listed, filtered, and shown without credentials", async () => {
    const admin = await signedIn(petstore, "admin")
    await send("GET", "/api/v3/pet/99?a=<b>")
    await send("GET", "/api/v3/pet/1", undefined, { prefer: "wait=0" })
    const list = await admin.go("/console/requests?status=4xx")
    assert.match(list.html, /GET \/pet\/99\?a=%3Cb%3E/)
    assert.doesNotMatch(list.html, /GET \/pet\/1</)
    assert.match((await admin.go("/console/requests")).html, /data-live="[^"]*\/console\/requests\/stream"/)
    const [, path = ""] = /href="[^"]*(\/console\/requests\/\d+)">GET \/pet\/99/.exec(list.html) ?? []
    const { html } = await admin.go(path)
    assert.match(html, /pet-not-found/)
    assert.match(html, /api_key: key 1/)
    assert.doesNotMatch(html, /special-key/)
    assert.equal((await admin.go("/console/requests/999999")).status, 404)

    await send("GET", "/s/mine/api/v3/pet/7")
    assert.match((await admin.go("/console/sandbox")).html, /href="[^"]*\/console\/sandbox\/mine">mine<\/a>/)
    assert.match((await admin.go("/console/sandbox/mine/requests")).html, /GET \/pet\/7/)
    assert.match((await admin.go("/console/sandbox/mine/requests/1")).html, /GET \/api\/v3\/pet\/7/)
    assert.equal((await admin.go("/console/sandbox/other")).status, 404)
  })

  test("a recorded request is sent again with one's own credential, asked about when it may change something", async () => {
    const admin = await signedIn(petstore, "admin")
    for (const name of [undefined, "again"]) {
      const sandbox = createSandboxClient({ url: petstore.url, ...(name && { name }) })
      const list = `/console${name ? `/sandbox/${name}` : ""}/requests`
      const own = createPetstoreClient({ url: sandbox.url, apiKey: "special-key" })
      const marked = `Sent again ${name}`
      // Without an idempotency key, with which the repetition would have no effect.
      await send("POST", `${name ? `/s/${name}` : ""}/api/v3/pet`, { name: marked, photoUrls: [] })
      const [recorded] = (await sandbox.listRequests({ query: { operation: "addPet", limit: 1 } })).value
      const page = await admin.go(`${list}/${recorded?.id}`)
      assert.match(page.html, />Send again</)
      assert.match(page.html, /Events meanwhile<\/h2>.*pet\.created/s)
      const question = await admin.submit({ action: "repeat" })
      assert.match(question.html, /Send POST \/api\/v3\/pet again\?/)
      assert.equal((await own.listPets({ query: { name: marked } })).value.length, 1)
      const sent = await admin.submit({})
      assert.match(sent.html, /This is the request that was sent again/)
      assert.notEqual(sent.url.pathname, page.url.pathname)
      assert.equal((await own.listPets({ query: { name: marked } })).value.length, 2)
    }
    assert.equal((await admin.go("/console/requests")).html.includes("special-key"), false)
  })

  test("a request whose body is recorded in part, or whose credential may not do it, changes nothing when it is sent again", async () => {
    const admin = await signedIn(petstore, "admin")
    const sandbox = createSandboxClient({ url: petstore.url })
    const own = createPetstoreClient({ url: petstore.url, apiKey: "special-key" })
    const photoUrls = Array.from({ length: 12 }, (_, n) => `https://pets.example/${n}${"x".repeat(1900)}`)
    await own.addPet({ body: { name: "Too large to repeat", photoUrls } })
    const [recorded] = (await sandbox.listRequests({ query: { operation: "addPet", limit: 1 } })).value
    const page = await admin.go(`/console/requests/${recorded?.id}`)
    assert.match(page.html, /it cannot be sent again/)
    assert.doesNotMatch(page.html, />Send again</)
    assert.match((await admin.submit({ action: "again" })).html, /it cannot be sent again/)
    assert.equal((await own.listPets({ query: { name: "Too large" } })).value.length, 1)
  })

  test("fault rules are rows: added, switched off, moved and removed, and what a row does not show is kept", async () => {
    const admin = await signedIn(petstore, "admin")
    await send("GET", "/s/rows/api/v3/pet/1")
    const sandbox = createSandboxClient({ url: petstore.url, name: "rows" })
    const rules = async () => (await sandbox.getFaults()).value.rules.map(({ count, ...rule }) => rule)
    const save = async (fields: Record<string, string>) => {
      await admin.go("/console/sandbox/rows")
      return (await admin.submit({ action: "fault-rows", ...fields })).html
    }
    const first = {
      "operation-0": "getPetById",
      "fault-0": "code=503",
      "share-0": "50",
      "order-0": "1",
      "enabled-0": "yes",
    }
    assert.match(await save(first), /In force: 1 fault rule\b/)
    assert.deepEqual(await rules(), [{ match: { operation: "getPetById", share: 0.5 }, fault: "code=503" }])

    const kept = { match: { event: "pet.created" as const, times: 2 }, fault: "webhook=forged" }
    await sandbox.setFaults({ body: { rules: [kept, { fault: "wait=0.1" }] } })
    const swapped = { "fault-0": "webhook=stale", "times-0": "2", "order-0": "2", "enabled-0": "yes" }
    await save({ ...swapped, "fault-1": "wait=0.1", "order-1": "1", "order-2": "3" })
    assert.deepEqual(await rules(), [
      { fault: "wait=0.1", enabled: false },
      { match: { event: "pet.created", times: 2 }, fault: "webhook=stale" },
    ])

    const refused = await save({ "fault-0": "code=999", "order-0": "1", "fault-1": "webhook=stale", "order-1": "2" })
    assert.match(refused, /name="fault-0"[^>]* value="code=999".*<p class="error">fault [^<]*code=999/s)
    assert.equal((await rules()).length, 2)
    await save({ "remove-0": "yes", "fault-1": "webhook=stale", "order-1": "1", "enabled-1": "yes" })
    assert.deepEqual(await rules(), [{ match: { event: "pet.created" }, fault: "webhook=stale" }])
  })

  test("forms advance the clock, copy, set and end fault rules, and reset a named sandbox", async () => {
    const admin = await signedIn(petstore, "admin")
    await send("GET", "/s/formed/api/v3/pet/1")
    const sandbox = createSandboxClient({ url: petstore.url, name: "formed" })
    const submit = async (action: string, fields: object) => {
      await admin.go("/console/sandbox/formed")
      return (await admin.submit({ action, ...fields })).html
    }
    assert.match(
      await submit("advance", { advance: "P1D" }),
      /The time is [\d-]+ [\d:]+ UTC: nothing was due on the way/,
    )
    assert.equal((await sandbox.getClock()).value.aheadSeconds, 86_400)
    assert.match(await submit("advance", { advance: "tomorrow" }), /must be an ISO 8601 duration/)
    assert.match(await submit("freeze", { freeze: "yes" }), /<\/time> is frozen/)
    assert.match(await submit("advance-to", { to: "2030-01-31T12:00" }), /The time is 2030-01-31 12:00:00 UTC/)
    assert.match(await submit("advance-to", { to: "2029-01-31T12:00" }), /must not be before the time in the sandbox/)
    assert.match(await submit("freeze", { freeze: "no" }), /ahead of real time/)
    assert.match(await submit("fork", { name: "formed-copy" }), /formed-copy is a copy of formed/)
    assert.match(await submit("fork", { name: "formed-copy" }), /There is already a sandbox formed-copy/)
    assert.match(await submit("faults", { rules: '[{"fault":"code=503"}]' }), /In force: 1 fault rule\b/)
    assert.equal((await send("GET", "/s/formed/api/v3/pet/1")).status, 503)
    assert.match((await admin.go("/console/sandbox/formed")).html, /affected 1/)
    const shown = (await admin.go("/console/sandbox/formed")).html
    assert.match(shown, /name="fault-0"[^>]* value="code=503"/)
    assert.match(await submit("faults", { rules: "[{" }), /must be JSON/)
    assert.match(await submit("faults", { rules: '[{"fault":"code=999"}]' }), /has code=999/)
    assert.match(await submit("clear", {}), /The fault rules have ended/)
    const question = await submit("reset", { seed: "empty" })
    assert.match(question, /<h1>Reset the sandbox\?<\/h1>\s*<p>10 pets, 0 webhooks and 1 key go/)
    assert.match(question, /href="[^"]*\/console\/sandbox\/formed">Cancel</)
    assert.equal((await send("GET", "/s/formed/api/v3/pet/1")).status, 200)
    const reset = await admin.submit({ "console-password": passwordOf(people.admin) })
    assert.match(reset.html, /The sandbox was reset\. It has 0 pets now/)
    assert.equal((await send("GET", "/s/formed/api/v3/pet/1")).status, 404)
    assert.equal((await send("GET", "/api/v3/pet/1")).status, 200)
  })

  test("sandboxes are listed with their use, created and deleted", async () => {
    const admin = await signedIn(petstore, "admin")
    await admin.go("/console/sandbox")
    assert.match((await admin.submit({ action: "create", name: "made", seed: "empty" })).html, /made was created/)
    await send("GET", "/s/made/api/v3/store/inventory")
    const { html } = await admin.go("/console/sandbox")
    assert.match(html, /sandbox\/made">made<.*data-label="Requests">1<.*data-label="Clock">real time</s)
    assert.match((await admin.submit({ action: "create", name: "made", seed: "empty" })).html, /already a sandbox made/)
    await admin.go("/console/sandbox/made")
    assert.match((await admin.submit({ action: "delete" })).html, /The sandbox made was deleted/)
    assert.equal((await admin.go("/console/sandbox/made")).status, 404)
  })

  test("a recorded request is copied as curl as it was sent, with the reader's key", async () => {
    const admin = await signedIn(petstore, "admin")
    await send("POST", "/s/curl/api/v3/pet?a=1", { name: "O'Hara", photoUrls: [] })
    const { html } = await admin.go("/console/sandbox/curl/requests/1")
    const [, command = ""] = /data-copy="(curl [^"]*)"/.exec(html) ?? []
    const text = command.replaceAll("&#39;", "'").replaceAll("&quot;", '"').replaceAll("&amp;", "&")
    assert.match(
      text,
      /^curl -X POST 'http:.*\/s\/curl\/api\/v3\/pet\?a=1' -H "api_key: \$PETSTORE_KEY" .*--data-raw '/,
    )
    const env = { ...process.env, PETSTORE_KEY: "special-key" }
    const { stdout } = await promisify(execFile)("sh", ["-c", `${text} -s`], { env })
    assert.equal(JSON.parse(stdout).name, "O'Hara")
  })

  test("the stream of a named sandbox is for administrators", async () => {
    await send("GET", "/s/streamed/api/v3/pet/1")
    const path = "/console/sandbox/streamed/requests/stream"
    const cookies = async (role: "admin" | "staff") =>
      (await signedIn(petstore, role))
        .cookies()
        .map(({ name, value }) => `${name}=${value}`)
        .join("; ")
    const open = async (role: "admin" | "staff") => {
      const ending = new AbortController()
      const response = await fetch(petstore.url + path, {
        headers: { cookie: await cookies(role) },
        signal: ending.signal,
      })
      ending.abort()
      return response.status
    }
    assert.deepEqual([await open("admin"), await open("staff")], [200, 204])
  })
})

test("a reset of the service's own sandbox asks, names what goes, and leaves the administrator signed in", async () => {
  await using petstore = await startPetstore()
  const admin = person(petstore.url)
  await admin.go("/console/sign-in")
  await admin.signIn("admin", "admin")
  await petstore.as("special-key").addPet({ body: { name: "Rex", photoUrls: [] } })
  await admin.go("/console/sandbox")
  const question = await admin.submit({ action: "reset", seed: "initial" })
  assert.match(question.html, /<p>11 pets, 0 webhooks and 1 key go, and all other data/)
  assert.equal((await petstore.as("special-key").getPetById({ params: { petId: 11 } })).value.name, "Rex")
  assert.equal((await admin.submit({ "console-password": "wrong" })).status, 403)
  const reset = await admin.submit({ "console-password": "admin" })
  assert.match(reset.html, /The sandbox was reset\. It has 10 pets now/)
  assert.equal(reset.url.pathname, "/console/sandbox")
  assert.match((await admin.go("/console/pets")).html, /Cat 1/)
  const again = await admin.go("/console/sandbox").then(() => admin.submit({ action: "reset", seed: "initial" }))
  assert.match(again.html, /<h1>Reset the sandbox\?/)
})

test("in production there are no pages of sandboxes", async () => {
  const env = { PETSTORE_PROFILE: "production", PETSTORE_PUBLIC_URL: "https://petstore.example" }
  await using petstore = await startPetstore({ env })
  const { html } = await person(petstore.url).go("/console/sign-in")
  assert.doesNotMatch(html, /console\/sandbox/)
  assert.equal((await fetch(`${petstore.url}/console/requests/stream`, { redirect: "manual" })).status, 303)
})
