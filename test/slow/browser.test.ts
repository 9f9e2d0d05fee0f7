import assert from "node:assert/strict"
import { execFile } from "node:child_process"
import { after, describe, test } from "node:test"
import { promisify } from "node:util"
import type { Browser, BrowserContextOptions } from "playwright-core"
import { violationsOn } from "../harness/accessibility.ts"
import { assertFits, browserPath, openBrowser, openWatchedPage } from "../harness/browser.ts"
import { before, usePetstore } from "../harness/use.ts"

const skip = browserPath === undefined && "NO BROWSER: install Debian's chromium to test the pages"

describe("in a browser", { skip }, () => {
  const petstore = usePetstore()
  let browser: Browser
  before(async () => {
    browser = await openBrowser(browserPath as string)
  })
  after(() => (browser as Browser | undefined)?.close())

  async function visit(path: string, options: BrowserContextOptions = {}) {
    const watched = await openWatchedPage(browser, petstore.url, options)
    await watched.page.goto(petstore.url + path)
    return watched
  }

  test("a user signs in from the reference, allows its scopes, and calls an operation with the user's own token", async () => {
    const { page, defects } = await visit("/docs#tag/pet/GET/pet/{petId}")
    await page.getByRole("button", { name: /Selected Auth Type/ }).click()
    await page.getByRole("option", { name: "oauth2" }).click()
    await page.keyboard.press("Escape")
    await page.getByText("oauth2", { exact: true }).first().click()

    const opening = page.waitForEvent("popup")
    await page.getByRole("button", { name: "Authorize" }).first().click()
    const popup = await opening
    await popup.getByLabel("Username").fill("user1")
    await popup.getByLabel("Password").fill("password1")
    await popup.keyboard.press("Enter")
    await popup.getByText("See the pets").waitFor()
    const closed = popup.waitForEvent("close")
    await popup.getByRole("button", { name: "Allow", exact: true }).click()
    await closed

    await page.getByRole("button", { name: /Test Request.*get \/pet\/\{petId\}/ }).click()
    const arrival = page.waitForResponse(`${petstore.url}/api/v3/pet/1`)
    await page.getByRole("button", { name: /^Send/ }).first().click()
    const response = await arrival
    assert.equal(response.status(), 200)
    assert.match((await response.request().allHeaders()).authorization ?? "", /^Bearer \S+$/)
    await page.getByText("200 OK").first().waitFor()
    await page.getByText('"Cat 1"').first().waitFor()
    assert.deepEqual(defects, [])
  })

  test("the pages fit a phone and a desktop, light and dark, without violations reported by axe", async () => {
    const { page, defects } = await visit("/")
    const linked = (await page.evaluate("[...document.links].map(({ pathname }) => pathname)")) as string[]
    const paths = new Set([
      ...linked.filter((path) => !/^\/(console|docs|pets)/.test(path)),
      ...[
        "/",
        "/?category=",
        "/?tag=tag3&status=available",
        "/?name=unknown",
        "/?tag=a&category=b",
        "/pets/1",
        "/pets/3",
      ],
      ...["/problems", "/problems/pet-not-found", "/console/sign-in"],
    ])
    assert.ok(paths.has("/try"))
    for (const path of paths) {
      const response = await page.goto(petstore.url + path)
      await assertFits(page, path)
      const scripts = path === "/console/sign-in" ? 0 : /^\/(\?|pets|try|exam|$)/.test(path) ? 2 : 1
      assert.equal(await page.locator("script").count(), scripts, path)
      assert.equal(await page.locator("img:not([alt])").count(), 0)
      if (path.includes("category=b")) defects.splice(0, response?.status() === 400 ? 1 : 0)
    }
    assert.deepEqual(defects, [])
  })

  test("events appear in the open store page, and its cards are updated", async () => {
    const { page, defects } = await visit("/")
    await page.getByText("Live", { exact: true }).waitFor()
    const store = petstore.as("special-key")
    const name = `<img src=x onerror="document.title='owned'">`
    const { value } = await store.addPet({ body: { name, photoUrls: [] } })
    await page.locator(".activity li").getByText(name).waitFor()
    await store.patchPet({ params: { petId: 2 }, body: { status: "sold" } })
    await page.locator('[data-pet="2"] .status.sold').waitFor()
    await store.deletePet({ params: { petId: value.id } })
    await page.locator(".activity li").getByText("was removed").waitFor()
    assert.equal(await page.title(), "Petstore")
    assert.deepEqual(defects, [])
  })

  test("the command that adds a pet is copied exactly, and its pet appears in the open page and stays", async () => {
    const { page, defects } = await visit("/", { permissions: ["clipboard-read", "clipboard-write"] })
    await page.getByText("Live", { exact: true }).waitFor()
    await page.getByRole("button", { name: "Copy" }).first().click()
    await page.getByRole("button", { name: "Copied" }).waitFor()
    const copied = (await page.evaluate("navigator.clipboard.readText()")) as string
    assert.equal(copied, await page.locator(".command pre").first().textContent())
    const { stdout } = await promisify(execFile)("sh", ["-ec", copied])
    const { id } = JSON.parse(stdout)
    const first = page.locator(".grid > li").first()
    await page.getByRole("link", { name: "Show 1 new pet" }).click()
    await page.locator(`.grid > li:first-child[data-pet="${id}"]`).waitFor()
    assert.match((await first.locator("img").getAttribute("src")) ?? "", /\/assets\/dog-/)
    await page.reload()
    assert.equal(await first.getAttribute("data-pet"), `${id}`)
    assert.deepEqual(defects, [])
  })

  test("on a phone the first pet is above the fold; on a desktop a row has six", async () => {
    for (const [width, height, inRow] of [
      [390, 844, 2],
      [1280, 800, 6],
    ] as const) {
      const { page } = await visit("/", { viewport: { width, height } })
      const cards = (await page.evaluate(
        `[...document.querySelectorAll(".grid > li")].map((card) => card.getBoundingClientRect()).map(({ top, bottom }) => ({ top, bottom }))`,
      )) as { top: number; bottom: number }[]
      assert.ok((cards[0]?.bottom ?? 9999) < height, `${cards[0]?.bottom} px`)
      assert.equal(cards.filter(({ top }) => top === cards[0]?.top).length, inRow)
      assert.equal(new Set(cards.map(({ top, bottom }) => Math.round(bottom - top))).size, 1, "cards of one height")
    }
  })

  test("nothing jumps when a pet arrives in the open store", async () => {
    const { page } = await visit("/")
    await page.getByText("Live", { exact: true }).waitFor()
    await page.evaluate(
      `window.shift = 0; new PerformanceObserver((list) => { for (const each of list.getEntries()) window.shift += each.value }).observe({ type: "layout-shift" })`,
    )
    const { value } = await petstore.as("special-key").addPet({ body: { name: "Arrived", photoUrls: [] } })
    await page.getByRole("link", { name: "Show 1 new pet" }).waitFor()
    const shift = (await page.evaluate("window.shift")) as number
    assert.ok(shift < 0.02, `${shift}`)
    await page.getByRole("link", { name: "Show 1 new pet" }).click()
    await page.locator(`.grid > li:first-child[data-pet="${value.id}"]`).waitFor()
  })

  test("long names and categories do not change the layout of cards and of the pet's page", async () => {
    const { page, defects } = await visit("/")
    const name = "W".repeat(200)
    const body = { name, category: { name: "C".repeat(90) }, tags: [{ name: "T".repeat(90) }], photoUrls: [] }
    const { value } = await petstore.as("special-key").addPet({ body })
    await page.goto(petstore.url)
    const [long, short] = [page.locator(`[data-pet="${value.id}"]`), page.locator('[data-pet="1"]')]
    const sizeOf = async (card: typeof long) => (await card.locator("strong").boundingBox()) ?? { width: 0, height: 0 }
    assert.ok(Math.abs((await sizeOf(long)).width - (await sizeOf(short)).width) < 1)
    assert.ok((await sizeOf(long)).height < 2.5 * (await sizeOf(short)).height)
    assert.equal(await long.locator("strong").getAttribute("title"), name)
    await assertFits(page, "/")
    await page.goto(`${petstore.url}/pets/${value.id}`)
    assert.equal(await page.locator("h1").textContent(), name)
    await assertFits(page, "/pets")
    await petstore.as("special-key").deletePet({ params: { petId: value.id } })
    assert.deepEqual(defects, [])
  })

  test("the reference has the site's header in light and dark, which leads back to the store, and lists the classic operations first", async () => {
    const { page, defects, close } = await visit("/problems")
    const look = () =>
      page.evaluate(`(() => {
        const [header, home] = [document.querySelector("body > header"), document.querySelector(".home")]
        return [header.innerText.replace(/\\s+/g, " "), getComputedStyle(document.body).backgroundColor, getComputedStyle(home).color]
      })()`)
    for (const colorScheme of ["light", "dark"] as const) {
      await page.emulateMedia({ colorScheme })
      await page.goto(`${petstore.url}/problems`)
      const site = await look()
      await page.goto(`${petstore.url}/docs`)
      await page.getByRole("heading", { name: "Petstore", exact: true }).waitFor()
      assert.deepEqual(await look(), site)
    }
    await page.getByText("Accounts and access").first().waitFor()
    const text = (await page.evaluate("document.body.innerText")) as string
    const expected = [
      "Petstore",
      "Add a pet to the store",
      "Upload an image of a pet",
      "List pets\n",
      "Accounts and access",
      "Events",
    ]
    const places = expected.map((each) => text.indexOf(each, text.indexOf("Introduction")))
    assert.ok(!places.includes(-1), text.slice(0, 2_000))
    assert.deepEqual(
      places,
      places.toSorted((a, b) => a - b),
    )
    await page.getByRole("link", { name: "Petstore", exact: true }).click()
    await page.waitForURL(`${petstore.url}/`)
    assert.deepEqual(defects, [])
    await close()
  })

  test("the reference has no violations reported by axe on a phone and a desktop, light and dark, and operations begin at the top of their sections", async () => {
    const { page, close } = await visit("/problems")
    for (const [width, colorScheme, examined] of [
      [1280, "light", "page"],
      [1280, "dark", "style"],
      [390, "light", "style"],
      [390, "dark", "page"],
    ] as const) {
      await page.setViewportSize({ width, height: 900 })
      await page.emulateMedia({ colorScheme })
      await page.goto(`${petstore.url}/docs`)
      await page.locator(".scalar-app ul.endpoints").first().waitFor()
      assert.deepEqual(await violationsOn(page, examined), [], `${width} ${colorScheme}`)
      const needed = (await page.evaluate("document.documentElement.scrollWidth")) as number
      assert.ok(needed <= width, `${needed} pixels`)
    }
    await page.setViewportSize({ width: 1280, height: 900 })
    await page.goto(`${petstore.url}/docs#tag/pet/POST/pet`)
    await page.getByRole("heading", { name: "Add a pet to the store" }).first().waitFor()
    const space = (await page.evaluate(
      `(() => { const title = [...document.querySelectorAll(".section h3")].find((each) => each.textContent.includes("Add a pet to the store"))
        return title.getBoundingClientRect().top - title.closest(".section").getBoundingClientRect().top })()`,
    )) as number
    assert.ok(space >= 0 && space < 48, `${space} px`)
    await close()
  })

  for (const javaScriptEnabled of [true, false])
    test(`a user finds and orders a pet with the keyboard alone, ${javaScriptEnabled ? "with" : "without"} JavaScript`, async () => {
      const { page, defects } = await visit("/", { javaScriptEnabled })
      await page.getByLabel("Name begins with").fill("lion")
      await page.keyboard.press("Enter")
      await page.getByRole("link", { name: "available", exact: true }).press("Enter")
      await page.getByText(/pets, available, named lion/).waitFor()
      await page.locator(".grid").getByRole("link", { name: /Lion/ }).first().press("Enter")
      await page.getByRole("button", { name: "Order this pet" }).press("Enter")
      await page.getByText(/^Order #\d+ is placed/).waitFor()
      assert.equal(await page.locator("dd .status").textContent(), "pending")
      assert.deepEqual(defects, [])
    })

  test("the command of a pet is copied exactly", async () => {
    const { page, defects } = await visit("/pets/1", { permissions: ["clipboard-read", "clipboard-write"] })
    await page.getByRole("button", { name: "Copy" }).click()
    await page.getByRole("button", { name: "Copied" }).waitFor()
    const copied = await page.evaluate("navigator.clipboard.readText()")
    assert.equal(copied, `curl -H 'api_key: special-key' ${petstore.url}/api/v3/pet/1`)
    assert.deepEqual(defects, [])
  })

  test("no link of the first page is broken", async () => {
    const { page } = await visit("/")
    const links = await page
      .locator("a")
      .evaluateAll((all) => all.map((link) => (link as unknown as { href: string }).href))
    assert.ok(links.length >= 5)
    for (const link of new Set(links)) assert.equal((await fetch(link)).status, 200, link)
  })
})
