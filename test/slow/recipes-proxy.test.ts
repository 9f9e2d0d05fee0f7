import assert from "node:assert/strict"
import { once } from "node:events"
import { type IncomingMessage, request } from "node:http"
import { text } from "node:stream/consumers"
import { describe, test } from "node:test"
import { freePort } from "../harness/free-port.ts"
import { missingProgram } from "../harness/installed.ts"
import { openRecipe } from "../harness/recipe.ts"
import { until } from "../harness/until.ts"
import { use } from "../harness/use.ts"

describe("docs/recipes/behind-a-proxy.md", { skip: missingProgram("nginx") }, () => {
  let proxy = ""
  const recipe = use(async () => {
    const [service, behind] = [await freePort(), `127.0.0.1:${await freePort()}`]
    proxy = `http://${behind}`
    return openRecipe("behind-a-proxy", `http://127.0.0.1:${service}`, { "127.0.0.1:8081": behind })
  })
  /** Sends a request as if from another machine: from another address of this one. */
  async function sendFromElsewhere(
    method: string,
    path: string,
    headers: Record<string, string> = {},
    body?: Uint8Array,
  ) {
    const options = { method, localAddress: "127.0.0.2", headers: { api_key: "special-key", ...headers } }
    const sending = request(proxy + path, options).end(body)
    const [response] = (await once(sending, "response")) as [IncomingMessage]
    return { status: response.statusCode, headers: response.headers, text: await text(response) }
  }

  test("requests are served and logged with the client's real address, uploads are accepted, and streams are not buffered", async () => {
    const service = recipe.start("PETSTORE_TRUSTED_PROXIES=")
    await service.waitForOutput('"msg":"listening"')
    const nginx = recipe.start("nginx")
    await until(async () => (await fetch(`${proxy}/livez`).catch(() => undefined))?.status === 200, nginx.output())

    for (const claimed of [{}, { "x-forwarded-for": "203.0.113.9" }] as Record<string, string>[]) {
      const { status } = await sendFromElsewhere("GET", "/api/v3/pet/1", {
        ...claimed,
        "x-request-id": "from-another-host",
      })
      assert.equal(status, 200)
    }
    const logged = () =>
      service
        .output()
        .split("\n")
        .filter((line) => line.includes("from-another-host"))
    await until(() => logged().length === 2, "the requests are not in the log")
    for (const line of logged()) assert.equal(JSON.parse(line)["client.address"], "127.0.0.2")

    const image = { "content-type": "application/octet-stream" }
    const upload = await sendFromElsewhere("POST", "/api/v3/pet/1/uploadImage", image, new Uint8Array(2 ** 21))
    assert.equal(upload.headers["content-type"], "application/problem+json")
    const pages = await sendFromElsewhere("GET", "/api/v3/pet/findByStatus?limit=1")
    assert.ok(String(pages.headers.link).startsWith(`<${proxy}/`), String(pages.headers.link))

    const [read, claim, stream] = recipe.commands.filter((command) => command.startsWith("curl")) as [
      string,
      string,
      string,
    ]
    for (const command of [read, claim]) assert.match(await recipe.run(command), /"id":1/)
    const streaming = recipe.start(stream)
    await streaming.waitForOutput("retry:")
    assert.equal((await sendFromElsewhere("DELETE", "/api/v3/pet/10")).status, 200)
    await streaming.waitForOutput("pet.deleted")
    assert.deepEqual(recipe.remaining(), [])
  })
})
