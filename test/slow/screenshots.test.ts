import assert from "node:assert/strict"
import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { after, test } from "node:test"
import type { Browser, Page } from "playwright-core"
import sharp from "sharp"
import { browserPath, openBrowser, openWatchedPage } from "../harness/browser.ts"
import { manualClock } from "../harness/clock.ts"
import { before, usePetstore } from "../harness/use.ts"

/** The screenshots in the documents. `npm run screenshots` takes them again. */
const pages: Record<string, (page: Page) => Promise<void>> = {
  overview: async (page) => {
    await page.goto("/console")
    await page.getByRole("heading", { name: "Overview" }).waitFor()
  },
  sandbox: async (page) => {
    await page.goto("/console/sandbox/checkout")
    await page.getByRole("heading", { name: "Sandbox checkout" }).waitFor()
  },
  requests: async (page) => {
    await page.goto("/console/sandbox/checkout/requests")
    await page.getByText("Live", { exact: true }).waitFor()
    await page.getByText(/^4 attempts/).click()
  },
}

/** The frames of `try-SCHEME.webp`, each with how long it is shown, in milliseconds: an experiment is run. */
const frames: readonly (readonly [number, (page: Page) => Promise<void>])[] = [
  [2500, async (page) => void (await page.goto("/try"))],
  [4000, runExperiment],
  [4000, (page) => page.evaluate("document.querySelector('.experiment details').scrollIntoView({ block: 'end' })")],
]

async function runExperiment(page: Page): Promise<void> {
  await page.getByRole("button", { name: "Run it: Lose a response" }).click()
  await page.getByRole("heading", { name: "What happened" }).waitFor()
  await page.evaluate("document.activeElement.blur(); document.querySelector('h3').scrollIntoView()")
}

const skip = browserPath === undefined && "NO BROWSER: install Debian's chromium to compare the screenshots"
const isTaken = process.execArgv.includes("--test-update-snapshots")
const images = join(import.meta.dirname, "../../docs/images")
const viewport = { width: 1200, height: 760 }
const animated = { width: 900, height: 720 }
const hours = 6
/** Width of the compared images: text becomes grey, which other versions of a font hardly change. */
const comparedWidth = 60
/** Of 255 shades: a changed word makes a difference of about 30. */
const differenceMax = 12

/** Durations and the port differ each time. */
const sameEachTime = `for (const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT); walker.nextNode();) {
  const { data } = walker.currentNode
  const same = data.replace(/try-[0-9a-f]{12}/, "try-4f0c1d2a9b37").replace(/(?<=127\\.0\\.0\\.1:)\\d+/, "8080").replace(/\\d[\\d.]* ms/, "1.24 ms")
  if (same !== data) walker.currentNode.data = same
}`

const clock = manualClock(Date.UTC(2026, 10, 24, 6))
const petstore = usePetstore({ clock, steady: clock.steady })
let browser: Browser
before(async () => {
  if (skip) return
  browser = await openBrowser(browserPath as string)
  await bustle()
  await checkOut()
})
after(() => (browser as Browser | undefined)?.close())

/** Six hours of requests, and some new pets at the end. */
async function bustle(): Promise<void> {
  const special = petstore.as("special-key")
  const slots = hours * 12
  for (let slot = 0; slot < slots; slot++) {
    const reads = 24 + Math.round(12 * Math.sin(slot / 11)) + (slot % 5)
    for (let n = 0; n < reads; n++) await special.getPetById({ params: { petId: 1 + (n % 10) } })
    if (slot % 6 === 2) await assert.rejects(special.getPetById({ params: { petId: 404 } }))
    clock.advance(5 * 60_000)
  }
  const category = (name: string) => ({ category: { name }, photoUrls: [] })
  for (const body of [
    { name: "Hazel", ...category("Dogs") },
    { name: "Waffle", ...category("Cats") },
    { name: "Miso", ...category("Birds") },
    { name: "Olive", ...category("Rabbits") },
  ]) {
    const { value: pet } = await special.addPet({ body })
    clock.advance(20_000)
    await special.updatePetWithForm({ params: { petId: Number(pet.id) }, query: { status: "pending" } })
    clock.advance(25_000)
  }
}

