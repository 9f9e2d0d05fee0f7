import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { after, describe, test } from "node:test"
import { temporaryDirectory } from "../harness/directory.ts"
import { npmTools, runTool } from "../harness/foreign-tools.ts"
import { before, usePetstore } from "../harness/use.ts"

const root = join(import.meta.dirname, "..", "..")
const names = [
  ...["openapi.json", "openapi.yaml", "openapi.classic.json", "openapi.json?version=3.0", "openapi.json?version=3.2"],
  ...["openapi.classic.json?version=3.1", "openapi.classic.json?version=3.2"],
]
const { path: tools = "", missing = false } = await npmTools()

describe("the served descriptions have no findings", () => {
  const petstore = usePetstore()
  const directory = temporaryDirectory()
  const served = (name: string) => join(directory.path, name.replace(/(.*)[?]version=(.*)/, "$2-$1"))
  const inTools = (name: string) => join(tools, "node_modules", ".bin", name)
  const run = (program: string, ...args: string[]) => runTool(process.execPath, [program, ...args], root)

  before(async () => {
    for (const name of names) writeFileSync(served(name), await (await fetch(`${petstore.url}/api/v3/${name}`)).text())
  })
  test("openapi-schema-validator: swagger.json", { skip: missing }, async () => {
    writeFileSync(served("swagger.json"), await (await fetch(`${petstore.url}/v2/swagger.json`)).text())
    await run(inTools("validate-api"), served("swagger.json"))
  })
  after(() => directory[Symbol.dispose]())

  for (const name of names) {
    test(`Redocly: ${name}`, async () => {
      await run(join(root, "node_modules", ".bin", "redocly"), "lint", "--config=.config/redocly.yaml", served(name))
    })
    // Spectral does not read 3.2.
    test(`Spectral: ${name}`, { skip: missing || name.endsWith("3.2") }, async () => {
      await run(inTools("spectral"), "lint", "--ruleset=.config/spectral.yaml", "--fail-severity=hint", served(name))
    })
    test(`openapi-schema-validator: ${name}`, { skip: missing }, async () => {
      await run(inTools("validate-api"), served(name))
    })
  }
})
