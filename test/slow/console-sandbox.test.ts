import assert from "node:assert/strict"
import { after, describe, test } from "node:test"
import type { Browser } from "playwright-core"
import { createSandboxClient } from "../../src/parts/sandbox/client/sandbox-client.ts"
import { assertFits, browserPath, consoleVisits, openBrowser } from "../harness/browser.ts"
import { newPet } from "../harness/samples.ts"
import { before, usePetstore } from "../harness/use.ts"

const skip = browserPath === undefined && "NO BROWSER: install Debian's chromium to test the console"

describe("the pages of the sandbox in a browser", { skip }, () => {
  const petstore = usePetstore()
  let browser: Browser
  before(async () => {
    browser = await openBrowser(browserPath as string)
  })
  after(() => (browser as Browser | undefined)?.close())

  const visits = consoleVisits(() => ({ browser, url: petstore.url }))

  test("a message appears in the receiver by itself, and a response that is being chosen stays as it is", async () => {
    const { page, defects } = await visits.enter("admin", "admin")
    await page.goto(`${petstore.url}/console/receiver`)
    await page.getByRole("button", { name: "Create a webhook to here" }).click()
    await page.getByText("sends here").waitFor()
    await page.getByLabel("Delay in seconds").fill("7")
    await newPet(petstore.as("special-key"), { name: "Received live" })
    await page.getByText('"Received live"').waitFor()
    await page.getByText("signature verified").waitFor()
    assert.equal(await page.getByLabel("Delay in seconds").inputValue(), "7")
    await assertFits(page, "/console/receiver")
    assert.deepEqual(defects, [])
  })

  test("attempts at a request become one row by themselves, which opens and fits a phone and a desktop", async () => {
    const sandbox = createSandboxClient({ url: petstore.url, name: "attempts" })
    const read = async (prefer: string) =>
      fetch(`${sandbox.url}/api/v3/pet/1`, { headers: { api_key: "special-key", prefer } })
    await read("code=503")
    const { page, defects } = await visits.enter("admin", "admin")
    await page.goto(`${petstore.url}/console/sandbox/attempts/requests`)
    await page.getByText("Live", { exact: true }).waitFor()
    await read("code=429")
    await read("wait=0")
    await page.getByText("3 attempts: 503, 429, 200").waitFor()
    assert.equal(await page.locator("tbody tr").count(), 1)
    await page.getByText("3 attempts").click()
    await page.getByText("/headers/prefer: code=429 → wait=0").waitFor()
    await assertFits(page, "the open row")
    await page.getByRole("link", { name: /^Request 1$/ }).click()
    await page.getByRole("heading", { name: "Attempts" }).waitFor()
    await assertFits(page, "the page of an attempt")
    await fetch(`${sandbox.url}/api/v3/pet/9`, { method: "DELETE", headers: { api_key: "special-key" } })
    await page.goto(`${petstore.url}/console/sandbox/attempts/diff`)
    await page.getByText("Compared with the initial data: 1 pet removed.").waitFor()
    await assertFits(page, "what changed")
    assert.deepEqual(defects, [])
  })

  test("fault rules, the dialog of one, a refused one, held requests, messages and a recorded request fit a phone and a desktop, without violations reported by axe", async () => {
    const sandbox = createSandboxClient({ url: petstore.url })
    await newPet(petstore.as("special-key"), { name: "Recorded" })
    const [recorded] = (await sandbox.listRequests({ query: { operation: "addPet", limit: 1 } })).value
    const rules = [{ match: { operation: "getPetById", share: 0.333 }, fault: "code=503" }, { enabled: false }]
    await sandbox.setFaults({ body: { rules } })
    const { page, defects } = await visits.enter("admin", "admin")
    for (const path of ["/receiver", `/requests/${recorded?.id}`]) {
      await page.goto(`${petstore.url}/console${path}`)
      await assertFits(page, `/console${path}`)
    }
    const held = fetch(`${sandbox.url}/api/v3/pet/1`, { headers: { api_key: "special-key", prefer: "fault=hold" } })
    await sandbox.holds({ within: "PT30S" })
    await page.goto(`${petstore.url}/console/sandbox`)
    await assertFits(page, "/console/sandbox")
    await page.getByRole("button", { name: "Release" }).click()
    await page.getByText(/^Request \d+ continues$/).waitFor()
    assert.equal((await held).status, 200)
    await page.getByRole("link", { name: "Change" }).first().click()
    const dialog = page.getByRole("dialog", { name: "Change fault 1" })
    await dialog.getByLabel("Share of them").fill("0.5")
    await assertFits(page, "the dialog of a rule")
    await dialog.getByRole("link", { name: "Cancel" }).click()
    await dialog.waitFor({ state: "detached" })
    await page.getByRole("link", { name: "Add a fault" }).click()
    await page.getByRole("dialog").getByLabel("Operation").fill("getPetByID")
    await page.getByRole("button", { name: "Add the fault" }).click()
    await page.locator(".error").first().waitFor()
    assert.equal(await page.getByLabel("Operation").inputValue(), "getPetByID")
    await assertFits(page, "the refused rule")
    assert.deepEqual(
      defects.filter((defect) => !defect.includes("422")),
      [],
    )
  })
})
