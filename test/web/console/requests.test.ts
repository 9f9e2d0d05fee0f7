import assert from "node:assert/strict"
import { execFile } from "node:child_process"
import { describe, test } from "node:test"
import { promisify } from "node:util"
import { createPetstoreClient } from "../../../src/client/petstore-client.ts"
import { createSandboxClient } from "../../../src/parts/sandbox/client/sandbox-client.ts"
import { appoint, signedIn } from "../../harness/console.ts"
import { serverUrl } from "../../harness/database.ts"
import { exchange } from "../../harness/raw-http.ts"
import { keySender } from "../../harness/send.ts"
import { until } from "../../harness/until.ts"
import { before, usePetstore } from "../../harness/use.ts"

describe("the page of a recorded request", { skip: serverUrl && "named sandboxes need SQLite" }, () => {
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
    assert.match(html, /<dt>Credential<\/dt><dd><a href="\/console\/keys\/1">special-key<\/a> \(key 1\)<\/dd>/)
    assert.match(html, /<dt>Scopes<\/dt><dd>read:pets, write:pets, /)
    assert.doesNotMatch(html, /api_key: special-key/)
    assert.equal((await admin.go("/console/requests/999999")).status, 404)

    await send("GET", "/s/mine/api/v3/pet/7")
    assert.match((await admin.go("/console/sandbox")).html, /href="[^"]*\/console\/sandbox\/mine">mine<\/a>/)
    assert.match((await admin.go("/console/sandbox/mine/requests")).html, /GET \/pet\/7/)
    assert.match((await admin.go("/console/sandbox/mine/requests/1")).html, /GET \/api\/v3\/pet\/7/)
    assert.equal((await admin.go("/console/sandbox/other")).status, 404)
  })

  test("requests are found by every filter of the operation, with their age by the clock of the sandbox and their key", async () => {
    const admin = await signedIn(petstore, "admin")
    const sandbox = createSandboxClient({ url: petstore.url, name: "filtered" })
    const sendInside = keySender(sandbox, "/api/v3")
    await sendInside("POST", "/pet", { name: "Sought", photoUrls: [] }, { "x-mark": "yes", "x-request-id": "sought-1" })
    const since = new Date(petstore.clock.now() + 60_000).toISOString().slice(0, 16)
    await sandbox.advanceClock({ body: { advance: "PT3H" } })
    await sendInside("GET", "/store/inventory", undefined, { api_key: "pro-key" })
    const listed = async (query: Record<string, string>) => {
      const { html } = await admin.go(`/console/sandbox/filtered/requests?${new URLSearchParams(query)}`)
      return [...html.matchAll(/requests\/(\d+)">[A-Z]+ /g)].map(([, id]) => Number(id))
    }
    assert.deepEqual(await listed({}), [3, 2, 1])
    for (const [name, value] of [
      ["operation", "addPet"],
      ["path", "/pet*"],
      ["header", "x-mark: yes"],
      ["text", "Sought"],
      ["requestId", "sought-1"],
    ] as const)
      assert.deepEqual(await listed({ [name]: value, status: "200", key: "1" }), [1], name)
    assert.deepEqual(await listed({ method: "POST", path: "/pet" }), [1])
    assert.deepEqual(await listed({ since, operation: "getInventory" }), [3])
    assert.deepEqual(await listed({ since, operation: "addPet" }), [])
    assert.deepEqual(await listed({ key: "2" }), [3])
    const { html } = await admin.go("/console/sandbox/filtered/requests?header=x-mark")
    assert.match(html, /<details open><summary>More filters/)
    assert.match(html, /title="[\d-]+ [\d:]+ UTC" data-ago="10800000">3 hours ago</)
    assert.match(html, /\/s\/filtered\/console\/keys\/1">special-key</)
    assert.match((await admin.go("/console/sandbox/filtered/requests?since=x")).html, /id="since-error"/)
    await sandbox.advanceClock({ body: { freeze: true } })
    assert.doesNotMatch((await admin.go("/console/sandbox/filtered/requests")).html, /data-ago/)
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
      assert.match(page.html, /also those of other requests at that time/)
      assert.match(page.html, /Events meanwhile<\/h2>.*pet\.created/s)
      const question = await admin.submit({ action: "repeat" })
      assert.match(question.html, /Send POST \/api\/v3\/pet again\?/)
      const whose = name ? `the well-known key of the sandbox ${name}` : "your credential"
      assert.match(question.html, new RegExp(`It was sent with key \\d+\\. It is sent with ${whose}, and may`))
      assert.equal((await own.listPets({ query: { name: marked } })).value.length, 1)
      const sent = await admin.submit({})
      assert.match(sent.html, /This is the request that was sent again/)
      assert.notEqual(sent.url.pathname, page.url.pathname)
      assert.equal((await own.listPets({ query: { name: marked } })).value.length, 2)
    }
    assert.equal((await admin.go("/console/requests")).html.includes("special-key"), false)
  })

  test("before an anonymous request that was refused is sent again, the question says so, and no action omits the question", async () => {
    const admin = await signedIn(petstore, "admin")
    await send("PUT", "/api/v3/user/user1/roles/staff", undefined, { api_key: "" })
    const sandbox = createSandboxClient({ url: petstore.url })
    const [recorded] = (await sandbox.listRequests({ query: { operation: "grantRole", limit: 1 } })).value
    await admin.go(`/console/requests/${recorded?.id}`)
    assert.match((await admin.submit({ action: "again" })).html, /PUT may change something: it is asked about first/)
    await admin.go(`/console/requests/${recorded?.id}`)
    const question = await admin.submit({ action: "repeat" })
    assert.match(question.html, /It was sent without a valid credential, and refused with 401\./)
    assert.equal((await petstore.as("special-key").getRole({ params: { username: "user1" } })).value.role, "customer")
  })

  test("a request that asked for an explanation shows it, and the events that it wrote, without a credential", async () => {
    const admin = await signedIn(petstore, "admin")
    const sandbox = createSandboxClient({ url: petstore.url, name: "explained" })
    const sendInside = keySender(sandbox, "/api/v3")
    await sendInside("POST", "/pet", { name: "Seen <b>", photoUrls: [] }, { prefer: "explain", api_key: "free-key" })
    await sendInside("POST", "/pet", { name: "" }, { prefer: "explain" })
    await sandbox.setFaults({ body: { rules: [{ match: { path: "/pet/1" }, fault: "code=503" }] } })
    await sendInside("GET", "/pet/1", undefined, { prefer: "explain" })
    const added = (await admin.go("/console/sandbox/explained/requests/1")).html
    assert.match(added, /<dt>Plan<\/dt><dd>free<\/dd>/)
    assert.match(added, /<dt>Required scope<\/dt><dd>write:pets<\/dd>/)
    assert.match(added, /<dt>Limits<\/dt><dd>59 of 60 left of the minute, more in \d+ s; 999 of 1000 left of the day, /)
    assert.match(added, /<dt>Events written<\/dt><dd><div>A pet was added<\/div><\/dd>/)
    assert.match(added, /<h2>Events<\/h2>\s*<p class="soft">Those that the request wrote\./)
    assert.doesNotMatch(added, /Events meanwhile|api_key: free-key/)
    const refused = (await admin.go("/console/sandbox/explained/requests/2")).html
    assert.match(
      refused,
      /<dt>Violations<\/dt><dd><div>\/photoUrls is required<\/div><div>\/name must not be empty<\/div>/,
    )
    assert.match(
      (await admin.go("/console/sandbox/explained/requests/4")).html,
      /<dt>Fault rule<\/dt><dd><code>\{&quot;match/,
    )
  })

  test("a request whose body is recorded in part, or whose credential may not do it, changes nothing when it is sent again", async () => {
    const admin = await signedIn(petstore, "admin")
    const sandbox = createSandboxClient({ url: petstore.url })
    const own = createPetstoreClient({ url: petstore.url, apiKey: "special-key" })
    const photoUrls = Array.from({ length: 12 }, (_, n) => `https://pets.example/${n}${"x".repeat(1900)}`)
    await own.addPet({ body: { name: "Too large to repeat", photoUrls } })
    const [recorded] = (await sandbox.listRequests({ query: { operation: "addPet", limit: 1 } })).value
    const page = await admin.go(`/console/requests/${recorded?.id}`)
    assert.match(page.html, /It cannot be sent again: only the beginning of its body is recorded/)
    assert.doesNotMatch(page.html, />Send again</)
    await admin.submit({ action: "repeat" })
    assert.match((await admin.submit({})).html, /It cannot be sent again: only the beginning/)
    assert.equal((await own.listPets({ query: { name: "Too large" } })).value.length, 1)
  })

  test("an upload, bytes that are not text, and a stream are not sent again, and what belongs to a connection is not repeated (slow)", async () => {
    const admin = await signedIn(petstore, "admin")
    const sandbox = createSandboxClient({ url: petstore.url })
    const pageOf = async (operation: string) => {
      const [recorded] = (await sandbox.listRequests({ query: { operation, limit: 1 } })).value
      return admin.go(`/console/requests/${recorded?.id}`)
    }
    const post = (path: string, type: string, body: string | Uint8Array<ArrayBuffer>) =>
      fetch(petstore.url + path, { method: "POST", headers: { api_key: "special-key", "content-type": type }, body })
    await post("/api/v3/pet/1/uploadImage", "image/png", "no image")
    await post("/api/v3/pet", "application/json", Buffer.from([0x7b, 0xff]))
    for (const operation of ["uploadFile", "addPet"]) {
      assert.match((await pageOf(operation)).html, /It cannot be sent again: its body is not/)
      await admin.submit({ action: "repeat" })
      assert.match((await admin.submit({})).html, /It cannot be sent again: its body is not/)
    }
    const ending = new AbortController()
    const stream = { headers: { api_key: "special-key" }, signal: ending.signal }
    await fetch(`${petstore.url}/api/v3/events/stream`, stream)
    ending.abort()
    const streamed = async () =>
      (await sandbox.listRequests({ query: { operation: "streamEvents" } })).value.length === 1
    await until(streamed, "the stream is recorded")
    assert.match((await pageOf("streamEvents")).html, /A stream has no end, so it cannot be sent again/)

    const lines = [
      "GET /api/v3/pet/3 HTTP/1.1",
      "Host: pets.example",
      "api_key: special-key",
      "Trailer: Expires",
      "TE: trailers",
      "Upgrade: h2c",
      "Connection: close",
    ]
    await exchange(petstore.url, `${lines.join("\r\n")}\r\n\r\n`)
    assert.match((await pageOf("getPetById")).html, /GET \/api\/v3\/pet\/3/)
    const sent = await admin.submit({ action: "again" })
    assert.match(sent.html, /This is the request that was sent again/)
    assert.match(sent.html, /<dt>Credential<\/dt><dd>session \d+<\/dd>/)
    assert.match(sent.html, /<dt>Limits<\/dt><dd>\d+ left of the minute, more in \d+ s; \d+ left of the day, /)
    assert.doesNotMatch(sent.html, /trailer: |upgrade: /)
  })

  test("a request that a fault breaks is sent again, and its page shows the fault (slow)", async () => {
    const admin = await signedIn(petstore, "admin")
    const sandbox = createSandboxClient({ url: petstore.url, name: "broken" })
    await send("GET", "/s/broken/api/v3/pet/1")
    for (const fault of ["fault=drop", "fault=reset", "fault=lose", "fault=empty", "fault=truncate"]) {
      await sandbox.setFaults({ body: { rules: [{ fault }] } })
      await admin.go("/console/sandbox/broken/requests/1")
      const sent = await admin.submit({ action: "again" })
      assert.match(sent.html, new RegExp(`This is the request that was sent again.*<dt>Fault</dt><dd>${fault}`, "s"))
    }
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
})
