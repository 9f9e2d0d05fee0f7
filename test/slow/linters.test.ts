import assert from "node:assert/strict"
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { after, describe, test } from "node:test"
import { pathToFileURL } from "node:url"
import { temporaryDirectory } from "../harness/directory.ts"
import { npmTools, runTool } from "../harness/foreign-tools.ts"
import { root } from "../harness/together.ts"
import { before, usePetstore } from "../harness/use.ts"

const names = [
  ...["openapi.json", "openapi.yaml", "openapi.classic.json", "openapi.json?version=3.0", "openapi.json?version=3.2"],
  ...["openapi.classic.json?version=3.1", "openapi.classic.json?version=3.2"],
]
/** Spectral does not read 3.2, and takes as long for each as the others for all. */
const forSpectral = ["openapi.json", "openapi.classic.json", "openapi.json?version=3.0"]
const { path: tools = "", missing = false } = await npmTools()

describe("the served descriptions have no findings", () => {
  const petstore = usePetstore()
  const directory = temporaryDirectory()
  const served = (name: string) => join(directory.path, name.replace(/(.*)[?]version=(.*)/, "$2-$1"))
  const inTools = (...path: string[]) => join(tools, "node_modules", ...path)
  const run = (program: string, ...args: string[]) => runTool(process.execPath, [program, ...args], root)

  before(async () => {
    for (const name of names) writeFileSync(served(name), await (await fetch(`${petstore.url}/api/v3/${name}`)).text())
    writeFileSync(served("swagger.json"), await (await fetch(`${petstore.url}/v2/swagger.json`)).text())
  })
  after(() => directory[Symbol.dispose]())

  test("Redocly", async () => {
    await run(
      join(root, "node_modules", ".bin", "redocly"),
      "lint",
      "--config=.config/redocly.yaml",
      ...names.map(served),
    )
  })

  test("Spectral", { skip: missing }, async () => {
    const options = ["--ruleset=.config/spectral.yaml", "--fail-severity=hint"]
    await run(inTools(".bin", "spectral"), "lint", ...options, ...forSpectral.map(served))
  })

  test("openapi-schema-validator", { skip: missing }, async () => {
    const { Validator } = await import(pathToFileURL(inTools("@seriousme/openapi-schema-validator/index.js")).href)
    for (const name of [...names, "swagger.json"]) {
      const { valid, errors } = await new Validator().validate(served(name))
      assert.ok(valid, `${name}: ${JSON.stringify(errors)}`)
    }
  })
})
