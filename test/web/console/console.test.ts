import assert from "node:assert/strict"
import { readFile } from "node:fs/promises"
import { describe, test } from "node:test"
import { roles } from "../../../src/core/domain/scopes.ts"
import { maySeePage } from "../../../src/parts/console/pages/page.ts"
import {
  addressOf,
  appoint,
  consolePages,
  isThere,
  type PersonRole,
  pageAt,
  passwordOf,
  people,
  signedIn,
} from "../../harness/console.ts"
import { furnish } from "../../harness/console-content.ts"
import { hostileTexts, requireAsText } from "../../harness/hostile-texts.ts"
import { person } from "../../harness/person.ts"
import { startPetstore } from "../../harness/petstore.ts"
import { before, usePetstore } from "../../harness/use.ts"

const petstore = usePetstore()
before(() => appoint(petstore))
const roleNames = Object.keys(people) as PersonRole[]

type Visitor = ReturnType<typeof person>
const tokenOf = (visitor: Visitor) => visitor.cookies().find(({ name }) => name === "petstore_console")?.value ?? ""
const isSignIn = ({ url }: { url: URL }) => url.pathname === "/console/sign-in"

/** An address of every page, with existing resources. */
const addresses = consolePages.map(addressOf)
before(() => furnish(petstore))

describe("signing in", () => {
  test("returns to the requested page, and never to another site", async () => {
    const wanted = person(petstore.url)
    assert.equal((await wanted.go("/console/pets?status=sold")).url.search, "?next=%2Fpets%3Fstatus%3Dsold")
    assert.equal((await wanted.signIn("user1", "password1")).url.href, `${petstore.url}/console/pets?status=sold`)
    for (const next of [
      "https://evil.example/",
      "//evil.example",
      "/\\evil.example",
      "/a\r\nset-cookie: a=b",
      ".evil.example",
      "/../docs",
      "/..",
      "/pets/../../docs",
      "/%2e%2E/docs",
      "/.%2e/docs",
      "/\\..\\..\\docs",
      "/..\\docs",
    ]) {
      const visitor = person(petstore.url)
      await visitor.go(`/console/sign-in?${new URLSearchParams({ next })}`)
      const { url } = await visitor.signIn("user1", "password1")
      assert.equal(url.origin, petstore.url, next)
      assert.match(url.pathname, /^\/console(\/|$)/, next)
    }
  })

  test("offers a user of each role in the sandbox, and tells how to create the first user where there is none (slow)", async () => {
    await using sandbox = await startPetstore()
    for (const role of roleNames) {
      const visitor = person(sandbox.url)
      const { html } = await visitor.go("/console/sign-in")
      const offered = new RegExp(
        `name="username" value="([^"]+)">\\s*<input[^>]*name="password" value="([^"]+)">\\s*<button[^>]*>${role}</button>`,
      )
      const [, username = "", password = ""] = offered.exec(html) ?? assert.fail(html)
      await visitor.signIn(username, password)
      const { value } = await sandbox.as("special-key").getRole({ params: { username } })
      assert.deepEqual([(await visitor.go("/console")).url.pathname, value.role], ["/console", role])
      assert.doesNotMatch(html, /There are no users/)
    }

    const env = { PETSTORE_PROFILE: "production", PETSTORE_PUBLIC_URL: "https://petstore.example" }
    await using production = await startPetstore({ env })
    const page = async () => (await person(production.url).go("/console/sign-in")).html
    assert.match(await page(), /There are no users yet\..*petstore users grant NAME admin/s)
    assert.doesNotMatch(await page(), /This is a sandbox/)
    await production.as("").createUser({ body: { username: "first", password: "a long password" } })
    assert.doesNotMatch(await page(), /There are no users/)
  })

  test("has the messages, audit entries and throttling of a login", async () => {
    const visitor = person(petstore.url)
    await visitor.go("/console/sign-in")
    for (let n = 0; n < 10; n++) assert.equal((await visitor.signIn("user9", "wrong")).status, 400)
    const refused = await visitor.signIn("user9", "password9")
    assert.equal(refused.status, 429)
    assert.match(refused.html, /Try again in 15 minutes/)
    assert.ok(Number(refused.headers.get("retry-after")) > 0)
    const { value: wrong } = await petstore.as("special-key").listAudit({ query: { action: "login.refused" } })
    assert.equal(wrong.length, 10)

    await signedIn(petstore, "customer")
    const { value: logins } = await petstore.as("special-key").listAudit({ query: { action: "session.created" } })
    assert.equal(logins[0]?.principal, "user:1001")
  })

  test("starts a new session with any cookie, and ends the previous one", async () => {
    const visitor = await signedIn(petstore, "customer")
    const first = tokenOf(visitor)
    const planted = person(petstore.url)
    await planted.go("/console/sign-in")
    const again = await sendSignIn(planted, { cookie: `petstore_console=${first}` })
    const second = /petstore_console=(pss_\w+)/.exec(again)?.[1]
    assert.ok(second && second !== first)
    assert.ok(isSignIn(await visitor.go("/console")))
  })

  test("requires a form of this service that this browser requested", async () => {
    const visitor = person(petstore.url)
    await visitor.go("/console/sign-in")
    assert.equal((await visitor.submit({ username: "user1", password: "password1", form: "made-up" })).status, 403)
    await visitor.go("/console/sign-in")
    const foreign: Record<string, string>[] = [
      { origin: "https://evil.example" },
      { origin: "http://localhost:5173" },
      { "sec-fetch-site": "cross-site" },
      { "sec-fetch-site": "same-site" },
    ]
    for (const headers of foreign)
      assert.equal((await visitor.submit({ username: "user1", password: "password1" }, headers)).status, 403)
    assert.equal(tokenOf(visitor), "")
  })

  /** Signs in with another cookie; returns the response's cookies. */
  async function sendSignIn(visitor: Visitor, { cookie }: { cookie: string }): Promise<string> {
    const [form] = visitor.cookies()
    const response = await fetch(`${petstore.url}/console/sign-in`, {
      method: "POST",
      redirect: "manual",
      headers: { cookie: `${form?.name}=${form?.value}; ${cookie}` },
      body: new URLSearchParams({ form: form?.value ?? "", username: "user1", password: "password1" }),
    })
    assert.equal(response.status, 303)
    return response.headers.getSetCookie().join("\n")
  }
})

