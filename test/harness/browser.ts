import assert from "node:assert/strict"
import { existsSync } from "node:fs"
import { type Browser, type BrowserContext, type BrowserContextOptions, chromium, type Page } from "playwright-core"
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
      "--in-process-gpu",
      "--disable-extensions",
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
  // A route would disable the browser's cache.
  context.on("request", (request) => {
    const requested = request.url()
    if (!requested.startsWith(`${url}/`) && !/^(data|blob):/.test(requested)) defects.push(`requested ${requested}`)
  })
  const page = await context.newPage()
  page.setDefaultTimeout(waitMs)
  page.on("pageerror", (error) => defects.push(`threw ${error.message}`))
  page.on("console", (message) => {
    if (["error", "warning"].includes(message.type())) defects.push(`${message.type()}: ${message.text()}`)
  })
  return { page, defects, close: () => context.close() }
}

/** Opens watched pages of users of the console, each of whom signs in once. */
export function consoleVisits(opened: () => { browser: Browser; url: string }) {
  const sessions = new Map<string, Awaited<ReturnType<BrowserContext["storageState"]>>>()
  return {
    async enter(username: string, password: string, options: BrowserContextOptions = {}) {
      const { browser, url } = opened()
      const storageState = sessions.get(username)
      const watched = await openWatchedPage(browser, url, storageState ? { ...options, storageState } : options)
      const { page } = watched
      await page.goto(`${url}/console`)
      if (storageState === undefined) {
        await page.getByLabel("Username").fill(username)
        await page.getByLabel("Password").fill(password)
        await page.getByRole("button", { name: "Sign in", exact: true }).click()
      }
      await page.getByRole("heading", { name: "Overview" }).waitFor()
      sessions.set(username, await page.context().storageState())
      return watched
    },
    /** Makes the next visit of a user, whose session has ended, sign in again. */
    forget: (username: string) => void sessions.delete(username),
  }
}

/** Ends all CSS transitions; those of what is not shown, as in closed details, would not end by themselves. */
const finishTransitions =
  "for (const animation of document.getAnimations()) if (animation instanceof CSSTransition) animation.finish()"

/** Asserts that a page fits a phone and a desktop, in both colour schemes, without violations reported by axe. */
export async function assertFits(page: Page, path: string): Promise<void> {
  for (const [width, colorScheme, examined] of [
    [1280, "light", "page"],
    [360, "dark", "style"],
  ] as const) {
    await page.setViewportSize({ width, height: 900 })
    await page.emulateMedia({ colorScheme })
    await page.evaluate(finishTransitions)
    const needed = (await page.evaluate("document.documentElement.scrollWidth")) as number
    assert.ok(needed <= width, `${path} needs ${needed} pixels of ${width}`)
    assert.deepEqual(await violationsOn(page, examined), [], `${path}, ${colorScheme}`)
  }
  assert.equal(await page.locator("h1").count(), 1, path)
}
