import assert from "node:assert/strict"
import { execFile } from "node:child_process"
import { createHash } from "node:crypto"
import { cpSync, existsSync, readFileSync, symlinkSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { after, describe, test } from "node:test"
import { pathToFileURL } from "node:url"
import { promisify } from "node:util"
import { temporaryDirectory } from "../harness/petstore.ts"
import { before, usePetstore } from "../harness/use.ts"

const run = promisify(execFile)
const source = join(import.meta.dirname, "clients")
const modules = join(source, "node_modules")
const installTimeoutMs = 180_000

/** The generators are no dependency of ours: they are installed here when they are first needed. */
async function install(): Promise<string | false> {
  const lock = createHash("sha256")
    .update(readFileSync(join(source, "package-lock.json")))
    .digest("hex")
  const stamp = join(modules, ".installed")
  if (existsSync(stamp) && readFileSync(stamp, "utf8") === lock) return false
  try {
    const quietly = ["--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"]
    await run("npm", ["ci", ...quietly], { cwd: source, timeout: installTimeoutMs })
    writeFileSync(stamp, lock)
    return false
  } catch (error) {
    return `NO CLIENT GENERATORS: npm ci in test/slow/clients failed: ${(error as Error).message}`
  }
}

describe("a client generated from the served description", { skip: await install() }, () => {
  const petstore = usePetstore()
  const workshop = temporaryDirectory()
  const inWorkshop = (...path: string[]) => join(workshop.path, ...path)
  const generate = (tool: string, ...args: string[]) =>
    run(process.execPath, [join(modules, ".bin", tool), ...args], { cwd: workshop.path })

  before(async () => {
    cpSync(source, workshop.path, { recursive: true, filter: (path) => !path.startsWith(modules) })
    symlinkSync(modules, inWorkshop("node_modules"))
    const description = await fetch(`${petstore.url}/api/v3/openapi.json`)
    writeFileSync(inWorkshop("openapi.json"), await description.text())

    await Promise.all([
      generate("openapi-typescript", "openapi.json", "--output=generated/openapi-typescript.ts"),
      generate("openapi-ts", "--input=openapi.json", "--output=generated/hey-api", "--silent", "--no-log-file"),
    ])
    const tsc = join(import.meta.dirname, "..", "..", "node_modules", ".bin", "tsc")
    await run(tsc, ["-p", workshop.path]).catch(({ stdout }) => assert.fail(`it does not type-check:\n${stdout}`))
  })
  after(() => workshop[Symbol.dispose]())

  for (const script of ["with-openapi-fetch", "with-hey-api"])
    test(`type-checks strictly and creates, reads and deletes a pet (${script})`, async () => {
      const { roundTrip } = await import(pathToFileURL(inWorkshop("built", `${script}.js`)).href)
      const { created, read, status, deleted, gone } = await roundTrip(`${petstore.url}/api/v3`, "special-key")

      assert.deepEqual([created.name, created.category.name, status], ["Rex", "Dogs", "available"])
      assert.deepEqual(read, created)
      assert.deepEqual([deleted, gone], ["Pet deleted", "pet-not-found"])
    })
})