describe("a session of the console", () => {
  test("is a session of the API, inaccessible to scripts and other sites", async () => {
    const visitor = await signedIn(petstore, "customer")
    const { value: account } = await petstore.withToken(tokenOf(visitor)).getOwnAccount()
    assert.equal(account.name, "user1")
    const cookie = visitor.cookies().find(({ name }) => name === "petstore_console")
    assert.deepEqual(cookie?.attributes, ["path=/", "max-age=43200", "samesite=strict", "httponly"])
  })

  test("ends immediately with a logout in the console or the API, and in the browser, too", async () => {
    const [one, other] = [await signedIn(petstore, "customer"), await signedIn(petstore, "customer")]
    const token = tokenOf(one)
    await one.go("/console")
    assert.ok(isSignIn(await one.submitTo("/console/sign-out", {})))
    assert.equal(tokenOf(one), "")
    await assert.rejects(petstore.withToken(token).getOwnAccount())
    await petstore.withToken(tokenOf(other)).logOut()
    assert.ok(isSignIn(await other.go("/console")))
  })

  test("has the current scopes of the role", async () => {
    const visitor = await signedIn(petstore, "staff")
    assert.equal((await visitor.go("/console/pets/new")).status, 200)
    await petstore.as("special-key").grantRole({ params: { username: people.staff, role: "customer" } })
    const after = await visitor.go("/console/pets/new")
    assert.ok(after.status === 404 || isSignIn(after))
    await appoint(petstore)
  })

  test("does not count against the plan", async () => {
    const visitor = await signedIn(petstore, "customer")
    for (let n = 0; n < 5; n++) await visitor.go("/console/pets")
    assert.match((await visitor.go("/console")).html, /0 of 60 requests used this minute/)
  })

  test("over https has a cookie that only this host can set", async () => {
    const secure = await (await import("../../harness/petstore.ts")).startPetstore({
      env: { PETSTORE_PUBLIC_URL: "https://pets.example" },
    })
    const shown = await fetch(`${secure.url}/console/sign-in`)
    const [, form = ""] = /petstore_form=([\w-]+)/.exec(shown.headers.getSetCookie().join()) ?? []
    const response = await fetch(`${secure.url}/console/sign-in`, {
      method: "POST",
      redirect: "manual",
      headers: { cookie: `petstore_form=${form}`, origin: "https://pets.example" },
      body: new URLSearchParams({ form, username: "user1", password: "password1" }),
    })
    await secure[Symbol.asyncDispose]()
    assert.match(
      response.headers.getSetCookie().join(),
      /^__Host-petstore_console=pss_\w+; path=\/; max-age=\d+; samesite=strict; secure; httponly$/,
    )
  })
})

