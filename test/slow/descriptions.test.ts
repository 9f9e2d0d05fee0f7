import assert from "node:assert/strict"
import { readFileSync, writeFileSync } from "node:fs"
import { createRequire } from "node:module"
import { join } from "node:path"
import { after, describe, test } from "node:test"
import { temporaryDirectory } from "../harness/directory.ts"
import { arazzoRunner, npmTools, runTool } from "../harness/foreign-tools.ts"
import { startReceiver } from "../harness/receiver.ts"
import { usePetstore } from "../harness/use.ts"

const root = join(import.meta.dirname, "..", "..")
const { path: tools = "", missing = false } = await npmTools()
const { path: runner = "", missing: withoutRunner = false } = await arazzoRunner()
const redocly = join(root, "node_modules", ".bin", "redocly")
const inTools = (...path: string[]) => join(tools, "node_modules", ...path)
const runNode = (program: string, ...args: string[]) => runTool(process.execPath, [program, ...args], directory.path)
const directory = temporaryDirectory()
const require = createRequire(import.meta.url)
after(() => directory[Symbol.dispose]())

describe("programs of others accept the descriptions and carry them out", () => {
  const petstore = usePetstore({}, "one for each test")

  async function saved(name: string): Promise<string> {
    const file = join(directory.path, name)
    writeFileSync(file, await (await fetch(`${petstore.url}/api/v3/${name}`)).text())
    return file
  }

  /** Every journey that the document lists. */
  const journeysIn = (file: string): string[] =>
    JSON.parse(readFileSync(file, "utf8")).workflows.map((each: { workflowId: string }) => each.workflowId)

  /** The statuses of the requests of one operation, or of all. */
  async function statusesOf(operation?: string): Promise<number[]> {
    const query = new URLSearchParams({ limit: "1000", ...(operation && { operation }) })
    const response = await fetch(`${petstore.url}/api/v3/sandbox/requests?${query}`, {
      headers: { api_key: "special-key" },
    })
    const requests = (await response.json()) as { status: number; operation?: string }[]
    return requests.filter((each) => each.operation !== undefined).map(({ status }) => status)
  }

  test("AsyncAPI's parser has no diagnostics", { skip: missing }, async () => {
    const { Parser } = require(inTools("@asyncapi/parser"))
    const { diagnostics, document } = await new Parser().parse(readFileSync(await saved("asyncapi.json"), "utf8"))
    assert.deepEqual(diagnostics, [])
    assert.equal(document.allMessages().length, 20)
  })

  test("Redocly: asyncapi.json", async () => {
    await runNode(redocly, "lint", "--skip-rule=security-defined", await saved("asyncapi.json"))
  })

  test("Redocly Respect carries out every journey of the Arazzo document, which meets errors and repeats requests", async () => {
    const file = await saved("arazzo.json")
    await runNode(redocly, "lint", file)
    await using receiver = await startReceiver()
    const output = await runNode(redocly, "respect", file, "--input", `webhookUrl=${receiver.url}`)
    assert.match(output, new RegExp(`Workflows: ${journeysIn(file).length} passed, ${journeysIn(file).length} total`))
    assert.ok((await statusesOf("getInventory")).includes(429))
    assert.ok((await statusesOf("addPet")).includes(503))
  })

  test("arazzo-runner carries out every journey without errors", { skip: withoutRunner }, async () => {
    const file = await saved("arazzo.json")
    const local = await saved("openapi.json")
    // It cannot load a description from a URL (0.9.6).
    const document = JSON.parse(readFileSync(file, "utf8"))
    document.sourceDescriptions[0].url = local
    writeFileSync(file, JSON.stringify(document))
    await using receiver = await startReceiver()
    const inputs = Object.assign(
      {},
      ...document.workflows.map((each: { inputs: { properties: Record<string, { default: string }> } }) =>
        Object.fromEntries(Object.entries(each.inputs.properties).map(([name, { default: value }]) => [name, value])),
      ),
      { webhookUrl: receiver.url },
    )
    // It takes no failure for one that a failure action names (0.9.6), so it does not repeat requests.
    for (const journey of journeysIn(file).filter((each) => each !== "recoverFromErrors")) {
      const args = ["execute-workflow", file, "--workflow-id", journey, "--inputs", JSON.stringify(inputs)]
      const output = await runTool(join(runner, "bin", "arazzo-runner"), args, directory.path)
      const errors = output.split("\n").filter((line) => line.includes(" - ERROR - "))
      // It reports a condition on a delivery that is not there yet before it repeats the request.
      assert.deepEqual(
        errors.filter((line) => !line.includes("Error evaluating JSON pointer condition")),
        [],
        journey,
      )
      assert.ok(output.includes("status=workflow_complete"), journey)
    }
  })

  test("Newman sends the Postman collection twice, and every request succeeds", { skip: missing }, async () => {
    const file = await saved("postman.json")
    const report = join(directory.path, "newman.json")
    for (const _ of [1, 2]) {
      await runNode(inTools("newman/bin/newman.js"), "run", file, "-r", "json", "--reporter-json-export", report)
      const { assertions, requests } = JSON.parse(readFileSync(report, "utf8")).run.stats
      // A run skips the stream, which does not end.
      assert.equal(requests.total, countIn(JSON.parse(readFileSync(file, "utf8")).item) - 1)
      assert.deepEqual([assertions.total, assertions.failed], [requests.total, 0])
    }
  })

  test("Bruno's converter takes the Postman collection whole", { skip: missing }, async () => {
    const { postmanToBruno } = require(inTools("@usebruno/converters"))
    const collection = JSON.parse(readFileSync(await saved("postman.json"), "utf8"))
    const converted = await postmanToBruno(collection)
    assert.equal(countIn((converted.collection ?? converted).items), countIn(collection.item))
  })

  test("httpYac sends the HTTP file, and every request succeeds", { skip: missing }, async () => {
    const file = await saved("requests.http")
    await runNode(inTools("httpyac/bin/httpyac.js"), "send", file, "--all", "--output", "none")
    const statuses = await statusesOf()
    assert.equal(statuses.length, [...readFileSync(file, "utf8").matchAll(/^# @name/gm)].length)
    assert.deepEqual(
      statuses.filter((status) => status >= 300),
      [],
    )
  })
})

type Item = { item?: Item[]; items?: Item[] }

/** The requests in a tree of folders. */
const countIn = (items: readonly Item[]): number =>
  items.reduce((sum, { item, items: inner }) => sum + (item || inner ? countIn(item ?? inner ?? []) : 1), 0)
