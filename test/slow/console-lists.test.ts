import assert from "node:assert/strict"
import { after, describe, test } from "node:test"
import type { Browser, BrowserContextOptions, Page } from "playwright-core"
import type { PetDraft } from "../../src/core/domain/pets/contract.ts"
import { violationsOn } from "../harness/accessibility.ts"
import { browserPath, consoleVisits, openBrowser } from "../harness/browser.ts"
import { appoint, passwordOf, people } from "../harness/console.ts"
import { furnish } from "../harness/console-content.ts"
import { before, usePetstore } from "../harness/use.ts"

const skip = browserPath === undefined && "NO BROWSER: install Debian's chromium to test the console"

const count = 500

const names = [
  "Bella",
  "Max",
  "Luna",
  "Charlie",
  "Princess Consuela Banana Hammock the Third",
  "A706629",
  "Zoë",
  "Łucja",
]
const kinds = ["Dog", "Cat", "Bird", "Other animals that the shelter took in during the flood"]
const breeds = ["Domestic Shorthair Mix", "Chihuahua Shorthair/Miniature Poodle", "Pit Bull Mix", "Alaskan Malamute"]
const coats = ["Black", "Brown Tabby/White", "Blue Cream", "White"]
const states = ["available", "pending", "sold"] as const

const at = <T>(items: readonly T[], n: number): T => items[n % items.length] as T

/** A pet like those of a shelter. Some have a long word as the name, or the largest ids. */
const petOf = (n: number): PetDraft => ({
  ...(n % 7 === 0 && { id: Number.MAX_SAFE_INTEGER - count + n }),
  name: n % 50 === 0 ? "Donaudampfschifffahrtsgesellschaft".repeat(7) : `${at(names, n)} ${n}`,
  category: { name: at(kinds, n) },
  tags: [at(breeds, n), at(coats, n >> 2), `${n % 15} years`, ...(n % 90 === 0 ? ["x".repeat(100)] : [])].map(
    (name) => ({ name }),
  ),
  photoUrls: [],
  status: at(states, n),
})

/** Every list, and a page of the largest size. */
const lists = [
  ...["/pets", "/pets?limit=100&sort=id", "/orders", "/users", "/accounts", "/keys", "/applications", "/consents"],
  ...["/webhooks", "/events", "/audit"],
]

/** Cells of a kind that stays on one line, with their text and the lines that they take. Runs in the page. */
const tallCells = `[...document.querySelectorAll("td:is(.kind-id, .kind-number, .kind-time, .kind-badge, .kind-code)")].flatMap((cell) => {
  const range = document.createRange()
  range.selectNodeContents(cell)
  const lines = Math.round(range.getBoundingClientRect().height / Number.parseFloat(getComputedStyle(cell).lineHeight))
  return lines <= 1 ? [] : [cell.textContent + ": " + lines + " lines"]
})`

/** Names that take more than two lines. Runs in the page. */
const tallNames = `[...document.querySelectorAll(".clamp")].filter((name) =>
  name.clientHeight > 2.5 * Number.parseFloat(getComputedStyle(name).lineHeight)).map((name) => name.textContent)`

