import assert from "node:assert/strict"
import { test } from "node:test"
import { appoint, signedIn } from "../../harness/console.ts"
import { before, usePetstore } from "../../harness/use.ts"

const petstore = usePetstore()
before(() => appoint(petstore))

test("an admin opens an account, finds it in the list and changes its plan", async () => {
  const admin = await signedIn(petstore, "admin")
  await admin.go("/console/accounts/new")
  const wrong = await admin.submit({ action: "open", name: " ", plan: "golden" })
  assert.equal(wrong.status, 422)
  assert.match(wrong.html, /id="name-error">Name must not be blank/)
  assert.match(wrong.html, /id="plan-error">Plan must be/)
  const opened = await admin.submit({ action: "open", name: "Paws Ltd", plan: "free" })
  assert.match(opened.html, /Paws Ltd was opened/)
  assert.match((await admin.go("/console/accounts")).html, /Paws Ltd<\/a><\/td><td><span class="badge plain">free/)
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
