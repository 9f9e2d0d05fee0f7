import assert from "node:assert/strict"
import { describe, test } from "node:test"
import { allScopes, scopes } from "../../../src/core/domain/scopes.ts"
import { appoint, passwordOf, people, signedIn } from "../../harness/console.ts"
import { furnish } from "../../harness/console-content.ts"
import { hostileTexts, requireAsText } from "../../harness/hostile-texts.ts"
import { refusedAs } from "../../harness/petstore.ts"
import { before, usePetstore } from "../../harness/use.ts"

// The tests send more forms than a plan allows, while the clock stands still.
const petstore = usePetstore({ env: { PETSTORE_PLAN_FREE: "unlimited" } })
before(() => appoint(petstore))
const special = petstore.as("special-key")

/** A signed-in user who has just entered their password. */
async function confirmed(role: "admin" | "staff" | "customer" = "admin") {
  const visitor = await signedIn(petstore, role)
  await visitor.go("/console/keys/new")
  const draft = { action: "create", name: "To begin with", scopes: "read:pets" }
  if (role === "admin") await visitor.submit({ ...draft, "console-password": passwordOf(people.admin) })
  return visitor
}

const secretIn = (html: string, pattern: RegExp) => pattern.exec(html)?.[0] ?? ""
const keySecret = /psk_\w{49}/
const idIn = (html: string, thing: string) => Number(new RegExp(`/console/${thing}/(\\d+)"`).exec(html)?.[1])
const headings = (html: string) => [...html.matchAll(/<h1>(.*?)<\/h1>/g)].map(([, text]) => text)

describe("a key", () => {
  test("is created with the password, shown once, and works within its limits", async () => {
    const visitor = await signedIn(petstore, "admin")
    await visitor.go("/console/keys/new")
    const draft = { action: "create", name: "Import", scopes: "read:pets", allowedCidrs: "127.0.0.0/8\r\n::1/128\r\n" }
    const asked = await visitor.submit({ ...draft, expiresAt: "2026-02-01T12:30" })
    assert.match(asked.html, /Confirm with your password/)
    const shown = await visitor.submit({ "console-password": passwordOf(people.admin) })
    assert.deepEqual(headings(shown.html), ["Import was created"])
    const secret = secretIn(shown.html, keySecret)
    assert.ok(shown.html.includes(`data-copy="${secret}"`))
    assert.equal((await petstore.as(secret).getPetById({ params: { petId: 1 } })).status, 200)
    await assert.rejects(petstore.as(secret).addPet({ body: { name: "a", photoUrls: [] } }), refusedAs("forbidden"))

    const id = idIn(shown.html, "keys")
    const { value: key } = await special.getKey({ params: { id } })
    assert.deepEqual(
      { allowedCidrs: key.allowedCidrs, expiresAt: key.expiresAt, scopes: key.scopes },
      { allowedCidrs: ["127.0.0.0/8", "::1/128"], expiresAt: "2026-02-01T12:30:00.000Z", scopes: ["read:pets"] },
    )
    for (const path of ["/console/keys", `/console/keys/${id}`]) {
      const { html } = await visitor.go(path)
      assert.ok(html.includes("Import"))
      assert.doesNotMatch(html, keySecret)
    }
  })

  test("has the selected scopes, of those that the user has", async () => {
    const visitor = await confirmed()
    const { html } = await visitor.go("/console/keys/new")
    const offered = [...html.matchAll(/name="scopes" value="([^"]+)"/g)].map(([, scope]) => scope)
    assert.deepEqual(offered, allScopes)
    for (const words of Object.values(scopes)) assert.ok(html.includes(words))
    const shown = await visitor.submit({ action: "create", name: "Both", scopes: ["read:pets", "read:orders"] })
    const { value: key } = await special.getKey({ params: { id: idIn(shown.html, "keys") } })
    assert.deepEqual(key.scopes, ["read:pets", "read:orders"])
  })

  test("that is invalid is refused with an error at each field, and the input is kept", async () => {
    const visitor = await confirmed()
    await visitor.go("/console/keys/new")
    const fields = { name: " ", allowedCidrs: "10.0.0.0/8\r\nnowhere", expiresAt: "2020-01-01T00:00" }
    const { status, html } = await visitor.submit({ action: "create", scopes: ["read:pets", "admin"], ...fields })
    assert.equal(status, 422)
    for (const field of ["name", "allowedCidrs"]) assert.match(html, new RegExp(`id="[\\w-]+-${field}-error"`))
    for (const kept of ["nowhere", 'value="2020-01-01T00:00"', 'value="read:pets" checked', 'value="admin" checked'])
      assert.ok(html.includes(kept), kept)
    await visitor.go("/console/keys/new")
    const late = await visitor.submit({
      action: "create",
      name: "Late",
      scopes: "read:pets",
      expiresAt: "2020-01-01T00:00",
    })
    assert.match(late.html, /id="[\w-]+-expiresAt-error">Expires must be a time in the future/)
    const none = await visitor.submit({ action: "create", name: "None" })
    assert.match(none.html, /id="[\w-]+-scopes-error"/)
  })

  test("is rotated with an overlap, once, and revoked from the next request on", async () => {
    const visitor = await confirmed()
    await visitor.go("/console/keys/new")
    const made = await visitor.submit({ action: "create", name: "Turning", scopes: "read:pets" })
    const old = secretIn(made.html, keySecret)
    const at = `/console/keys/${idIn(made.html, "keys")}`
    await visitor.go(at)
    assert.equal((await visitor.submit({ action: "rotate", overlap: "31 days" })).status, 400)
    const rotated = await visitor.submit({ action: "rotate", overlap: "3600" })
    assert.match(rotated.html, /The old key works for another 1 hour/)
    const fresh = secretIn(rotated.html, keySecret)
    assert.notEqual(fresh, old)
    for (const key of [old, fresh]) assert.equal((await petstore.as(key).listPets()).status, 200)
    const { html } = await visitor.go(at)
    assert.match(html, /replaced by another key/)
    assert.doesNotMatch(html, /Rotate the key/)
    petstore.clock.advance(3600_000)
    await assert.rejects(petstore.as(old).listPets(), refusedAs("unauthorized"))

    const again = await signedIn(petstore, "admin")
    await again.go(`/console/keys/${idIn(rotated.html, "keys")}`)
    await again.submit({ action: "revoke" })
    assert.equal((await petstore.as(fresh).listPets()).status, 200)
    const gone = await again.submit({ "console-password": passwordOf(people.admin) })
    assert.match(gone.html, /The key was revoked/)
    await assert.rejects(petstore.as(fresh).listPets(), refusedAs("unauthorized"))
  })

  test("is listed with its last use, and in pages", async () => {
    const visitor = await confirmed("admin")
    await visitor.go("/console/keys/new")
    const made = await visitor.submit({ action: "create", name: "Used", scopes: "read:pets" })
    const uses = [{ id: idIn(made.html, "keys"), at: Date.UTC(2026, 0, 3, 4, 5) }]
    await petstore.store.transaction((tx) => tx.keys.used(uses))
    for (let n = 0; n < 25; n++) {
      await visitor.go("/console/keys/new")
      await visitor.submit({ action: "create", name: `Many ${n}`, scopes: "read:pets" })
    }
    const first = await visitor.go("/console/keys")
    assert.match(first.html, /Many 24/)
    const next = /<a href="([^"]+)" rel="next"/.exec(first.html)?.[1] ?? ""
    assert.match(
      (await visitor.go(next)).html,
      />Used<\/a><\/span><\/td><td.*?<\/td><td[^>]*><time [^>]*title="2026-01-03 04:05:00 UTC"/,
    )
  })
})

