import assert from "node:assert/strict"
import { describe, test } from "node:test"
import { roles } from "../../../src/core/domain/scopes.ts"
import { type ConsolePage, maySeePage } from "../../../src/parts/console/pages/page.ts"
import {
  addressOf,
  appoint,
  consolePages,
  type PersonRole,
  passwordOf,
  people,
  signedIn,
} from "../../harness/console.ts"
import { dump } from "../../harness/dump.ts"
import { person } from "../../harness/person.ts"
import { before, usePetstore } from "../../harness/use.ts"

// The tests send more forms than a plan allows, while the clock stands still.
const petstore = usePetstore({ env: { PETSTORE_PLAN_FREE: "unlimited" } })
before(() => appoint(petstore))
const api = petstore.as("special-key")

type Visitor = Awaited<ReturnType<typeof signedIn>>
type Sent = { page: ConsolePage; action: string; token?: string; headers?: Record<string, string> }

const urlOf = (page: ConsolePage) => `${petstore.url}/console${page.path === "/" ? "" : addressOf(page)}`
const mayBeSeen = (page: ConsolePage, role: PersonRole) =>
  maySeePage(page, { person: { role }, scopes: new Set(roles[role]) })
const isSignIn = ({ url }: { url: URL }) => url.pathname === "/console/sign-in"

/** All forms of all pages. */
const forms = consolePages.flatMap((page) => Object.keys(page.actions ?? {}).map((action) => ({ page, action })))

/** Sends a form like an attacker's page would; pages that accept files get it as both kinds. */
async function sendForms(visitor: Pick<Visitor, "go">, { page, action, token = "", headers = {} }: Sent) {
  const fields = { form: token, action }
  const bodies: [string, URLSearchParams | FormData][] = [[urlOf(page), new URLSearchParams(fields)]]
  if (page.takesFile) {
    const body = new FormData()
    body.set("file", new Blob(["name\nForged\n"]), "pets.csv")
    bodies.push([`${urlOf(page)}?${new URLSearchParams(fields)}`, body])
  }
  const responses = []
  for (const [url, body] of bodies)
    responses.push(await visitor.go(url, { method: "POST", body, headers: { origin: petstore.url, ...headers } }))
  return responses
}

const tokenOf = async (visitor: Visitor) => {
  await visitor.go("/console")
  return visitor.hidden().form ?? ""
}

/** Runs an attack and asserts that no row of the database has changed. */
async function changingNothing(attack: () => Promise<void>): Promise<void> {
  const earlier = dump(petstore.databaseFile)
  await attack()
  assert.deepEqual(dump(petstore.databaseFile), earlier)
}

describe("every form of the console", () => {
  test("is refused without its token, with that of another session, and from a page of another site (slow)", async () => {
    const [admin, other] = [await signedIn(petstore, "admin"), await signedIn(petstore, "admin")]
    const [token, foreign] = [await tokenOf(admin), await tokenOf(other)]
    const attacks = [
      {},
      { token: foreign },
      { token: `${token.slice(0, -1)}${token.endsWith("A") ? "B" : "A"}` },
      { token, headers: { origin: "https://evil.example" } },
      { token, headers: { origin: "null" } },
      { token, headers: { origin: "http://localhost:5173" } },
      { token, headers: { "sec-fetch-site": "cross-site" } },
      { token, headers: { "sec-fetch-site": "same-site" } },
    ]
    assert.ok(forms.length > 10)
    await changingNothing(async () => {
      for (const form of forms)
        for (const attack of attacks)
          for (const { status, headers } of await sendForms(admin, { ...form, ...attack })) {
            const where = `${form.page.path} ${form.action} ${JSON.stringify(attack)}`
            assert.equal(status, 403, where)
            // The guard of the sandbox responds to programs.
            if (headers.get("content-type") === "application/problem+json") continue
            assert.match(headers.get("content-security-policy") ?? "", /frame-ancestors 'none'$/, where)
            assert.equal(headers.get("x-frame-options"), "DENY", where)
          }
    })
  })

  test("is accepted with the session's token, so the refusals above are not general (slow)", async () => {
    for (const form of forms.filter(({ page }) => addressOf(page) === page.path)) {
      const admin = await signedIn(petstore, "admin")
      for (const { html } of await sendForms(admin, { ...form, token: await tokenOf(admin) }))
        assert.doesNotMatch(html, /This form has expired|from its own page/, `${form.page.path} ${form.action}`)
    }
  })

  for (const role of Object.keys(people) as PersonRole[])
    test(`returns 404 to ${role} when they may not see its page`, async () => {
      const visitor = await signedIn(petstore, role)
      const token = await tokenOf(visitor)
      const hidden = forms.filter(({ page }) => !mayBeSeen(page, role))
      assert.equal(hidden.length === 0, role === "admin")
      await changingNothing(async () => {
        for (const form of hidden)
          for (const { status } of await sendForms(visitor, { ...form, token }))
            assert.equal(status, 404, `${form.page.path} ${form.action}`)
      })
    })
})

describe("a session of the console that was ended elsewhere", () => {
  const ends: Record<string, (visitor: Visitor, username: string) => Promise<unknown>> = {
    "by its logout": (visitor) =>
      petstore.withToken(visitor.cookies().find(({ name }) => name === "petstore_console")?.value ?? "").logOut(),
    "by a new password": (_, username) =>
      api.resetPassword({ params: { username }, body: { password: passwordOf(username) } }),
    "with its person": (_, username) => api.deleteUser({ params: { username } }),
  }

  for (const [how, end] of Object.entries(ends))
    test(`${how} shows no page and accepts no form from the next request on (slow)`, async () => {
      const username = `ended-${Object.keys(ends).indexOf(how)}`
      const password = passwordOf(username)
      await api.createUser({ body: { username, password } })
      await api.grantRole({ params: { username, role: "staff" } })
      const visitor = person(petstore.url)
      await visitor.go("/console/sign-in")
      await visitor.signIn(username, password)
      const token = await tokenOf(visitor)
      assert.equal((await visitor.go("/console/pets")).status, 200)
      await end(visitor, username)
      await changingNothing(async () => {
        for (const page of consolePages) assert.ok(isSignIn(await visitor.go(urlOf(page))), page.path)
        for (const form of forms)
          for (const response of await sendForms(visitor, { ...form, token }))
            assert.ok(isSignIn(response), `${form.page.path} ${form.action}`)
      })
    })

  test("does not exist for anonymous visitors: they get no page (slow)", async () => {
    await changingNothing(async () => {
      for (const page of consolePages) assert.ok(isSignIn(await person(petstore.url).go(urlOf(page))), page.path)
      for (const form of forms)
        for (const response of await sendForms(person(petstore.url), form))
          assert.ok(isSignIn(response), form.page.path)
    })
  })
})

test("every route of the console is administrative, limited by address, and readable by no page of another site", async () => {
  const table = (await petstore.router.table()).filter(({ path }) => /^\/console($|\/)/.test(path))
  assert.ok(table.length > consolePages.length)
  for (const { path, routes } of table)
    for (const [method, { isAdministrative, admission }] of routes) {
      assert.deepEqual([isAdministrative, admission], [true, "files"], `${method} ${path}`)
      const ended = new AbortController()
      const url = petstore.url + path.replace(/\{\w+\}/g, "1").replace("*", "nothing")
      const { headers } = await fetch(url, {
        method,
        headers: { origin: "https://other.example" },
        redirect: "manual",
        signal: ended.signal,
      })
      ended.abort()
      assert.equal(headers.get("access-control-allow-origin"), null, `${method} ${path}`)
    }
})