describe("a form of the console", () => {
  test("has no effect without the token of this session, or from another page", async () => {
    const [visitor, other] = [await signedIn(petstore, "staff"), await signedIn(petstore, "admin")]
    await other.go("/console/pets/new")
    const foreign = other.hidden().form ?? ""
    const fields = { action: "add", name: "Forged", status: "available", photoUrls: "" }
    await visitor.go("/console/pets/new")
    const attempts = [
      () => visitor.submit({ ...fields, form: "" }),
      () => visitor.submit({ ...fields, form: foreign }),
      () => visitor.submit(fields, { origin: "https://evil.example" }),
      () => visitor.submit(fields, { origin: "http://localhost:5173" }),
      () => visitor.submit(fields, { "sec-fetch-site": "cross-site" }),
      () => visitor.submit(fields, { "sec-fetch-site": "same-site" }),
    ]
    for (const attempt of attempts) {
      await visitor.go("/console/pets/new")
      assert.equal((await attempt()).status, 403)
    }
    assert.doesNotMatch((await visitor.go("/console/pets")).html, /Forged/)
    await visitor.go("/console/pets/new")
    assert.match((await visitor.submit(fields)).html, /Forged was added/)
    assert.ok(isSignIn(await person(petstore.url).go("/console/pets/new")))
  })

  test("shows errors at their fields and keeps the input", async () => {
    const visitor = await signedIn(petstore, "staff")
    await visitor.go("/console/pets/new")
    const fields = { action: "add", name: " ", category: "Dogs", tags: "", photoUrls: "javascript:alert(1)" }
    const { status, html } = await visitor.submit(fields)
    assert.equal(status, 422)
    assert.match(html, /aria-invalid="true" aria-describedby="[\w-]+-name-error"/)
    assert.match(html, /id="[\w-]+-name-error">Name must not be blank/)
    assert.match(html, /id="[\w-]+-photoUrls-error">Photo URLs must be an http/)
    assert.match(html, /name="category" type="text" value="Dogs"/)
  })

  test("does not overwrite concurrent changes", async () => {
    const visitor = await signedIn(petstore, "staff")
    await visitor.go("/console/pets/2")
    await petstore.as("special-key").patchPet({ params: { petId: 2 }, body: { name: "Renamed" } })
    const { status, html } = await visitor.submit({ name: "Mine", photoUrls: "", ...only("save") })
    assert.equal(status, 412)
    assert.match(html, /role="alert"/)
    assert.equal((await petstore.as("special-key").getPetById({ params: { petId: 2 } })).value.name, "Renamed")
  })

  test("with an irreversible action requires the password, once every five minutes", async () => {
    const visitor = await signedIn(petstore, "staff")
    const doomed = async () => {
      const { value } = await petstore.as("special-key").addPet({ body: { name: "Doomed", photoUrls: [] } })
      await visitor.go(`/console/pets/${value.id}`)
      return value.id
    }
    await doomed()
    assert.match((await visitor.submit(only("delete"))).html, /Confirm with your password/)
    const wrong = await visitor.submit({ "console-password": "wrong" })
    assert.equal(wrong.status, 403)
    assert.match(wrong.html, /The password is wrong/)
    assert.match((await visitor.submit({ "console-password": passwordOf(people.staff) })).html, /The pet was deleted/)
    await doomed()
    assert.match((await visitor.submit(only("delete"))).html, /The pet was deleted/)
    const kept = await doomed()
    petstore.clock.advance(5 * 60_000)
    assert.match((await visitor.submit(only("delete"))).html, /Confirm with your password/)
    assert.equal((await petstore.as("special-key").getPetById({ params: { petId: kept } })).value.name, "Doomed")
  })

  test("asks for the password no more often than a login does", async () => {
    const body = { username: "guessed", password: "a long password" }
    await petstore.as("special-key").createUser({ body })
    await petstore.as("special-key").grantRole({ params: { username: "guessed", role: "staff" } })
    const visitor = person(petstore.url)
    await visitor.go("/console/sign-in")
    await visitor.signIn(body.username, body.password)
    await visitor.go("/console/pets/4")
    await visitor.submit(only("delete"))
    for (let n = 0; n < 10; n++) assert.equal((await visitor.submit({ "console-password": "wrong" })).status, 403)
    const refused = await visitor.submit({ "console-password": body.password })
    assert.equal(refused.status, 429)
    assert.match(refused.html, /Try again in \d+ minutes/)
  })

  test("has at most 256 KiB, and 16 KiB before the sign-in", async () => {
    const visitor = await signedIn(petstore, "staff")
    const headers = { origin: petstore.url, "content-type": "application/x-www-form-urlencoded" }
    const send = async (by: Visitor, path: string, bytes: number) =>
      (await by.go(path, { method: "POST", headers, body: "a=".padEnd(bytes, "x") })).status
    for (const [by, path, max] of [
      [visitor, "/console/pets/new", 256 * 1024],
      [person(petstore.url), "/console/sign-in", 16 * 1024],
    ] as const)
      assert.deepEqual([await send(by, path, max), await send(by, path, max + 1)], [403, 413])
  })

  test("accepts a photo, and no file without the token in its address (slow)", async () => {
    const visitor = await signedIn(petstore, "staff")
    const bytes = await readFile(new URL("../../../src/parts/sandbox/seeds/images/cat-1-640.webp", import.meta.url))
    const address = () =>
      new URL(
        /action="([^"]+uploadImage|[^"]+action=upload)"/.exec(html)?.[1]?.replaceAll("&amp;", "&") ?? "",
        petstore.url,
      )
    const { html } = await visitor.go("/console/pets/3/photos")
    const sendPhoto = (url: URL, file: Uint8Array<ArrayBuffer> | string) => {
      const body = new FormData()
      body.set("additionalMetadata", "Asleep")
      body.set("file", new Blob([file]), "cat.webp")
      return visitor.go(url, { method: "POST", body, headers: { origin: petstore.url } })
    }
    const forged = address()
    forged.searchParams.set("form", "made-up")
    assert.equal((await sendPhoto(forged, bytes)).status, 403)
    const refused = await sendPhoto(address(), "no photo")
    assert.equal(refused.status, 415)
    assert.match(refused.html, /role="alert">[^<]/)
    const taken = await sendPhoto(address(), bytes)
    assert.equal(taken.status, 200)
    assert.match(taken.html, /The photo was added/)
    assert.match(taken.html, /alt="Asleep"/)
  })

  const only = (action: string) => ({ action })
})

