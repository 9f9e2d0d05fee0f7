import assert from "node:assert/strict"
import { existsSync } from "node:fs"
import { type Browser, type BrowserContextOptions, chromium, type Page } from "playwright-core"
import { violationsOn } from "./accessibility.ts"

const executables = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"]

/** Where this machine has a browser of the Chromium kind; undefined when it has none. */
export const browserPath = executables.find(existsSync)

/** A browser that does nothing on its own account. */
export const openBrowser = (executablePath: string): Promise<Browser> =>
  chromium.launch({
    executablePath,
    args: [
      "--headless",
      "--no-sandbox",
      "--disable-gpu",
      "--disable-quic",
      "--no-first-run",
      "--disable-background-networking",
      "--disable-component-update",
      "--disable-sync",
    ],
  })

const waitMs = 60_000

/** A page, and everything it should not do: complain, or ask anybody but the service at this address. */
export async function openWatchedPage(browser: Browser, url: string, options: BrowserContextOptions = {}) {
  const context = await browser.newContext(options)
  const amiss: string[] = []
  await context.route("**", (route) => {
    const asked = route.request().url()
    if (asked.startsWith(`${url}/`)) return route.continue()
    amiss.push(`asked for ${asked}`)
    return route.abort()
  })
  const page = await context.newPage()
  page.setDefaultTimeout(waitMs)
  page.on("pageerror", (error) => amiss.push(`threw ${error.message}`))
  page.on("console", (message) => {
    if (["error", "warning"].includes(message.type())) amiss.push(`${message.type()}: ${message.text()}`)
  })
  return { page, amiss, close: () => context.close() }
}

/** Resolves when what a style changes gradually, such as a colour, is as it will be. */
const gradualChanges = `
  const changes = document.getAnimations().filter((animation) => animation instanceof CSSTransition)
  Promise.all(changes.map(({ finished }) => finished)).then(() => null)`

/** Asserts that a page fits a phone and a desktop, in both colour schemes, and that axe finds nothing wrong with either. */
export async function assertFits(page: Page, path: string): Promise<void> {
  for (const [width, colorScheme] of [
    [1280, "light"],
    [360, "dark"],
  ] as const) {
    await page.setViewportSize({ width, height: 900 })
    await page.emulateMedia({ colorScheme })
    await page.evaluate(gradualChanges)
    const needed = (await page.evaluate("document.documentElement.scrollWidth")) as number
    assert.ok(needed <= width, `${path} needs ${needed} pixels of ${width}`)
    assert.deepEqual(await violationsOn(page), [], `${path}, ${colorScheme}`)
  }
  assert.equal(await page.locator("h1").count(), 1, path)
}
