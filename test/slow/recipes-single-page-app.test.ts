import assert from "node:assert/strict"
import { describe, test } from "node:test"
import { steadyClock, systemClock } from "../../src/core/kernel/clock.ts"
import { browserPath, openBrowser } from "../harness/browser.ts"
import { freePort } from "../harness/free-port.ts"
import { missingProgram } from "../harness/installed.ts"
import { openRecipe } from "../harness/recipe.ts"
import { until } from "../harness/until.ts"
import { use, usePetstore } from "../harness/use.ts"

const skip =
  browserPath === undefined
    ? "NO BROWSER: install Debian's chromium to test docs/recipes/single-page-app.md"
    : missingProgram("python3")

describe("docs/recipes/single-page-app.md", { skip }, () => {
  const petstore = usePetstore({ clock: systemClock, steady: steadyClock })
  let address = ""
  const recipe = use(async () => {
    const port = await freePort()
    address = `http://localhost:${port}/`
    return openRecipe("single-page-app", petstore.url, { 3000: String(port) })
  })

  test("the page signs a user in, lists pets with the token, and rejects responses that it did not request", async (t) => {
    await recipe.run("npx @petstore-service/petstore oauth-clients create")
    recipe.start("python3")
    await until(async () => (await fetch(address).catch(() => undefined))?.ok === true, "the page is not served")
    assert.deepEqual(recipe.remaining(), [])

    const browser = await openBrowser(browserPath as string)
    t.after(() => browser.close())
    const page = await browser.newPage()
    const thrown: string[] = []
    page.on("pageerror", ({ message }) => thrown.push(message))
    await page.goto(address)
    await page.getByRole("button", { name: "Sign in" }).click()
    await page.getByLabel("Username").fill("user1")
    await page.getByLabel("Password").fill("password1")
    await page.getByRole("button", { name: "Sign in" }).click()
    await page.getByRole("button", { name: "Allow", exact: true }).click()
    await page.getByText("Cat 1", { exact: true }).waitFor()
    assert.equal(await page.getByRole("listitem").count(), 10)
    assert.equal(page.url(), address)
    assert.deepEqual(thrown, [])

    await page.goto(`${address}?code=stolen&state=other&iss=${encodeURIComponent(`${petstore.url}/oauth`)}`)
    await until(() => thrown.length > 0, "the page accepted a code it did not request")
    assert.deepEqual(thrown, ["This is not what was asked for"])
  })
})
