import assert from "node:assert/strict"
import { join } from "node:path"
import { test } from "node:test"
import { Client } from "@modelcontextprotocol/client"
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio"
import { api } from "../../src/core/domain/api.ts"
import { petstoreCommand } from "../harness/command-line.ts"
import { contentOf, isError, textOf } from "../harness/mcp.ts"
import { furtherOperations } from "../harness/operations.ts"
import { inherited } from "../harness/spawn.ts"
import { usePetstore } from "../harness/use.ts"

const petstore = usePetstore()
const main = join(import.meta.dirname, "..", "..", "src", "cli", "main.ts")

/** The SDK's own client, connected to `petstore mcp` with this key; it has all tools unless others are named. */
async function connect(key: string, ...flags: string[]) {
  const client = new Client({ name: "test", version: "1" })
  const env = { ...inherited, PETSTORE_URL: petstore.url, PETSTORE_API_KEY: key }
  await client.connect(
    new StdioClientTransport({
      command: process.execPath,
      args: [main, "mcp", ...(flags.length > 0 ? flags : ["--tools", "all"])],
      env,
      stderr: "ignore",
    }),
  )
  return Object.assign(client, { [Symbol.asyncDispose]: () => client.close() })
}

test("with all toolsets a model has a tool per operation that its key allows, except uploads, streams and deprecated ones", async () => {
  await using client = await connect("special-key")
  const { tools } = await client.listTools()
  const left = ["upload", "streams", "deprecated"]
  const wanted = Object.entries({ ...api, ...furtherOperations }).filter(
    ([, endpoint]) => !left.some((name) => name in endpoint),
  )
  const shorter: Record<string, string> = { resetSandbox: "reset", advanceClock: "advance", listRequests: "requests" }
  const names = [...wanted.map(([name]) => shorter[name] ?? name), "trigger"]
  assert.deepEqual(tools.map(({ name }) => name).sort(), names.sort())
  const getPet = tools.find(({ name }) => name === "getPetById")
  assert.deepEqual(getPet?.inputSchema.required, ["petId"])
  assert.equal(getPet?.annotations?.readOnlyHint, true)
})

test("without toolsets a model has the usual tools, with some only those", async () => {
  await using usual = await connect("special-key", "--verbose")
  assert.equal((await usual.listTools()).tools.length, 20)
  await using orders = await connect("special-key", "--tools", "orders,users")
  const names = (await orders.listTools()).tools.map(({ name }) => name)
  assert.ok(names.includes("patchOrder") && names.includes("listUsers") && !names.includes("addPet"))
  const { code, err } = await petstoreCommand(petstore.url, ["mcp", "--tools", "order", "--api-key", "special-key"])
  assert.equal(code, 2)
  assert.match(err, /"order" is not a toolset; did you mean orders\?/)
})

test("a tool runs its operation", async () => {
  await using client = await connect("special-key")
  const added = await client.callTool({ name: "addPet", arguments: { body: { name: "Rex", photoUrls: [] } } })
  const { id } = contentOf<{ id: number }>(added)
  const { value } = await petstore.as("special-key").getPetById({ params: { petId: id } })
  assert.equal(value.name, "Rex")
  const found = await client.callTool({ name: "getPetById", arguments: { petId: id } })
  assert.equal(contentOf(found).name, "Rex")
  const absent = await client.callTool({ name: "getPetById", arguments: { petId: 99_999 } })
  assert.ok(isError(absent))
  assert.equal(textOf(absent), "Pet not found (pet-not-found, 404)")
  const [description] = (await client.readResource({ uri: "petstore://openapi.json" })).contents
  assert.match((description as { text: string }).text, /"openapi":"3.1.1"/)
})

