import assert from "node:assert/strict"
import { describe, test } from "node:test"
import { addressOf, appoint, consolePages, passwordOf, people, signedIn } from "../../harness/console.ts"
import { furnish } from "../../harness/console-content.ts"
import { before, usePetstore } from "../../harness/use.ts"

const petstore = usePetstore()
let token = ""
before(async () => {
  await appoint(petstore)
  await furnish(petstore)
  const body = { username: people.admin, password: passwordOf(people.admin) }
  token = (await petstore.as("special-key").logIn({ body })).value
})

const textOf = (markup: string) =>
  markup
    .replaceAll("&quot;", '"')
    .replaceAll("&#39;", "'")
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&amp;", "&")

/** The commands of a page. */
const commandsIn = (html: string): string[] =>
  [...html.matchAll(/data-copy="([^"]+)"[^>]*>Copy as curl</g)].map(([, text = ""]) => textOf(text))

/** The URL of a command, which must be quoted for a shell. */
function urlIn(command: string): string {
  const [, url = ""] = /^curl -H "api_key: \$PETSTORE_KEY" '([^']+)'$/.exec(command) ?? []
  assert.ok(/^(\/s\/fixture)?\/api\/v3\//.test(url.slice(petstore.url.length)), command)
  return url
}

/** Sends the request of a command as the admin of these tests. */
const run = (command: string): Promise<Response> =>
  fetch(urlIn(command), {
    headers: command.includes("/s/") ? { api_key: "special-key" } : { authorization: `Bearer ${token}` },
  })

describe("copy as curl", () => {
  test("is on every page of a list or a resource, and the API answers each command (slow)", async () => {
    const admin = await signedIn(petstore, "admin")
    const without: string[] = []
    // The page of a recorded request copies that request instead.
    const ofResources = consolePages.filter(({ path }) => !path.endsWith("/requests/:requestId"))
    for (const page of ofResources) {
      const { status, html } = await admin.go(`/console${page.path === "/" ? "" : addressOf(page)}`)
      if (status === 404) continue
      const commands = commandsIn(html)
      if (commands.length === 0) without.push(page.path)
      for (const command of commands) assert.equal((await run(command)).status, 200, `${page.path}: ${command}`)
    }
    const forms = /\/(new|import|export|settings|signatures|password|delete)$/
    assert.deepEqual(
      without.filter((path) => !forms.test(path)),
      ["/", "/receiver", "/health"],
    )
  })

  test("sends what the page asked for: its filters, its page and its order", async () => {
    const admin = await signedIn(petstore, "admin")
    const { html } = await admin.go("/console/pets?name=Cat&status=available&category=&sort=-name")
    const [command = ""] = commandsIn(html)
    const { pathname, searchParams } = new URL(urlIn(command))
    assert.equal(pathname, "/api/v3/pet")
    assert.deepEqual(Object.fromEntries(searchParams), { name: "Cat", status: "available", sort: "-name", limit: "25" })
    const names = ((await (await run(command)).json()) as { name: string }[]).map(({ name }) => name)
    assert.ok(names.length > 0)
    for (const name of names) assert.ok(html.includes(`>${name}</a>`), name)
  })

  test("shows a resource as the JSON of the response", async () => {
    const admin = await signedIn(petstore, "admin")
    for (const path of ["/pets/1", "/orders/1", "/users/named/user4", "/accounts/1", "/webhooks/1"]) {
      const { html } = await admin.go(`/console${path}`)
      const [, json = ""] = /<summary>JSON<\/summary><pre class="wrap">(.*?)<\/pre>/s.exec(html) ?? []
      assert.deepEqual(JSON.parse(textOf(json)), await (await run(commandsIn(html).at(-1) ?? "")).json(), path)
    }
  })

  test("cannot leave the quotes of a shell", async () => {
    const admin = await signedIn(petstore, "admin")
    const { html } = await admin.go(`/console/pets?${new URLSearchParams({ name: "'; $(id) `id` \" \\" })}`)
    assert.match(urlIn(commandsIn(html)[0] ?? ""), /name=%27%3B\+%24%28id%29\+%60id%60\+%22\+%5C/)
  })
})
