import assert from "node:assert/strict"
import { DatabaseSync } from "node:sqlite"
import { describe, test } from "node:test"
import { appoint, signedIn } from "../../harness/console.ts"
import { before, usePetstore } from "../../harness/use.ts"

const petstore = usePetstore()
before(() => appoint(petstore))
const api = petstore.as("special-key")

describe("the audit log in the console", () => {
  test("has the API's filters, and reports invalid combinations above the list", async () => {
    const { value: key } = await api.createKey({ body: { name: "Audited", scopes: ["read:pets"] } })
    const admin = await signedIn(petstore, "admin")
    const found = await admin.go(`/console/audit?action=&thing=key%3A${key.id}`)
    assert.match(found.html, /key\.created/)
    assert.doesNotMatch(found.html, />session\.created<\/a>/)
    assert.match((await admin.go("/console/audit?action=session.created")).html, />session\.created<\/a>/)
    const both = await admin.go("/console/audit?action=key.created&principal=user%3A1")
    assert.match(both.html, /role="alert">\w+ cannot be combined with \w+/)
    assert.match(both.html, /name="principal" value="user:1"/)
    assert.match((await admin.go("/console/audit?principal=user%3A999999")).html, /No entries match/)
    assert.match(
      (await admin.go("/console/audit?thing=%3Cscript%3E")).html,
      /id="thing-error" role="alert">This must be a name/,
    )
  })

  test("is filtered by time in UTC", async () => {
    petstore.clock.advance(3_600_000)
    const from = new Date(petstore.clock.now()).toISOString().slice(0, 16)
    petstore.clock.advance(60_000)
    const admin = await signedIn(petstore, "admin")
    const count = async (query: string) =>
      [...(await admin.go(`/console/audit?${query}`)).html.matchAll(/<tr role="row"><td/g)].length
    assert.equal(await count(`since=${from}`), 1)
    assert.equal(await count(`since=${from}&until=${from}`), 0)
    assert.ok((await count(`until=${from}`)) > 1)
    assert.match((await admin.go("/console/audit?since=soon")).html, /id="since-error" role="alert">This must be/)
  })

  test("continues on the next page, and an entry shows all its data", async () => {
    for (let n = 0; n < 30; n++) await api.createKey({ body: { name: `Many ${n}`, scopes: ["read:pets"] } })
    const admin = await signedIn(petstore, "admin")
    const first = await admin.go("/console/audit?action=key.created")
    const next = /<a href="([^"]+)" rel="next"/.exec(first.html)?.[1]?.replaceAll("&amp;", "&") ?? ""
    assert.match(next, /action=key\.created/)
    assert.match((await admin.go(next)).html, /key\.created.*Previous page/s)
    const [entry] = (await api.listAudit({ query: { limit: 1, action: "key.created" } })).value
    assert.ok(entry)
    const { html } = await admin.go(`/console/audit/${entry.id}`)
    for (const told of [entry.principal, entry.thing ?? "", entry.requestId ?? "", entry.hash, entry.previous])
      assert.ok(html.includes(told), told)
    assert.match(html, /This entry is unchanged and follows/)
    for (const id of ["0", "999999", "9007199254740991", "x"])
      assert.equal((await admin.go(`/console/audit/${id}`)).status, 404, id)
  })

  test("names users, keys and accounts with links, and keeps the reference of what is gone or not one's own", async () => {
    const body = { username: "leaving", password: "a long password" }
    const { value: user } = await api.createUser({ body })
    await api.grantRole({ params: { username: "leaving", role: "staff" } })
    const { value: webhook } = await api.createWebhook({
      body: { url: "http://127.0.0.1:1/", description: "<Theirs>" },
    })
    const admin = await signedIn(petstore, "admin")
    const roles = "/console/audit?action=user.role-changed"
    const named = `title="user:${user.id}"><a href="/console/users/named/leaving">leaving</a>`
    assert.ok((await admin.go(roles)).html.includes(named))
    const webhooks = `/console/audit?thing=webhook%3A${webhook.id}`
    assert.match((await admin.go(webhooks)).html, new RegExp(`<td[^>]*>webhook:${webhook.id}</td>`))
    await admin.go("/console/accounts/1")
    await admin.submit({ action: "act" })
    const { html } = await admin.go(webhooks)
    assert.ok(html.includes(`<a href="/console/webhooks/${webhook.id}">&lt;Theirs&gt;</a>`))
    assert.match(html, /<a href="\/console\/keys\/1">special-key<\/a>/)
    const [entry] = (await api.listAudit({ query: { limit: 1, thing: `webhook:${webhook.id}` } })).value
    const shown = await admin.go(`/console/audit/${entry?.id}`)
    assert.match(shown.html, new RegExp(`</a></span> <span class="soft">webhook:${webhook.id}</span>`))
    assert.match(shown.html, /<a href="\/console\/accounts\/1">/)
    await api.deleteUser({ params: { username: "leaving" } })
    assert.match((await admin.go(roles)).html, new RegExp(`<td[^>]*>user:${user.id}</td>`))
  })

  test("detects a changed entry, and one whose predecessor was changed", async () => {
    const admin = await signedIn(petstore, "admin")
    const id = (await api.listAudit({ query: { limit: 1 } })).value[0]?.id ?? 0
    await tamper(`UPDATE audit SET json = replace(json, '"done"', '"gone"') WHERE id = ${id - 1}`)
    assert.match((await admin.go(`/console/audit/${id - 1}`)).html, /This entry was changed/)
    assert.match((await admin.go(`/console/audit/${id}`)).html, /This entry is unchanged and follows/)
    await tamper(`DELETE FROM audit WHERE id = ${id - 1}`)
    assert.match((await admin.go(`/console/audit/${id}`)).html, /was changed, replaced or removed/)
  })

  /** Changes the database file directly; the service reads it after its next write. */
  async function tamper(sql: string): Promise<void> {
    {
      using db = new DatabaseSync(petstore.databaseFile)
      db.exec(sql)
    }
    await api.addPet({ body: { name: "Written", photoUrls: [] } })
  }
})
