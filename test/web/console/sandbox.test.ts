import assert from "node:assert/strict"
import { describe, test } from "node:test"
import { createSandboxClient } from "../../../src/client/sandbox-client.ts"
import { appoint, signedIn } from "../../harness/console.ts"
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

  test("forms advance the clock, copy, set and end fault rules, and reset a named sandbox", async () => {
    const admin = await signedIn(petstore, "admin")
    await send("GET", "/s/formed/api/v3/pet/1")
    const sandbox = createSandboxClient({ url: petstore.url, name: "formed" })
    const submit = async (action: string, fields: object) => {
      await admin.go("/console/sandbox/formed")
      return (await admin.submit({ action, ...fields })).html
    }
    assert.match(await submit("advance", { advance: "P1D" }), /The time is .* 0 deliveries attempted/)
    assert.equal((await sandbox.getClock()).value.aheadSeconds, 86_400)
    assert.match(await submit("advance", { advance: "tomorrow" }), /must be an ISO 8601 duration/)
    assert.match(await submit("fork", { name: "formed-copy" }), /formed-copy is a copy of formed/)
    assert.match(await submit("fork", { name: "formed-copy" }), /There is already a sandbox formed-copy/)
    assert.match(await submit("faults", { rules: '[{"fault":"code=503"}]' }), /1 fault rules are in force/)
    assert.equal((await send("GET", "/s/formed/api/v3/pet/1")).status, 503)
    assert.match((await admin.go("/console/sandbox/formed")).html, /affected 1/)
    assert.match(await submit("faults", { rules: "[{" }), /must be JSON/)
    assert.match(await submit("faults", { rules: '[{"fault":"code=999"}]' }), /has code=999/)
    assert.match(await submit("clear", {}), /The fault rules have ended/)
    assert.match(await submit("reset", { seed: "empty" }), /The sandbox has been reset: empty/)
    assert.equal((await send("GET", "/s/formed/api/v3/pet/1")).status, 404)
    assert.equal((await send("GET", "/api/v3/pet/1")).status, 200)
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

test("in production there are no pages of sandboxes", async () => {
  const env = { PETSTORE_PROFILE: "production", PETSTORE_PUBLIC_URL: "https://petstore.example" }
  await using petstore = await startPetstore({ env })
  const { html } = await person(petstore.url).go("/console/sign-in")
  assert.doesNotMatch(html, /console\/sandbox/)
  assert.equal((await fetch(`${petstore.url}/console/requests/stream`, { redirect: "manual" })).status, 303)
})