describe("a signed-in user", () => {
  test("sees the requests of this process and the newest audit entries as admin only", async () => {
    const told = ["requests in the last six hours", "session.created"]
    for (const role of roleNames) {
      const { html } = await (await signedIn(petstore, role)).go("/console")
      for (const words of told) assert.equal(html.includes(words), role === "admin", words)
    }
  })

  test("sees the requests by the hour as numbers too, and the hours and values of the plot", async () => {
    const { html } = await (await signedIn(petstore, "admin")).go("/console")
    const hour = new Date(petstore.clock.now()).toISOString().slice(11, 13)
    assert.match(html, /<text [^>]+>\d\d:00<\/text>/)
    const [, requests] = new RegExp(`<td[^>]*>${hour}:00</td><td[^>]*>(\\d+)</td>`).exec(html) ?? []
    assert.ok(Number(requests) > 0)
    const scale = [...(/<ol class="scale".*?<\/ol>/s.exec(html)?.[0] ?? "").matchAll(/<li>(\d+)<\/li>/g)].map(([, n]) =>
      Number(n),
    )
    // A bar is a twelfth of an hour.
    assert.ok(Number(scale[0]) * 12 >= Number(requests))
    assert.deepEqual(scale, [scale[0], Number(scale[0]) / 2, 0])
  })

  test("has a navigation in groups, without those of which they may see no page", async () => {
    const groupsOf = async (role: PersonRole) =>
      [...(await (await signedIn(petstore, role)).go("/console")).html.matchAll(/<p class="group">([^<]+)</g)].map(
        ([, title]) => title,
      )
    assert.deepEqual(await groupsOf("admin"), ["Store", "Developers", "Operate", "You", "Petstore"])
    assert.deepEqual(await groupsOf("staff"), ["Store", "Operate", "You", "Petstore"])
    assert.deepEqual(await groupsOf("customer"), ["Store", "You", "Petstore"])
  })

  test("goes from there to the store and the reference, and from a pet to its page in the store", async () => {
    const visitor = await signedIn(petstore, "customer")
    const [, store = ""] = /href="([^"]+)">Store</.exec((await visitor.go("/console")).html) ?? []
    assert.equal((await visitor.go(store)).url.pathname, "/")
    const [, shown = ""] = /href="([^"]+)">View in store</.exec((await visitor.go("/console/pets/2")).html) ?? []
    const { url, status } = await visitor.go(shown)
    assert.deepEqual([url.pathname, status], ["/pets/2", 200])
    await using closed = await startPetstore({ env: { PETSTORE_PUBLIC_STORE: "off" } })
    const other = person(closed.url)
    await other.go("/console/sign-in")
    await other.signIn("user1", "password1")
    assert.doesNotMatch((await other.go("/console/pets/2")).html, /<a [^>]*>(Store|View in store)</)
  })

  for (const role of roleNames)
    test(`sees as ${role} the pages for their scopes, and 404 for the others`, async () => {
      const visitor = await signedIn(petstore, role)
      const [nav = ""] = /<nav class="sections".*?<\/nav>/s.exec((await visitor.go("/console")).html) ?? []
      for (const path of addresses) {
        const page = pageAt(path)
        assert.ok(page)
        const isMine = maySeePage(page, { person: { role }, scopes: new Set(roles[role]) })
        const { status } = await visitor.go(`/console${path === "/" ? "" : path}`)
        if (isThere(page) || !isMine) assert.equal(status, isMine ? 200 : 404, path)
        if (!page.path.includes("/", 1)) assert.equal(nav.includes(`>${page.title}</a>`), isMine, path)
      }
      assert.equal((await visitor.go("/console/nowhere")).status, 404)
    })

  test("can do no more with a form than with the API", async () => {
    const visitor = await signedIn(petstore, "customer")
    await visitor.go("/console/pets/1")
    const attempts = [
      ["/console/pets/new", { action: "add", name: "Smuggled", photoUrls: "" }],
      ["/console/pets/1", { action: "save", name: "Smuggled", photoUrls: "", etag: "*" }],
      ["/console/pets/1", { action: "delete", "console-password": "password1" }],
      ["/console/pets/1/photos", { action: "remove", sha256: "0".repeat(64) }],
    ] as const
    for (const [path, fields] of attempts) {
      await visitor.go("/console")
      const { status } = await visitor.submitTo(path, fields)
      // They may see the pet's page, but not use its forms.
      assert.equal(status, path === "/console/pets/1" ? 403 : 404, path)
    }
    assert.equal((await petstore.as("special-key").getPetById({ params: { petId: 1 } })).value.name, "Cat 1")
  })

  test("gets pages that cannot be framed, cached, read by other sites or injected with scripts", async () => {
    const visitor = await signedIn(petstore, "admin")
    for (const path of [...addresses, "/nowhere"]) {
      const { headers } = await visitor.go(`/console${path === "/" ? "" : path}`)
      const policy = headers.get("content-security-policy") ?? ""
      assert.match(
        policy,
        /^default-src 'none'; style-src 'self'; script-src 'self'; connect-src 'self'; img-src 'self'; /,
      )
      assert.match(policy, /form-action 'self'; frame-ancestors 'none'$/)
      assert.deepEqual(
        ["x-frame-options", "cache-control", "access-control-allow-origin", "cross-origin-opener-policy"].map((name) =>
          headers.get(name),
        ),
        ["DENY", "no-store", null, "same-origin"],
      )
    }
  })
})

