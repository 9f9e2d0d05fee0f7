import assert from "node:assert/strict"
import { describe, test } from "node:test"
import { chooseTools } from "../../src/parts/mcp/tools.ts"
import { toolsets } from "../../src/parts/mcp/toolsets.ts"
import { connectTools, contentOf, isError, textOf, withKey } from "../harness/mcp.ts"
import { furtherOperations } from "../harness/operations.ts"
import { startPetstore } from "../harness/petstore.ts"
import { usePetstore } from "../harness/use.ts"

const petstore = usePetstore()

const connect = (key: string, query = "", revision?: "modern" | "legacy") =>
  connectTools(`${petstore.url}/mcp${query}`, withKey(key), revision)

/** A message as it is, without the SDK. */
async function post(
  message: unknown,
  headers: Record<string, string> = { api_key: "special-key" },
  url = petstore.url,
) {
  const response = await fetch(`${url}/mcp`, {
    method: "POST",
    headers: { "content-type": "application/json", accept: "application/json, text/event-stream", ...headers },
    body: typeof message === "string" ? message : JSON.stringify(message),
  })
  return { status: response.status, headers: response.headers, text: await response.text() }
}

const call = (name: string, values: object = {}) => ({
  jsonrpc: "2.0",
  id: 1,
  method: "tools/call",
  params: { name, arguments: values },
})

test("a tool whose body may be empty needs no argument of it, and sends one that is optional", async () => {
  await using client = await connect("special-key", "?toolsets=all")
  const unchanged = await client.callTool({ name: "patchPet", arguments: { petId: 1 } })
  assert.ok(!isError(unchanged), textOf(unchanged))
  const named = await client.callTool({ name: "patchPet", arguments: { petId: 1, name: "Renamed" } })
  assert.match(textOf(named), /Renamed/)
})

describe("the tools that are offered", () => {
  test("are at most 20 in at most 16 KiB, and those of the toolsets that are named", async () => {
    await using client = await connect("special-key")
    const { tools } = await client.listTools()
    assert.equal(tools.length, 20)
    assert.ok(Buffer.byteLength(JSON.stringify({ tools })) <= 16 * 1024)
    for (const name of ["reset", "trigger", "advance", "requests"]) assert.ok(tools.some((tool) => tool.name === name))

    await using pets = await connect("special-key", "?toolsets=pets")
    const names = (await pets.listTools()).tools.map(({ name }) => name)
    assert.ok(names.includes("deletePets") && !names.includes("placeOrder"))
    await using all = await connect("special-key", "?toolsets=all")
    const scopes = new Set(["admin", ...(await all.listTools()).tools.map(({ name }) => name)])
    assert.ok(scopes.size > 70)
    for (const toolset of toolsets) assert.ok(toolset.length > 0)
  })

  test("follow the scopes of the caller", async () => {
    await using client = await connect("free-key")
    const names = (await client.listTools()).tools.map(({ name }) => name)
    assert.ok(names.includes("addPet") && names.includes("getOwnAccount"))
    assert.ok(!names.includes("createWebhook") && !names.includes("reset"))
    const refused = await client.callTool({ name: "createWebhook", arguments: { url: "https://a.example" } })
    assert.ok(isError(refused))
    assert.match(textOf(refused), /createWebhook is not offered.*manage:webhooks/)
  })

  test("are not those of a sandbox in production", () => {
    const scopes = new Set(["admin"])
    const offered = chooseTools({ scopes, hasFurther: false, further: furtherOperations, toolsets: new Set(toolsets) })
    assert.ok(offered.every(({ toolset }) => toolset !== "sandbox"))
  })

  test("an unknown toolset is refused with the nearest", async () => {
    const { status, text } = await fetch(`${petstore.url}/mcp?toolsets=pet`, {
      method: "POST",
      headers: { api_key: "special-key", "content-type": "application/json" },
      body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/list" }),
    }).then(async (response) => ({ status: response.status, text: await response.text() }))
    assert.equal(status, 400)
    assert.match(text, /did you mean pets\?/)
  })
})

for (const revision of ["modern", "legacy"] as const)
  test(`a call has its result as text and as structured content (${revision})`, async () => {
    await using client = await connect("special-key", "", revision)
    assert.match(client.getInstructions() ?? "", /listPets/)
    const added = await client.callTool({ name: "addPet", arguments: { name: "Rex 🐕", photoUrls: [] } })
    const { id, name } = contentOf<{ id: number; name: string }>(added)
    assert.equal(name, "Rex 🐕")
    assert.deepEqual(JSON.parse(textOf(added)), contentOf(added))
    const page = contentOf<{ items: unknown[]; nextCursor: string }>(
      await client.callTool({ name: "listPets", arguments: { limit: 3 } }),
    )
    assert.equal(page.items.length, 3)
    const next = await client.callTool({ name: "listPets", arguments: { limit: 3, cursor: page.nextCursor } })
    assert.notDeepEqual(contentOf(next).items, page.items)
    assert.equal((await petstore.as("special-key").getPetById({ params: { petId: id } })).value.name, "Rex 🐕")
  })

