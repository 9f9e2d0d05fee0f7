import assert from "node:assert/strict"
import { join } from "node:path"
import { test } from "node:test"
import { Client } from "@modelcontextprotocol/client"
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio"
import { petstoreCommand } from "../../../test/harness/command-line.ts"
import { inherited } from "../../../test/harness/spawn.ts"
import { usePetstore } from "../../../test/harness/use.ts"
import { api } from "../../domain/api.ts"

const petstore = usePetstore()
const main = join(import.meta.dirname, "..", "main.ts")

/** The SDK's own client, connected to `petstore mcp` with this key. */
async function connect(key: string) {
  const client = new Client({ name: "test", version: "1" })
  const env = { ...inherited, PETSTORE_URL: petstore.url, PETSTORE_API_KEY: key }
  await client.connect(
    new StdioClientTransport({ command: process.execPath, args: [main, "mcp"], env, stderr: "ignore" }),
  )
  return Object.assign(client, { [Symbol.asyncDispose]: () => client.close() })
}

type Result = { isError?: boolean | undefined; content: { type: string; text?: string }[] }
const textOf = (result: unknown) => (result as Result).content.map(({ text }) => text).join("\n")

test("a model gets a tool per operation that its key allows, except uploads, streams and deprecated ones, and can page through lists", async () => {
  await using client = await connect("special-key")
  const { tools } = await client.listTools()
  const left = ["upload", "streams", "deprecated"]
  const wanted = Object.entries(api).filter(([, endpoint]) => !left.some((name) => name in endpoint))
  assert.deepEqual(tools.map(({ name }) => name).sort(), wanted.map(([name]) => name).sort())
  const getPet = tools.find(({ name }) => name === "getPetById")
  assert.deepEqual(getPet?.inputSchema.required, ["petId"])
  assert.equal(getPet?.annotations?.readOnlyHint, true)

  const first = await client.callTool({ name: "listPets", arguments: { limit: 6, sort: "id", status: ["available"] } })
  const [, cursor = ""] = /There is more: cursor (\S+)/.exec(textOf(first)) ?? []
  const second = await client.callTool({
    name: "listPets",
    arguments: { limit: 6, sort: "id", status: ["available"], cursor },
  })
  assert.doesNotMatch(textOf(second), /There is more/)
})

test("a tool runs its operation", async () => {
  await using client = await connect("special-key")
  const added = await client.callTool({ name: "addPet", arguments: { body: { name: "Rex", photoUrls: [] } } })
  const { id } = JSON.parse(textOf(added))
  const { value } = await petstore.as("special-key").getPetById({ params: { petId: id } })
  assert.equal(value.name, "Rex")
  assert.equal(JSON.parse(textOf(await client.callTool({ name: "getPetById", arguments: { petId: id } }))).name, "Rex")
})

test("a key with few scopes gets only their tools", async () => {
  await using client = await connect("free-key")
  const names = (await client.listTools()).tools.map(({ name }) => name)
  assert.ok(names.includes("addPet") && names.includes("getOwnAccount"))
  assert.ok(!names.includes("createKey") && !names.includes("listAccounts") && !names.includes("listWebhooks"))
  const result = await client.callTool({ name: "listAccounts", arguments: {} })
  assert.equal((result as Result).isError, true)
  assert.match(textOf(result), /unknown tool listAccounts/)
})

test("a refusal of the service is a tool error with reason and location", async () => {
  await using client = await connect("special-key")
  const absent = await client.callTool({ name: "getPetById", arguments: { petId: 4711 } })
  assert.equal((absent as Result).isError, true)
  assert.match(textOf(absent), /Pet not found.*pet-not-found \(404\)/s)
  const invalid = await client.callTool({
    name: "addPet",
    arguments: { body: { name: " ", photoUrls: ["javascript:"] } },
  })
  assert.match(textOf(invalid), /\/name must not be blank.*\/photoUrls\/0/s)
  assert.match(textOf(await client.callTool({ name: "getPetById", arguments: {} })), /petId is required/)
})

test("without a valid key the command reports it and exits", async () => {
  const { code, err } = await petstoreCommand(petstore.url, ["mcp", "--api-key", "none"])
  assert.equal(code, 1)
  assert.match(err, /unauthorized \(401\)/)
})
