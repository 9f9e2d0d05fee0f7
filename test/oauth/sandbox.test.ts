import assert from "node:assert/strict"
import { test } from "node:test"
import { isSameButForPort } from "../../src/parts/oauth/server/loopback-ports.ts"
import { askFor, useSampleApplication } from "../harness/oauth.ts"
import { person } from "../harness/person.ts"
import { startPetstore } from "../harness/petstore.ts"
import { usePetstore } from "../harness/use.ts"

const petstore = usePetstore()
const application = useSampleApplication(petstore)

test("an application on the person's machine receives the redirect at any port", async () => {
  for (const redirectUri of [
    "http://localhost:4711/callback",
    "http://127.0.0.1:50000/callback",
    "http://localhost/callback",
  ]) {
    const asked = await askFor(application.server, "sample-client-id", redirectUri, "read:pets")
    const visitor = person(petstore.url)
    await visitor.go(asked.url)
    await visitor.signIn("user1", "password1")
    const { url: back } = await visitor.allow()
    assert.equal(back.origin + back.pathname, redirectUri)
    const granted = await application.exchange({ ...asked, back, redirectUri })
    assert.equal(granted.scope, "read:pets")
  }
})

test("no other address matches: neither another path, host, scheme or query, nor a user name", async () => {
  for (const redirectUri of [
    "http://localhost:4711/elsewhere",
    "http://localhost.evil.example:3000/callback",
    "https://localhost:4711/callback",
    "http://localhost:4711/callback?x=1",
    "http://user@localhost:4711/callback",
    "http://evil.example:3000/callback",
  ]) {
    const asked = await askFor(application.server, "sample-client-id", redirectUri, "read:pets")
    assert.equal((await person(petstore.url).go(asked.url)).status, 400, redirectUri)
  }
  assert.equal(isSameButForPort("https://app.example/callback", "https://app.example:444/callback"), false)
})

test("its page may exchange the code from there, and a page of another site may not", async () => {
  const allowedFor = async (origin: string) => {
    const body = new URLSearchParams({ grant_type: "client_credentials", scope: "read:pets" })
    const authorization = `Basic ${btoa("sample-client-id:sample-client-secret")}`
    const headers = { origin, authorization }
    return (await fetch(`${petstore.url}/oauth/token`, { method: "POST", body, headers })).headers.get(
      "access-control-allow-origin",
    )
  }
  for (const origin of ["http://localhost:3000", "http://localhost:5173"])
    assert.equal(await allowedFor(origin), origin)
  for (const origin of ["http://evil.example:3000", "https://localhost:5173"])
    assert.equal(await allowedFor(origin), null)
})

test("in production the whole address must match", async () => {
  const env = { PETSTORE_PROFILE: "production", PETSTORE_PUBLIC_URL: "https://petstore.example" }
  await using production = await startPetstore({ env })
  const redirectUris = ["http://localhost:3000/callback"]
  const { value: client } = await production
    .as(production.firstKey as string)
    .createOAuthClient({ body: { name: "App", scopes: ["read:pets"], redirectUris } })
  const statusAt = async (redirectUri: string) => {
    const asked = await askFor(application.server, client.clientId, redirectUri, "read:pets")
    const { pathname, search } = new URL(asked.url)
    return (await fetch(production.url + pathname + search, { redirect: "manual" })).status
  }
  assert.deepEqual(
    {
      "http://localhost:3000/callback": await statusAt("http://localhost:3000/callback"),
      "http://localhost:4711/callback": await statusAt("http://localhost:4711/callback"),
    },
    { "http://localhost:3000/callback": 303, "http://localhost:4711/callback": 400 },
  )
})

test("a customer who cannot consent is shown a sample person who can; other people are not", async () => {
  const consentOf = async (scope: string, username: string) => {
    const visitor = person(petstore.url)
    await visitor.go((await application.ask(scope)).url)
    return (await visitor.signIn(username, username.replace("user", "password"))).html
  }
  const suggestion = /In this sandbox user10 \(password password10\) is staff and may grant more/
  assert.match(await consentOf("read:pets write:pets", "user1"), suggestion)
  assert.doesNotMatch(await consentOf("read:pets", "user1"), suggestion)
  assert.doesNotMatch(await consentOf("read:pets admin", "user1"), suggestion)
  const staff = await consentOf("read:pets write:pets", "user10")
  assert.match(staff, /<code>write:pets<\/code>/)
  assert.doesNotMatch(staff, suggestion)
})
