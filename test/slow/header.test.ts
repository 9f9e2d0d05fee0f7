import assert from "node:assert/strict"
import { after, describe, test } from "node:test"
import type { Browser, Page } from "playwright-core"
import { violationsOn } from "../harness/accessibility.ts"
import { assertFits, browserPath, consoleVisits, openBrowser, openWatchedPage } from "../harness/browser.ts"
import { appoint } from "../harness/console.ts"
import { serverUrl } from "../harness/database.ts"
import { newPet } from "../harness/samples.ts"
import { keySender } from "../harness/send.ts"
import { before, usePetstore } from "../harness/use.ts"

const skip = browserPath === undefined && "NO BROWSER: install Debian's chromium to test the header"

/** One address of each kind of page. */
const addresses = [
  ...["/", "/pets/1", "/search?q=cat", "/problems", "/problems/pet-not-found", "/nowhere"],
  ...["/docs", "/docs/results", "/docs/descriptions"],
  ...["/console", "/console/pets", "/console/pets/1", "/console/sandbox", "/console/requests", "/console/nowhere"],
]

describe("the header of every page", { skip }, () => {
  const petstore = usePetstore()
  let browser: Browser
  before(async () => {
    browser = await openBrowser(browserPath as string)
    await appoint(petstore)
  })
  after(() => (browser as Browser | undefined)?.close())
  const visits = consoleVisits(() => ({ browser, url: petstore.url }))
  const enter = () => visits.enter("admin", "admin")

  async function open(page: Page, path: string) {
    await page.goto(petstore.url + path)
    await page.locator("h1").first().waitFor()
  }

  test("it and its parts have one size and one position, with the person, and all titles one size", async () => {
    const { page, close } = await enter()
    await page.setViewportSize({ width: 1280, height: 800 })
    const boxes = new Map<string, unknown>()
    for (const path of addresses) {
      await open(page, path)
      boxes.set(path, await page.evaluate(measureHeader))
    }
    const first = boxes.get("/")
    for (const [path, box] of boxes) assert.deepEqual(box, first, path)
    await close()
  })

  test("on a phone nothing in it is cut, and the person's name is whole", async () => {
    const { page, close } = await enter()
    await page.setViewportSize({ width: 390, height: 844 })
    for (const path of addresses) {
      await open(page, path)
      assert.deepEqual(await page.evaluate(findCut), [], path)
      assert.equal(await page.locator("header .person > button", { hasText: "admin" }).isVisible(), true, path)
    }
    await close()
  })

  test("on a phone the name of a sandbox and the way to sign in take one line", {
    skip: serverUrl && "named sandboxes need SQLite",
  }, async () => {
    const { page, close } = await openWatchedPage(browser, petstore.url, { viewport: { width: 360, height: 844 } })
    await keySender(petstore, "")("GET", "/s/a-rather-long-name/api/v3/pet/1")
    for (const path of ["/s/a-rather-long-name/", "/"]) {
      await open(page, path)
      assert.equal(await page.evaluate("document.documentElement.scrollWidth"), 360, path)
      for (const part of ["header .home", "header a.person"])
        assert.ok(((await page.locator(part).boundingBox())?.height ?? 99) < 30, `${path} ${part}`)
    }
    await close()
  })

  test("the first Tab of a page leads to its content", async () => {
    const { page, close } = await openWatchedPage(browser, petstore.url)
    for (const path of ["/", "/pets/1", "/problems"]) {
      await open(page, path)
      await page.keyboard.press("Tab")
      await page.keyboard.press("Enter")
      assert.equal(await page.evaluate("document.activeElement.tagName"), "MAIN", path)
    }
    await close()
  })
})

/** Rectangles of the header and its parts, and the size of the title. */
const measureHeader = `(() => {
  const part = (selector) => {
    const { left, top, width, height } = document.querySelector(selector).getBoundingClientRect()
    return [left, top, width, height].map(Math.round)
  }
  const selectors = ["body > header", ".home", ".home svg", "body > header nav", ".find", "body > header .person:last-child"]
  return [...selectors.map(part), getComputedStyle(document.querySelector("h1")).fontSize]
})()`

/** Visible links and buttons of the header that are outside of the window, or whose text is wider than they are. */
const findCut = `[...document.querySelectorAll("body > header :is(a, button)")]
  .filter((each) => each.checkVisibility() && !each.closest("[popover]"))
  .filter((each) => {
    const { left, right } = each.getBoundingClientRect()
    return left < 0 || right > innerWidth || each.scrollWidth > each.clientWidth + 1
  })
  .map((each) => each.outerHTML)`

