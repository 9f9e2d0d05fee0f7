import assert from "node:assert/strict"
import { describe, test } from "node:test"
import { usePetstore } from "../harness/use.ts"

const petstore = usePetstore()
const key = { api_key: "special-key" }

type Answer = { status: number; type: string | null; headers: Headers; text: string; body: Body }
type Body = {
  result?: {
    isError?: boolean
    content?: [{ text: string }]
    structuredContent?: Record<string, unknown>
    tools?: object[]
  }
  error?: { code: number; message: string }
}

/** Sends a message as it is, without the SDK. */
async function post(
  message: unknown,
  headers: Record<string, string | undefined> = {},
  path = "/mcp",
): Promise<Answer> {
  const body = typeof message === "string" ? message : JSON.stringify(message)
  const sent = Object.entries({ "content-type": "application/json", ...key, ...headers }).filter(
    (pair): pair is [string, string] => pair[1] !== undefined,
  )
  const response = await fetch(petstore.url + path, { method: "POST", headers: sent, body })
  const text = await response.text()
  const json = text.startsWith("{") ? text : (/^data: (.*)$/m.exec(text)?.[1] ?? "{}")
  return {
    status: response.status,
    type: response.headers.get("content-type"),
    headers: response.headers,
    text,
    body: JSON.parse(json),
  }
}

const message = (method: string, params: unknown) => ({ jsonrpc: "2.0", id: 1, method, params })
const call = (name: string, values?: unknown) => message("tools/call", { name, arguments: values })
const run = async (name: string, values?: unknown, headers?: Record<string, string>) =>
  (await post(call(name, values), headers)).body
const reasonOf = async (name: string, values?: unknown, headers?: Record<string, string>) => {
  const { result, error } = await run(name, values, headers)
  return result?.content?.[0].text ?? error?.message ?? ""
}

describe("arguments as models send them", () => {
  test("null and empty texts for what is optional, numbers and truth values as text, one text for a list or a name", async () => {
    for (const [name, values] of [
      ["listPets", { status: null, limit: null, name: null }],
      ["listPets", { name: "", sort: "", cursor: "" }],
      ["listPets", null],
      ["listPets", []],
      ["listPets", '{"limit":"2"}'],
      ["getInventory", undefined],
      ["addPet", { name: "A", photoUrls: "a.jpg", category: null, status: "", tags: ["friendly"] }],
      ["addPet", { name: "B", photoUrls: [], category: "Dogs", tags: "friendly" }],
      ["placeOrder", { petId: "4", quantity: "1", complete: "false" }],
      ["importPets", { items: { name: "C", photoUrls: [], category: "Dogs", status: "" } }],
      ["patchPet", { petId: "1", name: null, category: "Dogs" }],
    ] as const) {
      const { result, error } = await run(name, values)
      assert.equal(error, undefined, name)
      assert.ok(!result?.isError, `${name}: ${result?.content?.[0].text}`)
    }
    const { value } = await petstore.as("special-key").getPetById({ params: { petId: 1 } })
    assert.equal(value.category?.name, "Dogs")
    await run("patchPet", { petId: 1, category: null })
    assert.equal((await petstore.as("special-key").getPetById({ params: { petId: 1 } })).value.category, undefined)
  })

  test("nested members and tools that do not exist are refused with the nearest name", async () => {
    assert.match(
      await reasonOf("addPet", { name: "A", photoUrls: [], category: { nmae: "x" } }),
      /^category\.nmae .*mean name\?/,
    )
    assert.match(await reasonOf("trigger", { event: "pet.created", nmae: "x" }), /^nmae .*mean name\?/)
    assert.match(await reasonOf("createWebhook", { url: "https://a.example", evnts: [] }), /^evnts .*mean events\?/)
    for (const [name, near] of [
      ["getPet", "getPetById"],
      ["get_pet_by_id", "getPetById"],
      ["listpets", "listPets"],
    ] as const)
      assert.match(await reasonOf(name), new RegExp(`there is no tool ${name}; did you mean ${near}\\?`))
  })

  test("what is not offered says whether the toolset, the scope or a sandbox is missing", async () => {
    assert.match(
      await reasonOf("createKey"),
      /^createKey is not offered: it is in the toolset access: connect to \/mcp\?toolsets=access$/,
    )
    assert.match(
      await reasonOf("createWebhook", {}, { api_key: "free-key" }),
      /: it needs the scope manage:webhooks, which the credential lacks$/,
    )
    assert.match(
      await reasonOf("createKey", {}, { api_key: "free-key" }),
      /manage:keys, which the credential lacks, and it is in the toolset access/,
    )
  })

  test("no dump of a validator is shown for wrong parameters, and half of a surrogate pair is the caller's mistake", async () => {
    for (const [sent, expected] of [
      [call("listPets", [1]), /params\.arguments: /],
      [call("listPets", "x"), /params\.arguments: /],
      [message("tools/call", {}), /params\.name: /],
      [message("tools/list", { cursor: 5 }), /params\.cursor: /],
      [message("prompts/get", { name: "receiveEvent", arguments: {} }), /needs webhookUrl/],
      [
        message("prompts/get", { name: "receiveEvent", arguments: { webhookUrl: {} } }),
        /params\.arguments\.webhookUrl: /,
      ],
      [message("initialize", {}), /params\.protocolVersion: /],
      [message("resources/read", { uri: 1 }), /params\.uri: /],
      [message("prompts/get", { name: "[{}]" }), /there is no prompt \[\{\}\]$/],
      [message("prompts/get", { name: "[{x}]" }), /there is no prompt \[\{x\}\]$/],
    ] as const) {
      const { text, body } = await post(sent)
      assert.equal(body.error?.code, -32602, text)
      assert.match(body.error?.message ?? "", expected)
      assert.doesNotMatch(text, /\\n|invalid_type/)
    }
    const broken = await post(JSON.stringify(call("getUserByName", { username: "\ud800" })))
    assert.deepEqual([broken.status, broken.body.error?.code], [400, -32700])
    for (const method of ["tools/list", "prompts/list"])
      for (const params of [null, { cursor: null }]) assert.ok((await post(message(method, params))).body.result)
  })
})

