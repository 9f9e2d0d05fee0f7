import assert from "node:assert/strict"
import { DatabaseSync } from "node:sqlite"
import { test } from "node:test"
import { useSampleApplication } from "../harness/oauth.ts"
import { person } from "../harness/person.ts"
import { before, usePetstore } from "../harness/use.ts"

const petstore = usePetstore()
const application = useSampleApplication(petstore)
const secrets: string[] = []
let latest = 0

/** The entries since the last call, oldest first. */
async function news() {
  const { value } = await petstore.as("special-key").listAudit()
  const fresh = value.filter(({ id }) => id > latest).reverse()
  latest = value[0]?.id ?? latest
  return fresh
}
before(news)

const told = async () => (await news()).map(({ action, principal, thing }) => `${principal} ${action} ${thing}`)

async function allow(visitor = person(petstore.url)) {
  const asked = await application.ask("read:pets")
  await visitor.go(asked.url)
  await visitor.signIn("user1", "password1")
  const { url: back } = await visitor.allow()
  const issued = await application.exchange({ ...asked, back })
  secrets.push(issued.access_token, issued.refresh_token ?? "", back.searchParams.get("code") ?? "", asked.verifier)
  secrets.push(...visitor.cookies().map(({ value }) => value))
  return { asked, back, visitor, issued }
}

/** A person on the page of their consents. */
async function atConsents() {
  const visitor = person(petstore.url)
  await visitor.go("/console/consents")
  await visitor.signIn("user1", "password1")
  return visitor
}

test("a sign-in and a consent on the pages are logged with the person and the request, once each", async () => {
  await allow()
  const entries = await news()
  assert.deepEqual(
    entries.map(({ action, principal, thing }) => `${principal} ${action} ${thing}`),
    ["user:1001 session.created user:1001", "user:1001 consent.given consent:1"],
  )
  for (const { address, requestId } of entries) assert.ok(address === "127.0.0.1" && requestId)
  assert.deepEqual(entries[1]?.details, { clientId: "sample-client-id" })
})

test("the actor is correct while another request stores something at the same time", async () => {
  let isBusy = true
  const busy = (async () => {
    while (isBusy) await petstore.store.transaction(async () => {})
  })()
  await allow()
  isBusy = false
  await busy
  const entries = await news()
  assert.deepEqual(
    entries.map(({ action, principal }) => `${principal} ${action}`),
    ["user:1001 session.created", "user:1001 consent.given"],
  )
  for (const { address, requestId } of entries) assert.ok(address === "127.0.0.1" && requestId)
})

test("a refused sign-in on the pages is logged", async () => {
  const visitor = person(petstore.url)
  await visitor.go((await application.ask("read:pets")).url)
  await visitor.signIn("user2", "typed wrong")
  assert.deepEqual(await told(), ["anonymous login.refused user:1002"])
})

test("an ended consent is logged, whether on its page or because a code was used twice", async () => {
  await allow()
  const visitor = await atConsents()
  await news()
  await visitor.submit({ action: "end", consent: "3" })
  assert.deepEqual(await told(), ["user:1001 consent.ended consent:3"])
  await visitor.go("/console/consents")
  await visitor.submit({ action: "end", consent: "3" })
  assert.deepEqual(await told(), [], "a consent ends once")

  const { asked, back } = await allow()
  await news()
  await assert.rejects(application.exchange({ ...asked, back }))
  assert.deepEqual(await told(), ["anonymous consent.ended consent:4"])
})

test("no column holds a code, a token or a cookie", () => {
  using db = new DatabaseSync(petstore.databaseFile, { readOnly: true })
  const columns = db
    .prepare("SELECT * FROM audit")
    .all()
    .flatMap((row) => Object.values(row).map(String))
  const sought = secrets.filter((secret) => secret.length > 8)
  assert.ok(sought.length > 9, `${sought.length}`)
  assert.deepEqual(
    sought.filter((secret) => columns.some((text) => text.includes(secret))),
    [],
  )
})

test("ending a consent makes the same entry from its page and from the API, except for the credential", async () => {
  await allow()
  await allow()
  const { value: token } = await petstore.as("").logIn({ body: { username: "user1", password: "password1" } })
  const [second, first] = (await petstore.withToken(token).listConsents()).value
  const visitor = await atConsents()
  await news()
  await visitor.submit({ action: "end", consent: String(first?.id) })
  await petstore.withToken(token).endConsent({ params: { id: second?.id as number } })
  const [page, own] = await news()
  const facts = ({ action, result, principal, account, address, details }: NonNullable<typeof page>) => ({
    action,
    result,
    principal,
    account,
    address,
    details,
  })
  assert.ok(page && own)
  assert.deepEqual(facts(page), facts(own))
  for (const { credential } of [page, own]) assert.match(credential ?? "", /^session:\d+$/)
})