describe("an application", () => {
  test("is registered with a secret shown once, changed, given a new secret and deleted", async () => {
    const visitor = await confirmed()
    await visitor.go("/console/applications/new")
    const redirectUris = "https://walker.example/callback\r\nhttp://localhost:9/callback"
    const fields = { name: "Pet walker", type: "confidential", redirectUris, scopes: ["read:pets", "read:orders"] }
    const shown = await visitor.submit({ action: "register", ...fields })
    assert.match(shown.html, /data-copy="poc_[\w-]+"/)
    const secret = secretIn(shown.html, /pos_[\w-]+/)
    assert.ok(secret)
    const at = `/console/applications/${idIn(shown.html, "applications")}`
    assert.doesNotMatch((await visitor.go(at)).html, /pos_/)

    const saved = await visitor.submit({ action: "save", name: "Dog walker", redirectUris: "", scopes: "read:pets" })
    assert.match(saved.html, /Dog walker was saved/)
    assert.match(saved.html, /value="read:orders">/)
    assert.match(saved.html, /value="read:pets" checked/)
    const rotated = await visitor.submitTo(at, { action: "rotate" })
    assert.notEqual(secretIn(rotated.html, /pos_[\w-]+/), secret)
    await visitor.go(at)
    assert.match((await visitor.submit({ action: "delete" })).html, /The application was deleted/)
    assert.equal((await visitor.go(at)).status, 404)
  })

  test("that is public has no secret and requires a redirect URI", async () => {
    const visitor = await confirmed()
    await visitor.go("/console/applications/new")
    const fields = { action: "register", name: "In a browser", type: "public", scopes: "read:pets" }
    const refused = await visitor.submit({ ...fields, redirectUris: "http://elsewhere.example" })
    assert.match(refused.html, /id="[\w-]+-redirectUris-error">Redirect URIs must be an https address/)
    const none = await visitor.submit({ ...fields, redirectUris: "" })
    assert.match(none.html, /id="[\w-]+-redirectUris-error">Redirect URIs must not be empty for a public client/)
    const made = await visitor.submit({ ...fields, redirectUris: "https://browser.example/" })
    assert.match(made.html, /In a browser was registered/)
    assert.doesNotMatch(made.html, /pos_|Rotate the secret/)
  })
})