/** A client orders a pet in a sandbox with faults: its first response is lost, and the next two are 503. */
async function checkOut(): Promise<void> {
  const headers = { api_key: "special-key", "content-type": "application/json" }
  const send = (path: string, method: string, body?: object, further = {}) =>
    fetch(`${petstore.url}/s/checkout/api/v3${path}`, {
      method,
      headers: { ...headers, ...further },
      ...(body && { body: JSON.stringify(body) }),
    })
  await send("/pet/1", "GET")
  const rules = [
    { match: { operation: "placeOrder", times: 1 }, fault: "fault=lose" },
    { match: { operation: "placeOrder", times: 2 }, fault: "code=503; retry-after=2" },
    { match: { event: "order.placed" }, fault: "webhook=duplicate" },
  ]
  await send("/sandbox/faults", "PUT", { rules })
  clock.advance(60_000)
  await send("/pet/findByStatus?status=available", "GET")
  await send("/pet/4", "GET")
  for (const seconds of [1, 2, 2, 8]) {
    await send("/store/order", "POST", { petId: 4 }, { "idempotency-key": "cart-7" }).catch(() => undefined)
    clock.advance(seconds * 1000)
  }
}

async function open(colorScheme: "light" | "dark") {
  const { page, defects, close } = await openWatchedPage(browser, petstore.url, {
    viewport,
    colorScheme,
    locale: "en-US",
    timezoneId: "UTC",
    baseURL: petstore.url,
  })
  await page.clock.setFixedTime(clock.now())
  await page.goto("/console/sign-in")
  await page.getByLabel("Username").fill("admin")
  await page.getByLabel("Password").fill("admin")
  await page.getByRole("button", { name: "Sign in", exact: true }).click()
  await page.getByRole("heading", { name: "Overview" }).waitFor()
  return { page, defects, close }
}

for (const colorScheme of ["light", "dark"] as const)
  test(`the screenshots in the documents show the pages as they are, ${colorScheme}`, { skip }, async () => {
    const { page, defects, close } = await open(colorScheme)
    for (const [name, show] of Object.entries(pages)) {
      await show(page)
      await page.evaluate(sameEachTime)
      const file = join(images, `${name}-${colorScheme}.webp`)
      const taken = await page.screenshot({ animations: "disabled", caret: "hide" })
      if (isTaken) writeFileSync(file, await sharp(taken).webp({ quality: 85, effort: 6 }).toBuffer())
      const difference = await differenceOf(readFileSync(file), taken)
      assert.ok(
        difference <= differenceMax,
        `${name}-${colorScheme}.webp differs from the page by ${difference} shades: run npm run screenshots, look at the images and commit them`,
      )
    }
    assert.deepEqual(defects, [])
    await close()
  })

for (const colorScheme of ["light", "dark"] as const)
  test(`the animation in the documents shows an experiment as it is, ${colorScheme}`, { skip }, async () => {
    const { page, defects, close } = await open(colorScheme)
    await page.setViewportSize(animated)
    const taken: Buffer[] = []
    for (const [, show] of frames) {
      await show(page)
      await page.evaluate(sameEachTime)
      taken.push(await page.screenshot({ animations: "disabled", caret: "hide" }))
    }
    const file = join(images, `try-${colorScheme}.webp`)
    const delay = frames.map(([ms]) => ms)
    if (isTaken)
      await sharp(taken, { join: { animated: true } })
        .webp({ quality: 55, effort: 6, delay })
        .toFile(file)
    for (const [n, frame] of taken.entries()) {
      const shown = await sharp(file, { page: n }).png().toBuffer()
      const difference = await differenceOf(shown, frame)
      assert.ok(difference <= differenceMax, `frame ${n} of try-${colorScheme}.webp differs by ${difference} shades`)
    }
    assert.equal((await sharp(file).metadata()).pages, frames.length)
    assert.deepEqual(defects, [])
    await close()
  })

test("screenshots of different pages differ", { skip }, async () => {
  const [overview, requests] = ["overview", "requests"].map((name) => readFileSync(join(images, `${name}-light.webp`)))
  assert.ok((await differenceOf(overview as Buffer, requests as Buffer)) > 4 * differenceMax)
})

/** The largest difference of a pixel in two images, reduced and in grey, in shades of 255. */
async function differenceOf(one: Buffer, other: Buffer): Promise<number> {
  const [a, b] = (await Promise.all([one, other].map(reduced))) as [Buffer, Buffer]
  assert.equal(a.length, b.length)
  return Math.max(...a.map((shade, n) => Math.abs(shade - Number(b[n]))))
}

const reduced = (image: Buffer): Promise<Buffer> =>
  sharp(image).resize(comparedWidth, null, { fastShrinkOnLoad: false }).greyscale().raw().toBuffer()
