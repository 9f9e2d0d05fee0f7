import assert from "node:assert/strict"
import { globSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { describe, test } from "node:test"
import * as oauth from "oauth4webapi"
import { temporaryDirectory } from "../harness/directory.ts"
import { npmTools, runTool } from "../harness/foreign-tools.ts"
import { askFor, discover, exchange } from "../harness/oauth.ts"
import { person } from "../harness/person.ts"
import { until } from "../harness/until.ts"
import { usePetstore } from "../harness/use.ts"

const { path: tools = "", missing = false } = await npmTools()
const inTools = (name: string, program: string) => join(tools, "node_modules", "@modelcontextprotocol", name, program)

describe("programs of the protocol's authors accept the tools", { skip: missing }, () => {
  // The conformance program sends no credential.
  const petstore = usePetstore({ env: { PETSTORE_ANONYMOUS: "special-key" } })

  test("everything holds that the revision of 2026-07-28 requires and that needs no tool of a test server", async () => {
    using directory = temporaryDirectory()
    const program = inTools("conformance", "dist/index.js")
    const options = ["--url", `${petstore.url}/mcp`, "--requirements", "2026-07-28", "-o", directory.path]
    // It exits with an error, because it also expects such tools.
    await runTool(process.execPath, [program, "server", ...options], directory.path).catch(() => "")
    const checks = globSync("**/checks.json", { cwd: directory.path }).flatMap((file) =>
      (JSON.parse(readFileSync(join(directory.path, file), "utf8")) as Check[]).map((check) => ({ file, ...check })),
    )
    const required = checks.filter(({ file }) => !file.startsWith("server-tasks-"))
    const failed = required.filter(({ status }) => status === "FAILURE")
    assert.deepEqual(
      failed.filter((check) => !isForTestServer(check)).map(({ file, id, errorMessage }) => [file, id, errorMessage]),
      [],
    )
    assert.ok(required.filter(({ status }) => status === "SUCCESS").length >= 75)
    for (const kept of ["server-stateless", "http-header-validation", "caching", "dns-rebinding-protection"])
      assert.ok(
        required.some(({ file, status }) => file.includes(kept) && status === "SUCCESS"),
        kept,
      )
  })

  test("the Inspector's command line finds a cat, orders it, and watches the event, with an access token", async () => {
    const token = await accessToken()
    const call = async (name: string, ...values: string[]) => {
      const target = [`${petstore.url}/mcp`, "--transport", "http", "--header", `Authorization: Bearer ${token}`]
      const args = ["--method", "tools/call", "--tool-name", name, ...values.flatMap((value) => ["--tool-arg", value])]
      const program = inTools("inspector", "clients/launcher/build/index.js")
      const text = await runTool(process.execPath, [program, "--cli", ...target, ...args], tools)
      return JSON.parse(text.slice(text.indexOf("{"))).structuredContent
    }
    const { items } = await call("listPets", 'category=["Cats"]', 'status=["available"]', "limit=1")
    const order = await call("placeOrder", `petId=${items[0].id}`)
    assert.equal(order.status, "placed")
    await until(async () => {
      const events = await call("listEvents", "sort=-id", "limit=5")
      return events.items.some((one: Event) => one.event === "order.placed" && one.data.id === order.id)
    }, "the order is in the feed")
  })

  /** Of a person who signs in and allows an application. */
  async function accessToken(): Promise<string> {
    const redirectUri = "http://127.0.0.1:6276/oauth/callback"
    const scopes = ["read:pets", "write:orders", "manage:webhooks"] as const
    const { value: session } = await petstore
      .as("special-key")
      .logIn({ body: { username: "admin", password: "admin" } })
    const body = { name: "Inspector", type: "public" as const, redirectUris: [redirectUri], scopes: [...scopes] }
    const { clientId } = (await petstore.withToken(session).createOAuthClient({ body })).value
    const server = await discover(petstore.url)
    const { url, state, verifier } = await askFor(server, clientId, redirectUri, scopes.join(" "))
    const browser = person(petstore.url)
    await browser.go(url)
    await browser.signIn("admin", "admin")
    const { url: back } = await browser.allow()
    const returned = { back, state, verifier, redirectUri }
    return (await exchange(server, { client_id: clientId }, oauth.None(), returned)).access_token
  }
})

type Event = { event: string; data: { id: number } }
type Check = { id: string; status: string; errorMessage?: string }

/** Whether a check needs a tool, a resource or a prompt of the server that is made for the tests, or a capability that is not declared. */
const isForTestServer = ({ file, errorMessage = "" }: Check & { file: string }): boolean =>
  /there is no (tool|prompt) test_|no resource test:|not testable|Tool '\w+' not found/i.test(errorMessage) ||
  /^server-(completion-complete|input-required-result-(multi-round|tampered-state))-/.test(file)
