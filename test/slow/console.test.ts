import assert from "node:assert/strict"
import { readFileSync } from "node:fs"
import { after, describe, test } from "node:test"
import { fileURLToPath } from "node:url"
import type { Browser, BrowserContextOptions } from "playwright-core"
import { roles } from "../../src/core/domain/scopes.ts"
import { maySeePage } from "../../src/parts/console/pages/page.ts"
import { violationsOn } from "../harness/accessibility.ts"
import { assertFits, browserPath, consoleVisits, openBrowser } from "../harness/browser.ts"
import { appoint, consolePages, type PersonRole, pageAt, passwordOf, people, signedIn } from "../harness/console.ts"
import { furnish } from "../harness/console-content.ts"
import { before, usePetstore } from "../harness/use.ts"

const skip = browserPath === undefined && "NO BROWSER: install Debian's chromium to test the console"

describe("the console in a browser", { skip }, () => {
  const petstore = usePetstore()
  let browser: Browser
  before(async () => {
    browser = await openBrowser(browserPath as string)
    await appoint(petstore)
    await furnish(petstore)
  })
  after(() => (browser as Browser | undefined)?.close())

  const visits = consoleVisits(() => ({ browser, url: petstore.url }))
  const enter = (role: PersonRole, options?: BrowserContextOptions) =>
    visits.enter(people[role], passwordOf(people[role]), options)

  /** One address of every page that links lead this role to. */
  async function addressesFor(role: PersonRole): Promise<string[]> {
    const visitor = await signedIn(petstore, role)
    const found = new Map<string, string>()
    const queue = ["/"]
    for (let path = queue.shift(); path !== undefined; path = queue.shift()) {
      const target = pageAt(path)
      if (!target || found.has(target.path)) continue
      found.set(target.path, path)
      const { status, html } = await visitor.go(addressAt(path))
      assert.equal(status, 200, path)
      for (const [, link = ""] of html.matchAll(/<a [^>]*href="([^"]+)"/g)) {
        const { pathname } = new URL(link.replaceAll("&amp;", "&"), petstore.url)
        queue.push(...(/^\/console(\/.*)$/.exec(pathname)?.slice(1) ?? []))
      }
    }
    const visible = consolePages
      .filter((each) => maySeePage(each, { person: { role }, scopes: new Set(roles[role]) }))
      .map(({ path }) => path)
    assert.deepEqual([...found.keys()].sort(), visible.sort())
    return [...found.values()]
  }
  const addressAt = (path: string) => `/console${path === "/" ? "" : path}`

  for (const role of ["staff", "customer"] as const)
    test(`links lead to every page that ${role} can open, and to no other`, async () => {
      await addressesFor(role)
    })

  test("links lead an admin to every page, and each fits a phone and a desktop, light and dark, without violations reported by axe", {}, async () => {
    const { page, defects, close } = await enter("admin")
    for (const path of await addressesFor("admin")) {
      await page.goto(petstore.url + addressAt(path))
      await page.evaluate("for (const each of document.querySelectorAll('main details')) each.open = true")
      await assertFits(page, path)
    }
    assert.deepEqual(defects, [])
    await close()
  })

  test("on a phone the navigation opens on demand, without scripts too; on a desktop it is always there", async () => {
    for (const javaScriptEnabled of [true, false]) {
      const { page, defects, close } = await enter("admin", { javaScriptEnabled })
      const link = page.getByRole("navigation", { name: "Console" }).getByRole("link", { name: "Webhooks" })
      await page.setViewportSize({ width: 390, height: 900 })
      assert.equal(await link.isVisible(), false)
      await page.getByText("Menu", { exact: true }).click()
      await link.click()
      await page.getByRole("heading", { name: "Webhooks", exact: true }).waitFor()
      assert.equal(await link.isVisible(), false)
      await page.setViewportSize({ width: 1280, height: 900 })
      assert.equal(await link.isVisible(), true)
      assert.equal(await page.getByText("Menu", { exact: true }).isVisible(), false)
      assert.deepEqual(defects, [])
      await close()
    }
  })

  test("relative times of an open page stay current", async () => {
    const { page, defects, close } = await enter("admin")
    await page.clock.install()
    await page.goto(`${petstore.url}/console/audit`)
    const time = page.locator("tbody time").first()
    const before = await time.innerText()
    await page.clock.fastForward(40 * 60_000)
    assert.match(await time.innerText(), /^(4\d|5\d) minutes ago$/)
    assert.doesNotMatch(before, /^[45]\d minutes ago$/)
    assert.deepEqual(defects, [])
    await close()
  })

  test("an uploaded photo is added, and another file is refused next to the field", async () => {
    const { page, defects, close } = await enter("staff")
    await page.goto(`${petstore.url}/console/pets/5/photos`)
    const file = page.getByLabel("Photo", { exact: true })
    await file.setInputFiles({ name: "no.png", mimeType: "image/png", buffer: Buffer.from("no photo") })
    await page.getByRole("button", { name: "Upload" }).click()
    await page.getByRole("alert").filter({ hasText: /\w/ }).waitFor()
    assert.match(defects.splice(0).join(), /status of 4\d\d/)
    const photo = fileURLToPath(new URL("../../src/parts/sandbox/seeds/images/cat-1-640.webp", import.meta.url))
    await file.setInputFiles(photo)
    await page.getByRole("button", { name: "Upload" }).click()
    await page.getByText("The photo was added").waitFor()
    assert.deepEqual(defects, [])
    await close()
  })

  test("new events appear at the top, and the page reports when it is no longer live", async () => {
    const { page, defects, close } = await enter("admin")
    await page.goto(`${petstore.url}/console/events?kind=pet.created`)
    await page.getByText("Live", { exact: true }).waitFor()
    const before = await page.locator("tbody tr").count()
    const admin = petstore.as("special-key")
    const hostile = `<img src=x onerror="document.title='taken'">`
    await admin.patchPet({ params: { petId: 4 }, body: { name: "Not of this kind" } })
    for (const name of ["First of them", hostile]) await admin.addPet({ body: { name, photoUrls: [] } })
    await page.getByRole("link", { name: hostile }).waitFor()
    const rows = await page.locator("tbody tr").allInnerTexts()
    assert.ok(rows[0]?.includes(hostile) && rows[1]?.includes("First of them"), rows.join("\n"))
    assert.equal(rows.length, Math.min(25, before + 2))
    assert.equal(rows.filter((row) => row.includes("Not of this kind")).length, 0)
    assert.deepEqual(await violationsOn(page), [])
    await admin.grantRole({ params: { username: people.admin, role: "customer" } })
    await page.getByText("Live updates have ended").waitFor()
    await appoint(petstore)
    visits.forget(people.admin)
    assert.deepEqual(defects, [])
    await close()
  })

  for (const javaScriptEnabled of [true, false])
    test(`a file is previewed and imported, and the report of refused lines is downloaded, ${javaScriptEnabled ? "with" : "without"} scripts`, async () => {
      const { page, defects, close } = await enter("staff", { javaScriptEnabled })
      await page.goto(`${petstore.url}/console/pets/import`)
      const lines = Array.from({ length: 2000 }, (_, n) => `Carried ${javaScriptEnabled} ${n};sold`)
      const buffer = Buffer.from(`Name;State\n${lines.join("\n")}\n;refused\n`)
      const choose = () => page.locator("#file").setInputFiles({ name: "pets.csv", mimeType: "text/csv", buffer })
      await choose()
      await page.getByRole("button", { name: "Preview" }).click()
      await page.getByText("no pets were added").waitFor()
      await page.getByText("ignored").waitFor()
      if (javaScriptEnabled) assert.deepEqual(await violationsOn(page), [])
      // With scripts the file is still chosen.
      if (!javaScriptEnabled) await choose()
      await page.getByRole("button", { name: "Import" }).click()
      await page.getByRole("heading", { name: "Import result" }).waitFor()
      assert.match(await page.locator("#result").innerText(), /Pets added\s+2000/)
      assert.equal(await page.locator(".step:visible").count(), 0)
      if (javaScriptEnabled) assert.deepEqual(await violationsOn(page), [])
      const downloading = page.waitForEvent("download")
      await page.getByRole("link", { name: "Download the report" }).click()
      const report = await (await downloading).path()
      assert.match(readFileSync(report, "utf8"), /2002,invalid-body,name is required/)
      assert.deepEqual(defects, [])
      await close()
    })

  test("the pets can be downloaded repeatedly", async () => {
    const { page, defects, close } = await enter("customer")
    await page.goto(`${petstore.url}/console/pets/export`)
    for (const name of ["pets.csv", "pets.csv"]) {
      const downloading = page.waitForEvent("download")
      await page.getByRole("button", { name: "Download" }).click()
      const download = await downloading
      assert.equal(download.suggestedFilename(), name)
      assert.match(
        readFileSync(await download.path(), "utf8"),
        /^\ufeffid,name,category,status,tags,photoUrls,createdAt,updatedAt\r\n1,/,
      )
    }
    assert.deepEqual(defects, [])
    await close()
  })

  test("a link from another site leads signed-in users to the page, not to the sign-in form", async () => {
    const { page, defects, close } = await enter("staff")
    await page.goto("data:text/html,<a>elsewhere")
    await page.setContent(`<a href="${petstore.url}/console/pets">go</a>`)
    await page.getByText("go").click()
    await page.getByRole("heading", { name: "Pets", exact: true }).waitFor()
    assert.deepEqual(defects, [])
    await close()
  })

  test("a new key requires the password, is shown once, and is copied with a button", async () => {
    const { page, defects, close } = await enter("admin", { permissions: ["clipboard-read", "clipboard-write"] })
    await page.goto(`${petstore.url}/console/keys/new`)
    await page.getByLabel("Name").fill("Copied")
    await page.getByLabel("See the pets").check()
    await page.getByRole("button", { name: "Create the key" }).click()
    await page.getByRole("heading", { name: "Create the key?" }).waitFor()
    assert.deepEqual(await violationsOn(page), [])
    await page.getByLabel("Password of").fill(passwordOf(people.admin))
    await page.getByRole("button", { name: "Create the key" }).click()
    await page.getByRole("heading", { name: "Copied was created" }).waitFor()
    assert.deepEqual(await violationsOn(page), [])
    await page.getByRole("button", { name: "Copy Key" }).click()
    await page.getByText("Copied", { exact: true }).waitFor()
    const secret = (await page.evaluate("navigator.clipboard.readText()")) as string
    assert.equal((await petstore.as(secret).getPetById({ params: { petId: 1 } })).status, 200)
    assert.deepEqual(defects, [])
    await close()
  })

  test("the signature checker reports what is wrong with the pasted values", async () => {
    const { page, defects, close } = await enter("admin")
    await page.goto(`${petstore.url}/console/webhooks/signatures`)
    for (const label of ["webhook-id", "webhook-timestamp", "webhook-signature", "Body", "Secret"])
      await page.getByLabel(label).fill("pasted")
    await page.getByRole("button", { name: "Check", exact: true }).click()
    await page.getByText("The secret does not start with whsec_").waitFor()
    assert.equal(await page.getByLabel("Secret").inputValue(), "pasted")
    assert.deepEqual(await violationsOn(page), [])
    assert.deepEqual(defects, [])
    await close()
  })

  test("without scripts a user adds a pet, finds it, changes it and deletes it with the password", async () => {
    const { page, close } = await enter("staff", { javaScriptEnabled: false })
    await page.goto(`${petstore.url}/console/pets`)
    await page.getByRole("link", { name: "Add a pet" }).click()
    await page.getByLabel("Name").fill("Scriptless")
    await page.getByRole("button", { name: "Add the pet" }).click()
    await page.getByText("Scriptless was added").waitFor()
    await page.getByRole("link", { name: "Edit", exact: true }).click()
    await page.getByLabel("Tags").fill("quiet\ncalm")
    await page.getByRole("button", { name: "Save" }).click()
    await page.getByText("Scriptless was saved").waitFor()
    await page.getByText("Delete this pet").click()
    await page.getByRole("button", { name: "Delete Scriptless" }).click()
    await page.getByLabel("Password of").fill(passwordOf(people.staff))
    await page.getByRole("button", { name: "Delete the pet" }).click()
    await page.getByText("The pet was deleted").waitFor()
    await close()
  })
})
