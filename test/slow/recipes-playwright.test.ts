// Runs in a process of its own.
import assert from "node:assert/strict"
import { symlinkSync } from "node:fs"
import { join } from "node:path"
import { describe, test } from "node:test"
import { steadyClock, systemClock } from "../../src/core/kernel/clock.ts"
import { browserPath } from "../harness/browser.ts"
import { serverUrl } from "../harness/database.ts"
import { playwrightTest } from "../harness/foreign-tools.ts"
import { freePort } from "../harness/free-port.ts"
import { missingProgram } from "../harness/installed.ts"
import { openRecipe } from "../harness/recipe.ts"
import { usePetstore } from "../harness/use.ts"

const runner = await playwrightTest()
const skip =
  (serverUrl && "named sandboxes need SQLite") ||
  (browserPath === undefined && "NO BROWSER: install Debian's chromium to test docs/recipes/playwright.md") ||
  runner.missing ||
  missingProgram("python3")

describe("docs/recipes/playwright.md", { skip }, () => {
  const petstore = usePetstore({ clock: systemClock, steady: steadyClock })

  async function openPage(replaced: Record<string, string> = {}) {
    const launch = `launchOptions: ${JSON.stringify({ executablePath: browserPath, args: ["--no-sandbox"] })}, `
    const changed = { 3000: String(await freePort()), "baseURL:": `${launch}baseURL:`, ...replaced }
    const recipe = await openRecipe("playwright", petstore.url, changed)
    symlinkSync(join(runner.path as string, "node_modules"), join(recipe.path, "node_modules"))
    return recipe
  }

  test("five tests in three workers each see their own pets and faults", async () => {
    await using recipe = await openPage()
    assert.match(await recipe.run("npx playwright test"), /5 passed/)
    // Installing the runner and a browser is done once for all tests.
    assert.equal(recipe.remaining().length, 2)
  })

  test("its tests find a front-end that ignores a refusal", async () => {
    await using recipe = await openPage({ "!response.ok": "false" })
    await assert.rejects(recipe.run("npx playwright test"), /1 failed[\s\S]*says so when the service is overloaded/)
  })
})