test("a call acts for the account, from the client's address, under the id and in the trace of its request", async () => {
  await using proxied = await startPetstore({ env: { PETSTORE_TRUSTED_PROXIES: "127.0.0.1" } })
  const { value: free } = await proxied.as("free-key").getOwnAccount()
  const trace = "4bf92f3577b34da6a3ce929d0e0e4736"
  const { text } = await post(
    call("getOwnAccount"),
    {
      api_key: "special-key",
      "petstore-account": String(free.id),
      "x-forwarded-for": "203.0.113.77",
      "x-request-id": "outer",
      traceparent: `00-${trace}-00f067aa0ba902b7-01`,
    },
    proxied.url,
  )
  assert.ok(text.includes(`"id":${free.id},"name":"${free.name}"`), text)
  const line = proxied.lines.map((one) => JSON.parse(one)).findLast(({ operation }) => operation === "getOwnAccount")
  assert.deepEqual(
    [line.requestId, line.account, line["client.address"], line.trace_id],
    ["outer", free.id, "203.0.113.0", trace],
  )
})

test("an error names every violation and says how to call the tool", async () => {
  await using client = await connect("special-key")
  const result = await client.callTool({ name: "addPet", arguments: { name: " ", photoUrls: ["javascript:"] } })
  assert.ok(isError(result))
  assert.equal(
    textOf(result),
    [
      "Invalid body (invalid-body, 422)",
      "- name must not be blank or contain NUL",
      "- photoUrls.0 must be an http(s) URL or a relative reference",
      'Call it as addPet({ id?: integer, category?: { name: string }, name: string, photoUrls: string[], tags?: { name: string }[], status?: "available" | "pending" | "sold", idempotencyKey?: string })',
    ].join("\n"),
  )
  const lacking = textOf(await client.callTool({ name: "addPet", arguments: { name: " " } }))
  assert.match(lacking, /- name must not be blank/)
  assert.match(lacking, /- photoUrls is required/)
  const order = textOf(await client.callTool({ name: "placeOrder", arguments: { quantity: 0 } }))
  assert.match(order, /- petId is required/)
  assert.match(order, /- quantity must be 1 or more/)
  const absent = await client.callTool({ name: "getPetById", arguments: { petId: 4711 } })
  assert.match(textOf(absent), /pet-not-found, 404/)
  await assert.rejects(
    client.callTool({ name: "listPet", arguments: {} }),
    /there is no tool listPet; did you mean listPets\?/,
  )
})

test("an error names arguments as the tool does, also where the operation has another name or none for them", async () => {
  await using client = await connect("special-key", "?toolsets=users")
  const refusalOf = async (name: string, values: Record<string, unknown>) =>
    textOf(await client.callTool({ name, arguments: values }))
  const renaming = { username: "user1", newUsername: "a b", email: "a" }
  assert.match(await refusalOf("updateUser", renaming), /\n- newUsername may only .*\n- email must /)
  const list = { items: [{ username: "a b", password: "p" }] }
  assert.match(await refusalOf("createUsersWithListInput", list), /\n- items\.0\.username may only /)
  assert.match(await refusalOf("createUsersWithListInput", { items: 1 }), /\n- items/)
})

