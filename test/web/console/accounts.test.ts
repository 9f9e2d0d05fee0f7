import assert from "node:assert/strict"
import { test } from "node:test"
import { appoint, signedIn } from "../../harness/console.ts"
import { person } from "../../harness/person.ts"
import { before, usePetstore } from "../../harness/use.ts"

const petstore = usePetstore()
before(() => appoint(petstore))

test("an admin opens an account, finds it in the list and changes its plan", async () => {
  const admin = await signedIn(petstore, "admin")
  await admin.go("/console/accounts/new")
  const wrong = await admin.submit({ action: "open", name: " ", plan: "golden" })
  assert.equal(wrong.status, 422)
  assert.match(wrong.html, /id="[\w-]+-name-error">Name must not be blank/)
  assert.match(wrong.html, /id="[\w-]+-plan-error">Plan must be/)
  const opened = await admin.submit({ action: "open", name: "Paws Ltd", plan: "free" })
  assert.match(opened.html, /Paws Ltd was opened/)
  assert.match(
    (await admin.go("/console/accounts")).html,
    /Paws Ltd<\/a><\/span><\/td><td[^>]*><span class="badge plain">free/,
  )
  await admin.go(opened.url)
  assert.match(
    (await admin.submit({ action: "save", name: "Paws Inc", plan: "pro" })).html,
    /Paws Inc was saved with the plan pro/,
  )
  const id = Number(opened.url.pathname.split("/").at(-1))
  const { value } = await petstore.as("special-key").getAccount({ params: { id } })
  assert.deepEqual({ name: value.name, plan: value.plan }, { name: "Paws Inc", plan: "pro" })
})

test("an admin sees the usage of an account's plan", async () => {
  await petstore.as("free-key").getInventory()
  const chief = petstore.as("special-key")
  const { value: all } = await chief.listAccounts({ query: { limit: 1000 } })
  const { value: own } = await petstore.as("free-key").getOwnAccount()
  const { value } = await chief.getAccount({ params: { id: own.id } })
  assert.deepEqual(value.limits, own.limits)
  assert.deepEqual(
    value.limits.map(({ policy, used }) => [policy, used]),
    [
      ["minute", 1],
      ["day", 1],
    ],
  )
  const admin = await signedIn(petstore, "admin")
  assert.match((await admin.go(`/console/accounts/${own.id}`)).html, /1 of 60 requests used this minute/)
  const unlimited = all.find(({ plan }) => plan === "enterprise")
  assert.match((await admin.go(`/console/accounts/${unlimited?.id}`)).html, /No limits/)
})

test("an admin acts for another account until they choose another one or sign out", async () => {
  const special = petstore.as("special-key")
  const { value: pro } = await petstore.as("pro-key").getOwnAccount()
  const made = { url: "http://127.0.0.1:9/pro", events: ["pet.created" as const] }
  const { value: webhook } = await special.createWebhook(
    {
      body: made,
    },
    { headers: { "petstore-account": String(pro.id) } },
  )
  const admin = await signedIn(petstore, "admin")
  const own = Number(/accounts\/(\d+)">[^<]*<\/a> <a class="soft"/.exec((await admin.go("/console")).html)?.[1])
  assert.notEqual(own, pro.id)
  assert.equal((await admin.go(`/console/webhooks/${webhook.id}`)).status, 404)

  await admin.go(`/console/accounts/${pro.id}`)
  assert.match((await admin.submit({ action: "act" })).html, new RegExp(`You act for ${pro.name}`))
  assert.match((await admin.go("/console/webhooks")).html, /127\.0\.0\.1:9\/pro/)
  assert.doesNotMatch((await admin.go(`/console/accounts/${pro.id}`)).html, /Act for this account/)
  await admin.go(`/console/accounts/${own}`)
  await admin.submit({ action: "act" })
  assert.equal((await admin.go(`/console/webhooks/${webhook.id}`)).status, 404)

  await admin.go(`/console/accounts/${pro.id}`)
  await admin.submit({ action: "act" })
  await admin.submitTo("/console/sign-out", {})
  await admin.go("/console/sign-in")
  await admin.signIn("user3", "password3")
  assert.equal((await admin.go(`/console/webhooks/${webhook.id}`)).status, 404)
})

test("the sandbox's admin starts in the account of special-key, and no other user can act for an account", async () => {
  const { value: webhook } = await petstore
    .as("special-key")
    .createWebhook({ body: { url: "http://127.0.0.1:9/special", events: ["pet.created"] } })
  const visitor = person(petstore.url)
  await visitor.go("/console/sign-in")
  await visitor.signIn("admin", "admin")
  assert.equal((await visitor.go(`/console/webhooks/${webhook.id}`)).status, 200)
  const staff = await signedIn(petstore, "staff")
  staff.cookies().push({ name: "petstore_account", value: "1", path: "/console", attributes: [] })
  assert.equal((await staff.go(`/console/webhooks/${webhook.id}`)).status, 404)
})

test("the pages of accounts do not exist for staff", async () => {
  const staff = await signedIn(petstore, "staff")
  await staff.go("/console")
  for (const [path, action] of [
    ["/accounts/new", "open"],
    ["/accounts/1", "save"],
  ] as const)
    assert.equal(
      (await staff.submitTo(`/console${path}`, { action, name: "Smuggled", plan: "enterprise" })).status,
      404,
    )
  const { value } = await petstore.as("special-key").listAccounts()
  assert.ok(value.every(({ name }) => name !== "Smuggled"))
})

test("a cookie names an account only for the session in which an admin has chosen it", async () => {
  const chosen = async () => {
    const admin = await signedIn(petstore, "admin")
    await admin.go("/console/accounts/1")
    await admin.submit({ action: "act" })
    return admin
  }
  const offersToAct = async (visitor: Awaited<ReturnType<typeof signedIn>>) =>
    (await visitor.go("/console/accounts/1")).html.includes("Act for this account")
  const admin = await chosen()
  assert.equal(await offersToAct(admin), false)
  const cookie = admin.cookies().find(({ name }) => name === "petstore_account")
  assert.ok(cookie)
  const other = await signedIn(petstore, "admin")
  for (const value of ["1", "1.", cookie.value, `2.${cookie.value.split(".")[1]}`]) {
    other.cookies().push({ ...cookie, value })
    assert.equal(await offersToAct(other), true, value)
    other.cookies().pop()
  }
})