test("a user sees and revokes their own consents only (slow)", async () => {
  await furnish(petstore)
  const [customer, staff] = [await signedIn(petstore, "customer"), await signedIn(petstore, "staff")]
  const { html } = await customer.go("/console/consents")
  assert.match(html, /Sample application/)
  assert.match(html, /See the pets/)
  const consent = /name="consent" value="(\d+)"/.exec(html)?.[1] ?? ""
  await staff.go("/console/consents")
  assert.equal((await staff.submit({ action: "end", consent })).status, 404)
  const ended = await customer.submit({ action: "end", consent })
  assert.match(ended.html, /The consent was revoked/)
  assert.match(ended.html, /You have given no consents/)
  assert.match((await staff.go("/console/consents")).html, /Sample application/)
})

test("creating, rotating and revoking credentials requires the password", async () => {
  const visitor = await signedIn(petstore, "admin")
  for (const [path, action] of [
    ["/keys/new", "create"],
    ["/keys/1", "rotate"],
    ["/keys/1", "revoke"],
    ["/applications/new", "register"],
    ["/applications/3", "rotate"],
    ["/applications/3", "delete"],
    ["/webhooks/1/settings", "rotate"],
    ["/webhooks/1/settings", "delete"],
  ] as const) {
    await visitor.go("/console/consents")
    const { html } = await visitor.submitTo(`/console${path}`, { action, name: "a", scopes: "read:pets" })
    assert.match(html, /Confirm with your password/, `${path} ${action}`)
  }
})

test("a user without manage:keys cannot use the forms of keys and applications", async () => {
  for (const role of ["customer", "staff"] as const) {
    const visitor = await signedIn(petstore, role)
    await visitor.go("/console/consents")
    const attempts = [
      ["/console/keys/new", { action: "create", name: "Smuggled", scopes: "admin" }],
      ["/console/keys/1", { action: "revoke", "console-password": passwordOf(people[role]) }],
      ["/console/applications/new", { action: "register", name: "Smuggled", scopes: "admin" }],
      ["/console/applications/1", { action: "delete", "console-password": passwordOf(people[role]) }],
    ] as const
    for (const [path, fields] of attempts) assert.equal((await visitor.submitTo(path, fields)).status, 404, path)
  }
  assert.equal((await special.getKey({ params: { id: 1 } })).status, 200)
})

test("pages display names of keys, applications and consents as text (slow)", async () => {
  const visitor = await confirmed()
  for (const text of hostileTexts) {
    await visitor.go("/console/keys/new")
    const made = await visitor.submit({ action: "create", name: text, scopes: "read:pets" })
    const key = `/console/keys/${idIn(made.html, "keys")}`
    await visitor.go("/console/applications/new")
    const fields = {
      name: text,
      type: "confidential",
      redirectUris: 'https://a.example/"><script>',
      scopes: "read:pets",
    }
    const registered = await visitor.submit({ action: "register", ...fields })
    const application = `/console/applications/${idIn(registered.html, "applications")}`
    for (const { html } of [made, registered]) requireAsText(html, text, "shown once")
    for (const path of [key, "/console/keys", application, "/console/applications"])
      requireAsText((await visitor.go(path)).html, text, path)
    await visitor.go("/console/keys/new")
    const refused = await visitor.submit({ action: "create", name: text, allowedCidrs: text, expiresAt: text })
    requireAsText(refused.html, text, "the form")
  }
})

test("a form with errors is refused before the password is asked for", async () => {
  const admin = await signedIn(petstore, "admin")
  await admin.go("/console/keys/new")
  const refused = await admin.submit({ action: "create", name: "No scope" })
  assert.match(refused.html, /id="create-scopes-error"/)
  assert.doesNotMatch(refused.html, /console-password/)
  assert.match(
    (await admin.submit({ action: "create", name: "With scope", scopes: "read:pets" })).html,
    /console-password/,
  )
})

test("the page of a well-known key offers nothing that would be refused; that of another key does", async () => {
  const { html } = await (await signedIn(petstore, "admin")).go("/console/keys/1")
  assert.match(html, /well-known key of the sandbox/)
  assert.doesNotMatch(html, /Rotate the key|Revoke this key/)
  const { value: own } = await petstore.as("special-key").createKey({ body: { name: "own", scopes: ["read:pets"] } })
  const other = await (await signedIn(petstore, "admin")).go(`/console/keys/${own.id}`)
  for (const offer of [/Rotate the key/, /Revoke this key/]) assert.match(other.html, offer)
  assert.doesNotMatch(other.html, /well-known key/)
})