test("objects and lists as JSON text, and the members of a body beside the parameters, are read", async () => {
  await using client = await connect("special-key")
  const call = async (name: string, given: object) => {
    const result = await client.callTool({ name, arguments: given as Record<string, unknown> })
    assert.ok(!isError(result), textOf(result))
    const content = contentOf(result)
    return "items" in content ? (content.items as unknown[]) : content
  }
  const draft = { name: "S", photoUrls: ["a.jpg"], tags: [{ name: "mcp" }] }
  for (const given of [
    { body: draft },
    { body: JSON.stringify(draft) },
    { body: { ...draft, photoUrls: '["a.jpg"]', tags: '[{"name":"mcp"}]' } },
    draft,
    { ...draft, tags: '[{"name":"mcp"}]' },
  ]) {
    const { name, photoUrls, tags } = (await call("addPet", given)) as {
      name: string
      photoUrls: string[]
      tags: [{ name: string }]
    }
    assert.deepEqual([name, photoUrls, tags[0].name], ["S", ["a.jpg"], "mcp"], JSON.stringify(given))
  }
  const { id: added, name } = (await call("addPet", { name: '{"a":1}', photoUrls: [] })) as Record<string, never>
  assert.equal(name, '{"a":1}')
  for (const tags of [["mcp"], '["mcp"]', "mcp"]) assert.equal((await call("findPetsByTags", { tags })).length, 5)
  const statuses = await call("listPets", { status: '["sold","pending"]', limit: "3" })
  assert.equal(statuses.length, 3)
  assert.deepEqual(await call("importPets", { body: JSON.stringify([draft]) }), [{ id: Number(added) + 1 }])
  assert.deepEqual(await call("importPets", { items: [draft] }), [{ id: Number(added) + 2 }])
  const renamed = await call("updateUser", { username: "user9", newUsername: "user99", firstName: "Ida" })
  assert.equal((renamed as Record<string, unknown>).username, "user99")
})

test("an error names every argument that is unknown or missing", async () => {
  await using client = await connect("special-key")
  for (const [name, given, expected] of [
    [
      "getPetById",
      { petid: 1, x: 2 },
      "petid is not an argument of this tool; did you mean petId?\nx is not an argument of this tool\npetId is required",
    ],
    [
      "addPet",
      { nmae: "S" },
      "nmae is not an argument of this tool; did you mean name?\nname is required\nphotoUrls is required",
    ],
    ["addPet", { constructor: 1, name: "S", photoUrls: [] }, "constructor is not an argument of this tool"],
    ["deletePet", { petId: 1, body: {} }, "body is not an argument of this tool"],
    ["findPetsByTags", {}, "tags is required"],
    ["getPetById", { petId: ".." }, "petId is required"],
  ] as const) {
    const result = await client.callTool({ name, arguments: given })
    assert.ok(isError(result))
    assert.equal(textOf(result).split("\nCall it as ")[0], expected)
  }
})

test("a key with few scopes gets only their tools", async () => {
  await using client = await connect("free-key")
  const names = (await client.listTools()).tools.map(({ name }) => name)
  assert.ok(names.includes("addPet") && names.includes("getOwnAccount"))
  assert.ok(!names.includes("createKey") && !names.includes("listAccounts") && !names.includes("listWebhooks"))
  const result = await client.callTool({ name: "listAccounts", arguments: {} })
  assert.equal(isError(result), true)
  assert.match(textOf(result), /listAccounts is not offered/)
})

test("a refusal of the service is a tool error with reason and location", async () => {
  await using client = await connect("special-key")
  const absent = await client.callTool({ name: "getPetById", arguments: { petId: 4711 } })
  assert.equal(isError(absent), true)
  assert.match(textOf(absent), /pet-not-found, 404/)
  const invalid = await client.callTool({
    name: "addPet",
    arguments: { body: { name: " ", photoUrls: ["javascript:"] } },
  })
  assert.match(textOf(invalid), /name must not be blank.*photoUrls\.0/s)
  assert.match(textOf(await client.callTool({ name: "getPetById", arguments: {} })), /petId is required/)
})

test("without a valid key the command reports it and exits", async () => {
  const { code, err } = await petstoreCommand(petstore.url, ["mcp", "--api-key", "none"])
  assert.equal(code, 1)
  assert.match(err, /unauthorized \(401\)/)
})
