import assert from "node:assert/strict"
import { describe, test } from "node:test"
import { createSandboxClient } from "../../../src/parts/sandbox/client/sandbox-client.ts"
import { inWords } from "../../../src/parts/site/pages/parts/time.ts"
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

  test("forms advance the clock, copy, set and end fault rules, and reset a named sandbox (slow)", async () => {
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
    assert.match(shown, /<strong>every request<\/strong><\/span><span><strong [^>]*>503</)
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

  test("a page reads the clock once, so that all times on it agree", async () => {
    let [time, stepMs] = [Date.UTC(2026, 0, 1), 0]
    const now = () => {
      time += stepMs
      return time
    }
    await using petstore = await startPetstore({ clock: { now } })
    const admin = person(petstore.url)
    await admin.go("/console/sign-in")
    await admin.signIn("admin", "admin")
    for (const name of ["one", "two"]) await petstore.as("special-key").addPet({ body: { name, photoUrls: [] } })
    const sandbox = createSandboxClient({ url: petstore.url, name: "ahead" })
    await sandbox.advanceClock({ body: { advance: "P1D" } })
    for (const id of [1, 2, 3]) await keySender(petstore, "")("GET", `/s/ahead/api/v3/pet/${id}`)
    stepMs = 60_000
    const shown = async (path: string) => {
      const { html } = await admin.go(path)
      const [, now = ""] = /data-now="([^"]+)"/.exec(html) ?? []
      const [, clock = now] = /<time datetime="([^"]+)">[^<]+<\/time> is 24 hours ahead/.exec(html) ?? []
      const ages = [...html.matchAll(/<time datetime="([^"]+)"[^>]* data-ago(="\d+")?>([^<]+)</g)]
      return ages.map(([, at = "", isOfSandbox, words = ""]) => ({ at, by: isOfSandbox ? clock : now, words }))
    }
    for (const path of ["/console/events", "/console/requests", "/console/sandbox/ahead"]) {
      const ages = await shown(path)
      assert.ok(ages.length > 0, path)
      for (const { at, by, words } of ages)
        assert.equal(words, `${inWords(Date.parse(by) - Date.parse(at))} ago`, `${path}: ${at}, ${by}`)
    }
  })

  test("the address of a named sandbox without a slash leads to its store", async () => {
    const response = await fetch(`${petstore.url}/s/slashed`, { redirect: "manual" })
    assert.deepEqual([response.status, response.headers.get("location")], [308, "./slashed/"])
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
  const statusOf = async (path: string) => (await fetch(petstore.url + path, { redirect: "manual" })).status
  const statuses = await Promise.all(["/console/requests/stream", "/s/slashed", "/try"].map(statusOf))
  assert.deepEqual(statuses, [303, 404, 404])
})
