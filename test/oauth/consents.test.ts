import assert from "node:assert/strict"
import { test } from "node:test"
import type * as oauth from "oauth4webapi"
import { refusedWith, useSampleApplication } from "../harness/oauth.ts"
import { person } from "../harness/person.ts"
import { refusedAs } from "../harness/petstore.ts"
import { usePetstore } from "../harness/use.ts"

const petstore = usePetstore()
const application = useSampleApplication(petstore)

async function loggedIn(username: string) {
  const pair = { username, password: username.replace("user", "password") }
  return petstore.withToken((await petstore.as("").logIn({ body: pair })).value)
}

/** Issues tokens of the person to the sample application, in the browser of `visitor`. */
async function allowed(username: string, scope: string, visitor = person(petstore.url)) {
  const asked = await application.ask(scope)
  await visitor.go(asked.url)
  await visitor.signIn(username, username.replace("user", "password"))
  const { url: back } = await visitor.allow()
  return application.exchange({ ...asked, back })
}

async function assertEnded({ access_token, refresh_token = "" }: oauth.TokenEndpointResponse): Promise<void> {
  await assert.rejects(petstore.withToken(access_token).getPetById({ params: { petId: 1 } }), refusedAs("unauthorized"))
  await assert.rejects(application.refresh(refresh_token), refusedWith("invalid_grant"))
}

const reads = (token: string) => petstore.withToken(token).getPetById({ params: { petId: 1 } })

test("a person lists their own consents, newest first and in pages, and no others", async () => {
  await allowed("user1", "read:pets")
  await allowed("user1", "openid read:pets write:pets read:orders")
  await allowed("user2", "read:pets")
  const user1 = await loggedIn("user1")
  const { value } = await user1.listConsents()
  assert.deepEqual(
    value.map(({ id, clientId, clientName, scopes }) => ({ id, clientId, clientName, scopes })),
    [
      // A customer may not write pets, even with consent.
      {
        id: 2,
        clientId: "sample-client-id",
        clientName: "Sample application",
        scopes: ["openid", "read:pets", "read:orders"],
      },
      { id: 1, clientId: "sample-client-id", clientName: "Sample application", scopes: ["read:pets"] },
    ],
  )
  const [{ expiresAt } = { expiresAt: "" }] = value
  assert.equal(Date.parse(expiresAt), petstore.clock.now() + 90 * 24 * 3600_000)
  const page = await user1.listConsents({ query: { limit: 1 } })
  assert.match(page.headers.get("link") ?? "", /rel="next"/)
  assert.equal(page.value.length, 1)
})

test("an ended consent ends its tokens from the next request on, and no others", async () => {
  const [first, second] = [await allowed("user3", "read:pets"), await allowed("user3", "read:pets")]
  await Promise.all([reads(first.access_token), reads(second.access_token)])
  const user3 = await loggedIn("user3")
  const [newest, oldest] = (await user3.listConsents()).value
  await user3.endConsent({ params: { id: oldest?.id as number } })
  await assertEnded(first)
  await reads(second.access_token)
  assert.deepEqual(
    (await user3.listConsents()).value.map(({ id }) => id),
    [newest?.id],
  )
  await assert.rejects(user3.endConsent({ params: { id: oldest?.id as number } }), refusedAs("consent-not-found"))
})

test("another person's consent is a 404, and no application or API key reads or ends any", async () => {
  const granted = await allowed("user4", "read:pets read:users write:users")
  const [consent] = (await (await loggedIn("user4")).listConsents()).value
  const params = { id: consent?.id as number }
  await assert.rejects((await loggedIn("user5")).endConsent({ params }), refusedAs("consent-not-found"))
  for (const other of [
    petstore.withToken(granted.access_token),
    petstore.withToken(await application.clientToken("read:users write:users")),
    petstore.as("special-key"),
  ]) {
    await assert.rejects(other.listConsents(), refusedAs("session-required"))
    await assert.rejects(other.endConsent({ params }), refusedAs("session-required"))
  }
  await reads(granted.access_token)
})

test("on the page of consents a person signs in, lists and ends consents, without a script", async () => {
  const granted = await allowed("user6", "read:pets read:orders")
  await reads(granted.access_token)
  const visitor = person(petstore.url)
  const login = await visitor.go("/console/consents")
  assert.match(login.html, /<h1>Sign in<\/h1>/)
  const page = await visitor.signIn("user6", "password6")
  assert.equal(page.url.href, `${petstore.url}/console/consents`)
  assert.match(page.html, /<h1>Consents<\/h1>/)
  assert.match(page.html, /Sample application[\s\S]*See the pets/)
  const [, consent = ""] = /name="consent" value="(\d+)"/.exec(page.html) ?? []
  const ended = await visitor.submit({ action: "end", consent })
  assert.equal(ended.status, 200)
  assert.match(ended.html, /You have given no consents/)
  await assertEnded(granted)
})

test("the page ends nothing for a form from elsewhere, one without its token, or another person", async () => {
  const granted = await allowed("user7", "read:pets")
  const [consent] = (await (await loggedIn("user7")).listConsents()).value
  const fields = { action: "end", consent: String(consent?.id) }
  const visitor = person(petstore.url)
  const end = async (more: Record<string, string>, headers?: Record<string, string>) => {
    await visitor.go("/console/consents")
    return visitor.submit({ ...fields, ...more }, headers)
  }
  await visitor.go("/console/consents")
  await visitor.signIn("user7", "password7")
  for (const origin of ["https://evil.example", "null"]) assert.equal((await end({}, { origin })).status, 403)
  assert.equal((await end({ form: "x".repeat(32) })).status, 403)
  assert.equal((await end({ form: "" }, {})).status, 403)

  const other = person(petstore.url)
  await other.go("/console/consents")
  await other.signIn("user8", "password8")
  await other.submit(fields)
  await reads(granted.access_token)
})

test("a request for consent is used up by the decision, even if it is not completed", async () => {
  const visitor = person(petstore.url)
  await visitor.go((await application.ask("read:pets")).url)
  const { url, html } = await visitor.signIn("user10", "password10")
  const [, form = ""] = /name="form" value="([^"]+)"/.exec(html) ?? []
  const here = visitor.cookies().filter(({ path }) => url.pathname.startsWith(path))
  const cookie = here.map(({ name, value }) => `${name}=${value}`)
  const decide = async (how: string) => {
    const body = new URLSearchParams({ form, answer: how })
    const headers = { cookie: cookie.join("; "), origin: petstore.url }
    return (await fetch(url, { method: "POST", body, headers, redirect: "manual" })).status
  }
  assert.deepEqual([await decide("allow"), await decide("allow"), await decide("deny")], [303, 400, 400])
  assert.equal((await (await loggedIn("user10")).listConsents()).value.length, 1)
})

test("the consent page leads to the page of consents", async () => {
  const visitor = person(petstore.url)
  await visitor.go((await application.ask("read:pets")).url)
  const { html } = await visitor.signIn("user9", "password9")
  const [, link = ""] = /href="([^"]+)">Your consents/.exec(html) ?? []
  assert.match((await visitor.go(link)).html, /<h1>Sign in<\/h1>/)
  const { url } = await visitor.signIn("user9", "password9")
  assert.equal(url.href, `${petstore.url}/console/consents`)
})
