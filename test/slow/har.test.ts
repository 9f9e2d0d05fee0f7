import assert from "node:assert/strict"
import { writeFile } from "node:fs/promises"
import { join } from "node:path"
import { test } from "node:test"
import { createSandboxClient } from "../../src/parts/sandbox/client/sandbox-client.ts"
import { browserPath, openBrowser } from "../harness/browser.ts"
import { temporaryDirectory } from "../harness/directory.ts"
import { startPetstore } from "../harness/petstore.ts"
import { asker } from "../harness/send.ts"

const skip = browserPath === undefined && "NO BROWSER: install Debian's chromium to replay requests in it"

const rex = '{"name":"Rex","photoUrls":[]}'

test("a browser is served the recorded responses from the exported HAR, without the service", { skip }, async () => {
  using directory = temporaryDirectory()
  const file = join(directory.path, "run.har")
  const url = await record(file)
  const browser = await openBrowser(browserPath as string)
  try {
    const context = await browser.newContext()
    await context.routeFromHAR(file, { notFound: "abort" })
    const page = await context.newPage()
    const read = await page.goto(`${url}/api/v3/pet/1`)
    assert.ok(read)
    assert.deepEqual([read.status(), (await read.json()).id], [200, 1])
    const added = await page.evaluate(async (body) => {
      const response = await fetch("/api/v3/pet", { method: "POST", body })
      return response.text()
    }, rex)
    assert.equal(JSON.parse(added).name, "Rex")
    await assert.rejects(page.goto(`${url}/api/v3/pet/2`), /ERR_FAILED/)
  } finally {
    await browser.close()
  }
})

/** Writes the requests to a service that has ended, and returns its address. */
async function record(file: string): Promise<string> {
  await using petstore = await startPetstore()
  const ask = asker(petstore)
  await (await ask("/api/v3/pet/1")).text()
  await (await ask("/api/v3/pet", { method: "POST", body: rex })).text()
  await writeFile(file, (await createSandboxClient({ url: petstore.url }).exportRequests()).text)
  return petstore.url
}