test("a frequent message has the response that the library gives, in both revisions", async () => {
  const prefix = "io.modelcontextprotocol/"
  const version = "2026-07-28"
  const _meta = { [`${prefix}protocolVersion`]: version, [`${prefix}clientCapabilities`]: {}, progressToken: 1 }
  for (const [method, params] of [
    ["ping", {}],
    ["tools/list", {}],
    ["tools/list", { cursor: "none" }],
    ["tools/call", { name: "getPetById", arguments: { petId: 1 } }],
    ["tools/call", { name: "listPets", arguments: { limit: 2 } }],
    ["tools/call", { name: "getPetById", arguments: { petId: 4711 } }],
    ["tools/call", { name: "getPetById" }],
    ["tools/call", { name: "getPet" }],
  ] as const) {
    const old = message(method, params)
    const { status, text } = await post(old)
    assert.equal(status, 200)
    assert.equal(text, (await post([old])).text)

    const name = "name" in params ? params.name : undefined
    const headers = { "mcp-protocol-version": version, "mcp-method": method, "mcp-name": name }
    const modern = (more: object) => post(message(method, { ...params, _meta: { ..._meta, ...more } }), headers)
    const [direct, byLibrary] = [await modern({}), await modern({ [`${prefix}logLevel`]: "info" })]
    assert.deepEqual([direct.status, direct.text], [byLibrary.status, byLibrary.text])
  }
})

test("a resource without scope is refused as a tool is: 403 for an access token, a reason for a key", async () => {
  const issued = await fetch(`${petstore.url}/oauth/token`, {
    method: "POST",
    headers: { authorization: `Basic ${btoa("sample-client-id:sample-client-secret")}` },
    body: new URLSearchParams({ grant_type: "client_credentials", scope: "read:pets" }),
  })
  const authorization = `Bearer ${((await issued.json()) as { access_token: string }).access_token}`
  const order = message("resources/read", { uri: "petstore://orders/1" })
  const { status, headers } = await post(order, { authorization, api_key: undefined })
  assert.deepEqual([status, /insufficient_scope.*read:orders/.test(headers.get("www-authenticate") ?? "")], [403, true])
  assert.equal(
    (await post(message("resources/read", { uri: "petstore://pets/1" }), { authorization, api_key: undefined })).status,
    200,
  )
})

test("Accept is read as HTTP says: wildcards, one form, upper case and none", async () => {
  const inventory = call("getInventory")
  for (const [accept, type] of [
    ["*/*", "application/json"],
    ["application/json", "application/json"],
    ["APPLICATION/JSON, TEXT/EVENT-STREAM", "application/json"],
    ["application/json, */*", "application/json"],
    ["application/*, text/*", "application/json"],
    ["text/event-stream", "text/event-stream"],
  ] as const) {
    const { status, type: received, body } = await post(inventory, { accept })
    assert.deepEqual(
      [status, received, typeof body.result?.structuredContent?.available],
      [200, type, "number"],
      accept,
    )
    assert.equal((await post({ jsonrpc: "2.0", method: "notifications/initialized" }, { accept })).status, 202)
  }
  assert.equal((await post(inventory, { accept: "text/html" })).status, 406)
  const batch = await post([inventory, { ...inventory, id: 2 }], { accept: "application/json" })
  assert.deepEqual((JSON.parse(batch.text) as { id: number }[]).map(({ id }) => id).sort(), [1, 2])
})

test("Prefer: explain leads to the recorded request of the call", async () => {
  const { headers } = await post(call("getInventory"), { prefer: "explain" }, "/s/explained/mcp")
  assert.match(headers.get("link") ?? "", /\/s\/explained\/api\/v3\/sandbox\/requests\/\d+>; rel="describedby"/)
})

test("a call that fails before its operation counts against the plan, as one that reaches it, and a list of tools does not", async () => {
  const used = async () => {
    const { result } = (await post(call("getOwnAccount"), { api_key: "free-key" })).body
    const { limits = [] } = (result?.structuredContent ?? {}) as { limits?: { used: number }[] }
    return limits[0]?.used ?? 0
  }
  const before = await used()
  await reasonOf("getPetById", { x: 1 }, { api_key: "free-key" })
  await reasonOf("none", {}, { api_key: "free-key" })
  await post(message("tools/list", {}), { api_key: "free-key" })
  assert.equal(await used(), before + 2)
})

test("arguments are as large as the body of their operation may be, and a batch has at most 20 messages", async () => {
  const large = (name: string, kibibytes: number) => post(call(name, { x: "a".repeat(kibibytes * 1024) }))
  assert.equal((await large("importPets", 250)).status, 200)
  assert.equal((await large("importPets", 265)).status, 413)
  assert.equal((await large("addPet", 150)).status, 200)
  for (const [name, kibibytes] of [
    ["addPet", 170],
    ["listPets", 73],
    ["none", 73],
  ] as const)
    assert.equal((await large(name, kibibytes)).status, 413, name)
  const batch = (count: number) =>
    post(Array.from({ length: count }, (_, id) => ({ ...message("prompts/list", {}), id })))
  assert.deepEqual([(await batch(20)).status, (await batch(21)).status], [200, 400])
})