describe("a call is a request of its own", () => {
  test("it counts against the plan and is in the journal, the message itself is not", async () => {
    const sandbox = `${petstore.url}/s/journal`
    await using client = await connectTools(`${sandbox}/mcp`, withKey("free-key"))
    const used = async () => {
      const account = await client.callTool({ name: "getOwnAccount", arguments: {} })
      return contentOf<{ limits: { used: number }[] }>(account).limits[0]?.used
    }
    const before = await used()
    await client.listTools()
    await client.callTool({ name: "getInventory", arguments: {} })
    assert.equal(await used(), Number(before) + 1)
    await using admin = await connectTools(`${sandbox}/mcp`, withKey("special-key"))
    const { items } = contentOf<{ items: { operation: string }[] }>(
      await admin.callTool({ name: "requests", arguments: {} }),
    )
    const operations = items.map(({ operation }) => operation)
    assert.deepEqual(operations, ["getOwnAccount", "getInventory", "getOwnAccount"])
  })

  test("faults apply to it, and a failure is the result of the call", async () => {
    const { status, text } = await post(call("getInventory"), { api_key: "special-key", prefer: "code=overloaded" })
    assert.equal(status, 200)
    assert.match(text, /overloaded, 503/)
    assert.match(text, /Try again in \d+ s/)
    const garbled = await post(call("getInventory"), { api_key: "special-key", prefer: "fault=garbage" })
    assert.match(garbled.text, /"The response cannot be read \(unknown, 200\)"/)
    const proxied = await post(call("getInventory"), { api_key: "special-key", prefer: "fault=html" })
    assert.match(proxied.text, /"The response cannot be read \(unknown, 502\)"/)
  })

  test("with an Idempotency-Key it has its effect once", async () => {
    const headers = { api_key: "special-key", "idempotency-key": "mcp-1" }
    const rex = call("addPet", { name: "Once", photoUrls: [] })
    const [first, second] = [await post(rex, headers), await post(rex, headers)]
    assert.equal(first.text, second.text)
    assert.match(first.text, /Once/)
  })

  test("with the argument idempotencyKey it has its effect once, before the header of the message", async () => {
    await using client = await connect("special-key", "?toolsets=pets,orders")
    const use = async (name: string, values: object) =>
      textOf(await client.callTool({ name, arguments: { ...values } }))
    for (const [name, values] of [
      ["addPet", { name: "Twice", photoUrls: [] }],
      ["placeOrder", { petId: 7 }],
      ["importPets", { items: [{ name: "Twice", photoUrls: [] }] }],
    ] as const) {
      const keyed = { ...values, idempotencyKey: `argument-${name}` }
      assert.equal(await use(name, keyed), await use(name, keyed))
    }
    assert.match(await use("placeOrder", { petId: 7, idempotencyKey: "" }), /pet-not-available/)
    const both = { api_key: "special-key", "idempotency-key": "argument-addPet" }
    const other = await post(call("addPet", { name: "Twice", photoUrls: [], idempotencyKey: "argument-2" }), both)
    assert.match(other.text, /Twice/)
    const { value } = await petstore.as("special-key").listPets({ query: { name: "Twice" } })
    assert.equal(value.length, 3)
    const reused = await use("addPet", { name: "Else", photoUrls: [], idempotencyKey: "argument-2" })
    assert.match(reused, /idempotency-key-reused/)
  })

  test("what placeOrder ignores is not offered, and accepted", async () => {
    await using client = await connect("special-key")
    const { tools } = await client.listTools()
    const { properties = {} } = tools.find(({ name }) => name === "placeOrder")?.inputSchema ?? {}
    assert.deepEqual(Object.keys(properties), ["id", "petId", "quantity", "shipDate", "idempotencyKey"])
    const values = { petId: 8, status: "delivered", complete: true }
    const placed = await client.callTool({ name: "placeOrder", arguments: values })
    assert.equal(contentOf<{ status: string }>(placed).status, "placed")
  })

  test("in the sandbox an event is triggered, and the sandbox reset", async () => {
    await using client = await connectTools(`${petstore.url}/s/trigger/mcp`, withKey("special-key"))
    const { done } = contentOf<{ done: string[] }>(
      await client.callTool({ name: "trigger", arguments: { event: "order.delivered" } }),
    )
    assert.equal(done.length, 4)
    const events = await client.callTool({ name: "listEvents", arguments: { sort: "-id", limit: 1 } })
    assert.equal(contentOf<{ items: { event: string }[] }>(events).items[0]?.event, "order.delivered")
    contentOf(await client.callTool({ name: "reset", arguments: { seed: "empty" } }))
    assert.deepEqual(contentOf(await client.callTool({ name: "listPets", arguments: {} })).items, [])
    const frozen = await client.callTool({ name: "advance", arguments: { advance: "P1D", freeze: true } })
    assert.equal(contentOf(frozen).frozen, true)
  })

  test("two hundred at once have each their own result (slow)", async () => {
    await using client = await connect("special-key")
    const ids = Array.from({ length: 200 }, (_, n) => (n % 10) + 1)
    const found = await Promise.all(ids.map((petId) => client.callTool({ name: "getPetById", arguments: { petId } })))
    assert.deepEqual(
      found.map((result) => contentOf(result).id),
      ids,
    )
  })
})

test("pets, orders and the description are resources", async () => {
  await using client = await connect("special-key")
  const { resourceTemplates } = await client.listResourceTemplates()
  assert.deepEqual(
    resourceTemplates.map(({ uriTemplate }) => uriTemplate),
    ["petstore://pets/{petId}", "petstore://orders/{orderId}"],
  )
  const read = async (uri: string) => {
    const [content] = (await client.readResource({ uri })).contents
    return JSON.parse((content as { text: string }).text)
  }
  assert.equal((await read("petstore://pets/1")).id, 1)
  assert.equal((await read("petstore://orders/1")).id, 1)
  const [{ uri } = { uri: "" }] = (await client.listResources()).resources
  assert.equal((await read(uri)).openapi, "3.1.1")
  await assert.rejects(read("petstore://pets/4711"))
  await assert.rejects(read("petstore://users/1"), /There is no resource/)
})