describe("the lists of the console with many pets", { skip }, () => {
  const petstore = usePetstore({ env: { PETSTORE_PLAN_FREE: "unlimited" } })
  let browser: Browser
  before(async () => {
    browser = await openBrowser(browserPath as string)
    await appoint(petstore)
    await furnish(petstore)
    const admin = petstore.as("special-key")
    await admin.importPets({ body: Array.from({ length: count }, (_, n) => petOf(n)) })
    const { value: pets } = await admin.listPets({ query: { status: ["available"], name: "Luna" } })
    for (const { id: petId } of pets) await admin.placeOrder({ body: { petId } })
  })
  after(() => (browser as Browser | undefined)?.close())

  const visits = consoleVisits(() => ({ browser, url: petstore.url }))
  const enter = (options?: BrowserContextOptions) => visits.enter(people.admin, passwordOf(people.admin), options)

  async function inspect(page: Page, path: string) {
    const response = await page.goto(petstore.url + path)
    assert.equal(response?.status(), 200, path)
    for (const width of [1280, 390]) {
      await page.setViewportSize({ width, height: 900 })
      assert.deepEqual(await page.evaluate(tallCells), [], `${path} at ${width} pixels`)
      assert.deepEqual(await page.evaluate(tallNames), [], `${path} at ${width} pixels`)
      const needed = (await page.evaluate("document.scrollingElement.scrollWidth")) as number
      assert.ok(needed <= width, `${path} needs ${needed} pixels of ${width}`)
    }
  }

  /** The address behind the first link of a table. */
  const firstLink = async (page: Page): Promise<string | undefined> => {
    const links = await page.locator("td a").evaluateAll((all) => all.map((link) => (link as unknown as URL).pathname))
    return links[0]
  }

  test("on a phone and a desktop no id wraps, and no page scrolls sideways, on lists and details", async () => {
    const { page, defects, close } = await enter()
    const details = new Set<string>()
    for (const path of lists) {
      await inspect(page, `/console${path}`)
      const link = await firstLink(page)
      if (link !== undefined) details.add(link)
    }
    assert.equal(details.size, lists.length - 1, [...details].join())
    for (const path of details) {
      await inspect(page, path)
      const delivery = path.startsWith("/console/webhooks/") ? await firstLink(page) : undefined
      if (delivery !== undefined) details.add(delivery)
    }
    assert.ok([...details].some((path) => path.includes("/deliveries/")))
    for (const path of ["/receiver", "/sandbox", "/profile", "/../search?q=pet"]) await inspect(page, `/console${path}`)
    await page.goto(`${petstore.url}/console/pets/1`)
    for (const width of [390, 1280]) {
      await page.setViewportSize({ width, height: 900 })
      const box = await page.locator(".about .picture").boundingBox()
      assert.deepEqual([box?.width, box?.height], [240, 240])
    }
    assert.deepEqual(defects, [])
    await close()
  })

  for (const [width, display] of [
    [1280, "table-row"],
    [390, "grid"],
  ] as const)
    test(`at ${width} pixels the longest id is one piece, and a row that is displayed as ${display} is a row of a table`, async () => {
      const { page, close } = await enter({ viewport: { width, height: 900 } })
      await page.goto(`${petstore.url}/console/pets`)
      assert.match(await page.locator("td.kind-id").first().innerText(), /^90\d{14}$/)
      const pieces = `const range = document.createRange()
        range.selectNodeContents(document.querySelector("td.kind-id"))
        range.getClientRects().length`
      assert.equal(await page.evaluate(pieces), 1)
      assert.equal(await page.evaluate(`getComputedStyle(document.querySelector("tbody tr")).display`), display)
      assert.equal(await page.getByRole("table", { name: "Pets" }).getByRole("row").count(), 26)
      assert.equal(await page.getByRole("columnheader", { name: "Category" }).count(), 1)
      await close()
    })

  test("thirteen pets are visible at 1280 by 800; on a phone a row has two lines, and the header one", async () => {
    const measure = async (width: number, height: number) => {
      const { page, close } = await enter({ viewport: { width, height } })
      await page.goto(`${petstore.url}/console/pets?name=Max`)
      const boxes = async (selector: string) =>
        (await Promise.all((await page.locator(selector).all()).map((one) => one.boundingBox()))).map((box) => ({
          height: Math.round(box?.height ?? 0),
          bottom: (box?.y ?? 0) + (box?.height ?? 0),
        }))
      const [rows, headers] = [await boxes("tbody tr"), await boxes("body > header")]
      await close()
      return { rows, visible: rows.filter(({ bottom }) => bottom <= height).length, header: headers[0]?.height ?? 0 }
    }
    const desktop = await measure(1280, 800)
    assert.ok(desktop.visible >= 13, `${desktop.visible} rows`)
    assert.ok(desktop.header <= 52, `${desktop.header} px`)
    const phone = await measure(390, 844)
    assert.deepEqual(new Set(phone.rows.map(({ height }) => height)), new Set([72]))
    assert.ok(phone.header <= 52, `${phone.header} px`)
  })

  test("a filter disables those that it cannot be combined with, until it is empty", async () => {
    const { page, defects, close } = await enter()
    await page.goto(`${petstore.url}/console/pets`)
    const [name, category, tag] = ["Name begins with", "Category", "Tag"].map((label) =>
      page.getByLabel(label, { exact: true }),
    )
    await category?.fill("Dog")
    assert.deepEqual([await name?.isDisabled(), await tag?.isDisabled()], [true, false])
    await category?.fill("")
    await name?.fill("Rex")
    assert.deepEqual([await category?.isDisabled(), await tag?.isDisabled()], [true, true])
    await name?.fill("")
    assert.deepEqual([await category?.isDisabled(), await tag?.isDisabled()], [false, false])
    assert.deepEqual(defects, [])
    await close()
  })

  test("ticked rows are counted and changed, with the box for all", async () => {
    const { page, defects, close } = await enter()
    await page.goto(`${petstore.url}/console/pets?name=Bella`)
    const [button, all] = [page.getByRole("button", { name: "Set the status" }), page.getByLabel("Select all")]
    assert.equal(await button.isVisible(), false)
    await page.getByLabel("Select Bella").first().check()
    await page.getByText("1 selected").waitFor()
    await all.check()
    await page.getByText("25 selected").waitFor()
    await page.getByLabel("Select Bella").first().uncheck()
    await page.getByText("24 selected").waitFor()
    assert.equal(await all.isChecked(), false)
    assert.deepEqual(await violationsOn(page), [])
    await page.getByLabel("New status").selectOption("sold")
    await button.click()
    await page.getByText(/were set to sold/).waitFor()
    assert.deepEqual(defects, [])
    await close()
  })

  test("without scripts the box for all changes every row of the page", async () => {
    const { page, close } = await enter({ javaScriptEnabled: false })
    await page.goto(`${petstore.url}/console/pets?name=Max&sort=name`)
    await page.getByLabel("Select all").check()
    await page.getByLabel("New status").selectOption("sold")
    await page.getByRole("button", { name: "Set the status" }).click()
    await page.getByText(/25 pets were set to sold/).waitFor()
    assert.equal(
      await page
        .locator("td.kind-badge")
        .allInnerTexts()
        .then((all) => new Set(all).size),
      1,
    )
    await close()
  })
})
