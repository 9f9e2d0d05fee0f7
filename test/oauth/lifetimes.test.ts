import assert from "node:assert/strict"
import { hash } from "node:crypto"
import { test } from "node:test"
import { refusedWith, useSampleApplication } from "../harness/oauth.ts"
import { person } from "../harness/person.ts"
import { usePetstore } from "../harness/use.ts"

const minuteMs = 60_000
const hourMs = 60 * minuteMs
const dayMs = 24 * hourMs

const petstore = usePetstore()
const application = useSampleApplication(petstore)

/** Signs in, requests consent with an optional `prompt`, consents, and resolves with the outcome. */
async function walked(visitor = person(petstore.url), scope = "read:pets", prompt = "consent") {
  const asked = await application.ask(scope)
  asked.url.searchParams.set("prompt", prompt)
  const { html } = await visitor.go(asked.url)
  if (html.includes("<h1>Sign in</h1>")) await visitor.signIn("user1", "password1")
  const uid = visitor.cookies().findLast(({ path }) => path.startsWith("/oauth/interaction/"))?.value as string
  const interaction = await row("Interaction", uid)
  const { url: back } = await visitor.allow()
  return { ...asked, back, visitor, interaction, code: back.searchParams.get("code") as string }
}

async function row(kind: string, id: string) {
  const record = await petstore.store.oauthRecords.read(kind, hash("sha256", id))
  assert.ok(record, `there is no ${kind}`)
  return record
}

const opens = async (bearer: string) =>
  (await fetch(`${petstore.url}/api/v3/pet/1`, { headers: { authorization: `Bearer ${bearer}` } })).status === 200

const sessionCookie = (visitor: ReturnType<typeof person>) =>
  visitor.cookies().find(({ name }) => name === "petstore_session") as { value: string; attributes: string[] }

/** The lifetime of a cookie by its attributes; the browser's clock is the real one. */
function cookieMs({ attributes }: { attributes: string[] }): number {
  const said = (name: string) => attributes.find((each) => each.startsWith(`${name}=`))?.slice(name.length + 1)
  const maxAge = said("max-age")
  return maxAge === undefined ? Date.parse(said("expires") as string) - Date.now() : Number(maxAge) * 1000
}

test("stored and sent lifetimes are as documented: code a minute, access token an hour, refresh token 30 days, consent 90, sign-in one", async () => {
  const now = petstore.clock.now()
  const walk = await walked()
  const lasts = async (kind: string, id: string) => (await row(kind, id)).expiresAt - now
  assert.equal(walk.interaction.expiresAt - now, 10 * minuteMs)
  assert.equal(await lasts("AuthorizationCode", walk.code), minuteMs)
  const granted = await application.exchange(walk)
  assert.equal(granted.expires_in, 3600)
  assert.equal(await lasts("AccessToken", granted.access_token), hourMs)
  assert.equal(await lasts("RefreshToken", granted.refresh_token as string), 30 * dayMs)
  assert.equal(await lasts("ClientCredentials", await application.clientToken()), hourMs)
  const { grantId = "" } = await row("AccessToken", granted.access_token)
  assert.equal(await lasts("Grant", grantId), 90 * dayMs)

  const cookie = sessionCookie(walk.visitor)
  const sessionMs = await lasts("Session", cookie.value)
  assert.ok(sessionMs <= dayMs && sessionMs > dayMs - minuteMs, `${sessionMs}`)
  const sentMs = cookieMs(cookie)
  assert.ok(sentMs <= dayMs && sentMs > dayMs - minuteMs, `${sentMs}`)
})

test("use does not extend a sign-in beyond its day", async () => {
  const walk = await walked()
  const ends = (await row("Session", sessionCookie(walk.visitor).value)).expiresAt
  petstore.clock.advance(20 * hourMs)
  await walked(walk.visitor)
  const cookie = sessionCookie(walk.visitor)
  assert.ok((await row("Session", cookie.value)).expiresAt <= ends)
  assert.ok(cookieMs(cookie) <= 4 * hourMs)
  petstore.clock.advance(4 * hourMs)
  const { html } = await walk.visitor.go((await application.ask("read:pets")).url)
  assert.match(html, /<h1>Sign in<\/h1>/)
})

test("a sign-in lasts until the end of its day", async () => {
  const walk = await walked()
  const { expiresAt } = await row("Session", sessionCookie(walk.visitor).value)
  const page = async () => (await walk.visitor.go((await application.ask("read:orders")).url)).html
  petstore.clock.advance(expiresAt - petstore.clock.now() - 1)
  assert.match(await page(), /Allow Sample application/)
  petstore.clock.advance(1_000)
  assert.match(await page(), /<h1>Sign in<\/h1>/)
})

test("a refresh token lives 30 days from its last use, and never longer than the consent's 90 days", async () => {
  const granted = await application.exchange(await walked())
  const given = petstore.clock.now()
  const dayOf = (day: number) => petstore.clock.advance(given + day * dayMs - petstore.clock.now())
  let { refresh_token: token = "" } = granted
  for (const day of [29, 58, 87]) {
    dayOf(day)
    token = (await application.refresh(token)).refresh_token as string
    assert.equal((await row("RefreshToken", token)).expiresAt, petstore.clock.now() + 30 * dayMs)
  }
  petstore.clock.advance(3 * dayMs - 1000)
  const last = await application.refresh(token)
  assert.ok(await opens(last.access_token))
  dayOf(90)
  assert.equal(await opens(last.access_token), false, "an access token outlives the consent")
  await assert.rejects(application.refresh(last.refresh_token as string), refusedWith("invalid_grant"))

  const unused = (await application.exchange(await walked())).refresh_token as string
  petstore.clock.advance(30 * dayMs)
  await assert.rejects(application.refresh(unused), refusedWith("invalid_grant"))
})

test("consenting again, or to more, does not extend the consent", async () => {
  const first = await walked()
  const grantId = (await row("AuthorizationCode", first.code)).grantId as string
  const { expiresAt } = await row("Grant", grantId)
  petstore.clock.advance(12 * hourMs)
  const wider = await walked(first.visitor, "read:pets read:orders")
  assert.equal((await row("AuthorizationCode", wider.code)).grantId, grantId)
  const after = (await row("Grant", grantId)).expiresAt
  assert.ok(Math.abs(after - expiresAt) <= 2_000 && after <= expiresAt, `${after - expiresAt}`)
})