test("pages display stored data as text (slow)", async () => {
  const visitor = await signedIn(petstore, "staff")
  const admin = petstore.as("special-key")
  for (const text of hostileTexts) {
    const tags = [{ name: text }]
    const { value } = await admin.addPet({ body: { name: text, photoUrls: [], category: { name: text }, tags } })
    for (const path of [
      "/pets",
      `/pets/${value.id}`,
      `/pets/${value.id}/photos`,
      `/pets?${new URLSearchParams({ name: text })}`,
    ]) {
      const { html } = await visitor.go(`/console${path}`)
      requireAsText(html, text, path)
    }
    await visitor.go("/console/pets/new")
    const { html } = await visitor.submit({ action: "add", name: "", category: text, tags: text, photoUrls: text })
    requireAsText(html, text, "/pets/new")
  }
})

test("a list continues on its next page, and an invalid search is reported above the list (slow)", async () => {
  for (let n = 0; n < 30; n++) await petstore.as("special-key").addPet({ body: { name: `Many ${n}`, photoUrls: [] } })
  const visitor = await signedIn(petstore, "customer")
  const first = await visitor.go("/console/pets?sort=-id")
  const next = /<a href="([^"]+)" rel="next"/.exec(first.html)?.[1]?.replaceAll("&amp;", "&") ?? ""
  const second = await visitor.go(next)
  assert.match(first.html, /Many 29/)
  assert.match(second.html, /Many 4</)
  assert.doesNotMatch(second.html, /Many 29/)
  assert.match(second.html, /rel="prev">Previous page/)
  assert.match(
    (await visitor.go("/console/pets?name=a&tag=b")).html,
    /id="name-error" role="alert">This cannot be combined with tag/,
  )
  assert.match((await visitor.go("/console/pets?name=unknown")).html, /No pets match/)
})
