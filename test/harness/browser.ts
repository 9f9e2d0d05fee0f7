import assert from "node:assert/strict"
import { existsSync } from "node:fs"
import { type Browser, type BrowserContextOptions, chromium, type Page } from "playwright-core"
import { violationsOn } from "./accessibility.ts"

const executables = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"]

/** The path of an installed Chromium-based browser; undefined when there is none. */
export const browserPath = executables.find(existsSync)

/** Starts a browser without background traffic. */
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

/** Opens a page and collects its defects: errors, warnings, and requests to any address but the service's. */
export async function openWatchedPage(browser: Browser, url: string, options: BrowserContextOptions = {}) {
  const context = await browser.newContext(options)
  const defects: string[] = []
  await context.route("**", (route) => {
    const requested = route.request().url()
    if (requested.startsWith(`${url}/`)) return route.continue()
    defects.push(`requested ${requested}`)
    return route.abort()
  })
  const page = await context.newPage()
  page.setDefaultTimeout(waitMs)
  page.on("pageerror", (error) => defects.push(`threw ${error.message}`))
  page.on("console", (message) => {
    if (["error", "warning"].includes(message.type())) defects.push(`${message.type()}: ${message.text()}`)
  })
  return { page, defects, close: () => context.close() }
}

/** Resolves when all CSS transitions are finished. */
const transitionsFinished = `
  const changes = document.getAnimations().filter((animation) => animation instanceof CSSTransition)
  Promise.all(changes.map(({ finished }) => finished)).then(() => null)`

/** Asserts that a page fits a phone and a desktop, in both colour schemes, without violations reported by axe. */
export async function assertFits(page: Page, path: string): Promise<void> {
  for (const [width, colorScheme] of [
    [1280, "light"],
    [360, "dark"],
  ] as const) {
    await page.setViewportSize({ width, height: 900 })
    await page.emulateMedia({ colorScheme })
    await page.evaluate(transitionsFinished)
    const needed = (await page.evaluate("document.documentElement.scrollWidth")) as number
    assert.ok(needed <= width, `${path} needs ${needed} pixels of ${width}`)
    assert.deepEqual(await violationsOn(page), [], `${path}, ${colorScheme}`)
  }
  assert.equal(await page.locator("h1").count(), 1, path)
}