describe("the palette", { skip: skip || (serverUrl && "named sandboxes need SQLite") }, () => {
  const petstore = usePetstore()
  let browser: Browser
  before(async () => {
    browser = await openBrowser(browserPath as string)
    await appoint(petstore)
    await newPet(petstore.as("special-key"), { name: "A tiger of the north" })
    await keySender(petstore, "")("GET", "/s/run-7/api/v3/pet/1")
  })
  after(() => (browser as Browser | undefined)?.close())
  const visits = consoleVisits(() => ({ browser, url: petstore.url }))

  const option = (page: Page, name: string | RegExp) => page.getByRole("option", { name })
  const chosen = (page: Page) => page.locator('[role="option"][aria-selected="true"]').textContent()

  test("opens with / and Ctrl+K on every page, with the pages and actions, and closes with Escape where the focus was", async () => {
    const { page, defects, close } = await visits.enter("admin", "admin")
    for (const path of ["/", "/docs", "/problems", "/console/pets"])
      for (const key of ["/", "Control+k"]) {
        await page.goto(petstore.url + path)
        await page.locator("h1").first().waitFor()
        await page.locator(".home").focus()
        await page.keyboard.press(key)
        await option(page, "Overview").waitFor()
        await option(page, /Reset the sandbox/).waitFor()
        assert.equal(await page.getByRole("combobox", { name: "Search" }).inputValue(), "")
        await page.keyboard.press("Escape")
        assert.equal(await page.evaluate("document.activeElement.className"), "home", path)
      }
    assert.deepEqual(defects, [])
    await close()
  })

  test("finds while typing, and arrows, Enter and the mouse choose", async () => {
    const { page, defects, close } = await visits.enter("admin", "admin")
    await page.goto(`${petstore.url}/problems`)
    await page.keyboard.press("/")
    const field = page.getByRole("combobox", { name: "Search" })
    await field.pressSequentially("run-7")
    await option(page, /^run-7/).waitFor()
    assert.match((await chosen(page)) ?? "", /Advance a day in run-7/)
    await page.keyboard.press("ArrowUp")
    assert.match((await chosen(page)) ?? "", /^run-7/)
    await page.keyboard.press("ArrowDown")
    await page.keyboard.press("ArrowDown")
    assert.match((await chosen(page)) ?? "", /^run-7/)
    assert.equal(
      await field.getAttribute("aria-activedescendant"),
      await page.locator('[aria-selected="true"]').getAttribute("id"),
    )
    await page.keyboard.press("Enter")
    await page.waitForURL(`${petstore.url}/console/sandbox/run-7`)
    await page.keyboard.press("Control+k")
    await field.fill("the nor")
    await option(page, /A tiger of the north/).click()
    await page.getByRole("heading", { name: "A tiger of the north" }).waitFor()
    assert.deepEqual(defects, [])
    await close()
  })

  test("an action is done: a day in the sandbox, at once; Enter before the results have arrived takes the first of them", async () => {
    const { page, close } = await visits.enter("admin", "admin")
    await page.keyboard.press("/")
    await page.getByRole("combobox", { name: "Search" }).fill("Advance a day")
    await page.keyboard.press("Enter")
    await page.getByText(/The time is .*: nothing was due/).waitFor()
    assert.match(page.url(), /\/console\/sandbox\/run-7$/)
    await close()
  })

  test("an anonymous visitor finds pets, errors and operations, and nothing of the console", async () => {
    const { page, defects, close } = await openWatchedPage(browser, petstore.url)
    await page.goto(`${petstore.url}/`)
    await page.getByRole("link", { name: "Search", exact: true }).click()
    const field = page.getByRole("combobox", { name: "Search" })
    await field.fill("tiger")
    await option(page, /A tiger of the north/).waitFor()
    await field.fill("addPet")
    await option(page, /^addPet/).waitFor()
    assert.equal(await option(page, /^pets?$/).count(), 0)
    await field.fill("run-7")
    await page.getByText("Nothing was found.").waitFor()
    await page.keyboard.press("Enter")
    assert.equal(page.url(), `${petstore.url}/`)
    assert.deepEqual(defects, [])
    await close()
  })

  test("fits a phone and a desktop, light and dark, without violations reported by axe, as does the page of results", async () => {
    const { page, close } = await visits.enter("admin", "admin")
    await page.goto(`${petstore.url}/search?q=cat`)
    await assertFits(page, "/search")
    for (const [width, colorScheme] of [
      [1280, "light"],
      [390, "dark"],
    ] as const) {
      await page.setViewportSize({ width, height: 800 })
      await page.emulateMedia({ colorScheme })
      await page.keyboard.press("Control+k")
      await page.getByRole("combobox", { name: "Search" }).fill("cat")
      await option(page, "Cat 1").first().waitFor()
      assert.deepEqual(await violationsOn(page), [])
      await page.keyboard.press("Escape")
    }
    await close()
  })

  test("without JavaScript the link in the header leads to the page of results, whose actions are buttons", async () => {
    const { page, close } = await visits.enter("admin", "admin", { javaScriptEnabled: false })
    await page.getByRole("link", { name: "Search", exact: true }).click()
    await page.getByRole("searchbox", { name: "Text" }).fill("advance")
    await page.keyboard.press("Enter")
    await page.getByRole("button", { name: "Advance a day in run-7" }).click()
    await page.getByText(/The time is .*: nothing was due/).waitFor()
    await close()
  })
})