test("the journeys are prompts, whose steps are calls of tools that are offered", async () => {
  await using client = await connect("special-key")
  const { prompts } = await client.listPrompts()
  assert.deepEqual(
    prompts.map(({ name }) => name),
    ["findOrderDeliver", "receiveEvent", "importPets"],
  )
  const offered = new Set((await client.listTools()).tools.map(({ name }) => name))
  for (const { name } of prompts) {
    const webhookUrl = 'https://a.example/"x"'
    const { messages } = await client.getPrompt({ name, arguments: { webhookUrl } })
    const [{ content } = { content: undefined }] = messages
    const { text } = content as unknown as { text: string }
    assert.doesNotMatch(text, /\$inputs|\$steps/)
    for (const [, tool = "", values = ""] of text.matchAll(/^ {3}(\w+) (\{.*\})$/gm)) {
      assert.ok(offered.has(tool), tool)
      assert.ok(JSON.parse(values))
    }
  }
  await assert.rejects(client.getPrompt({ name: "signInAndList" }), /there is no prompt/)
})

describe("what is refused", () => {
  test("a request without a credential, with the way to an access token", async () => {
    const { status, headers } = await post(call("getInventory"), {})
    assert.equal(status, 401)
    const metadataUrl = `${petstore.url}/.well-known/oauth-protected-resource/mcp`
    assert.ok(headers.get("www-authenticate")?.includes(`resource_metadata="${metadataUrl}"`))
    const metadata = (await (await fetch(metadataUrl)).json()) as { resource: string; authorization_servers: string[] }
    assert.equal(metadata.resource, `${petstore.url}/mcp`)
    assert.deepEqual(metadata.authorization_servers, [`${petstore.url}/oauth`])
  })

  test("pages of other sites, by their Origin", async () => {
    const key = { api_key: "special-key" }
    assert.equal((await post(call("getInventory"), { ...key, origin: "https://evil.example" })).status, 403)
    assert.equal((await post(call("getInventory"), { ...key, origin: "http://localhost:6274" })).status, 200)
  })

  test("other methods, broken JSON, a large body, and other media types", async () => {
    const other = await fetch(`${petstore.url}/mcp`, { headers: { api_key: "special-key" } })
    assert.equal(other.status, 405)
    assert.equal(other.headers.get("allow"), "POST, OPTIONS")
    const broken = await post("{")
    assert.equal(broken.status, 400)
    assert.match(broken.text, /-32700/)
    assert.equal((await post("[]")).status, 400)
    assert.equal((await post(`"${"a".repeat(4 * 1024 * 1024)}"`)).status, 413)
    assert.equal((await post("x=1", { api_key: "special-key", "content-type": "text/plain" })).status, 415)
  })
})

test("a subscription is acknowledged, and complete at once: the tools never change", async () => {
  const headers = {
    "content-type": "application/json",
    accept: "application/json, text/event-stream",
    api_key: "special-key",
    "mcp-protocol-version": "2026-07-28",
    "mcp-method": "subscriptions/listen",
  }
  const _meta = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientInfo": { name: "test", version: "1" },
    "io.modelcontextprotocol/clientCapabilities": {},
  }
  const params = { _meta, notifications: { toolsListChanged: true } }
  const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "subscriptions/listen", params })
  const response = await fetch(`${petstore.url}/mcp`, { method: "POST", headers, body })
  const messages = (await response.text()).matchAll(/^data: (.*)$/gm)
  const [acknowledged, result, ...more] = [...messages].map(([, data = ""]) => JSON.parse(data))
  assert.deepEqual(
    [acknowledged.method, acknowledged.params.notifications, result.result.resultType, more],
    ["notifications/subscriptions/acknowledged", {}, "complete", []],
  )
})

test("production has the tools too, without those of a sandbox", async () => {
  const env = { PETSTORE_PROFILE: "production", PETSTORE_PUBLIC_URL: "https://petstore.example" }
  await using production = await startPetstore({ env })
  await using client = await connectTools(`${production.url}/mcp?toolsets=all`, withKey(production.firstKey as string))
  const names = (await client.listTools()).tools.map(({ name }) => name)
  assert.ok(names.includes("listAudit") && !names.includes("reset") && !names.includes("setFaults"))
  const added = await client.callTool({ name: "addPet", arguments: { name: "Rex", photoUrls: [] } })
  assert.equal(contentOf(added).name, "Rex")
  const refused = await post(call("getInventory"), {}, production.url)
  assert.match(refused.headers.get("www-authenticate") ?? "", /https:\/\/petstore.example\/.well-known\/.*\/mcp/)
})
