import { existsSync } from "node:fs"
import { type Browser, chromium } from "playwright-core"

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
