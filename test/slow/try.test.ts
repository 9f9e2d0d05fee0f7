import assert from "node:assert/strict"
import { execFile } from "node:child_process"
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { after, describe, test } from "node:test"
import { promisify } from "node:util"
import type { Browser } from "playwright-core"
import { experimentsAt } from "../../src/parts/sandbox/experiments/experiments.ts"
import { assertFits, browserPath, openBrowser, openWatchedPage } from "../harness/browser.ts"
import { serverUrl } from "../harness/database.ts"
import { temporaryDirectory } from "../harness/directory.ts"
import { before, usePetstore } from "../harness/use.ts"

const petstore = usePetstore()
const experiments = experimentsAt({ minute: 60, day: 1000 })
const withoutBrowser = browserPath === undefined && "NO BROWSER: install Debian's chromium to test the page"
const skip = serverUrl && "named sandboxes need SQLite"

describe("the page of experiments in a browser", { skip: skip || withoutBrowser }, () => {
  let browser: Browser
  before(async () => {
    browser = await openBrowser(browserPath as string)
  })
  after(() => (browser as Browser | undefined)?.close())

  async function open(javaScriptEnabled = true) {
    const permissions = ["clipboard-read", "clipboard-write"]
    const watched = await openWatchedPage(browser, petstore.url, { javaScriptEnabled, permissions })
    await watched.page.goto(`${petstore.url}/`)
    await watched.page.getByRole("link", { name: "Lose a response" }).click()
    return watched
  }

  test("each experiment runs in place, and without scripts on a page of its own, which fit a phone and a desktop", async () => {
    for (const hasScript of [true, false]) {
      const { page, defects, close } = await open(hasScript)
      if (hasScript) await assertFits(page, "/try")
      for (const { name } of experiments) {
        await page.evaluate("window.isSame = true")
        await page.getByRole("button", { name: `Run it: ${name}` }).click()
        await page.locator("section", { hasText: name }).getByRole("heading", { name: "What happened" }).waitFor()
        if (hasScript)
          assert.equal(await page.evaluate("window.isSame && document.activeElement.textContent"), "What happened")
      }
      await page.evaluate("for (const each of document.querySelectorAll('main details')) each.open = true")
      if (hasScript) await assertFits(page, "/try after an experiment")
      assert.deepEqual(defects, [])
      await page.getByRole("link", { name: "its store" }).click()
      assert.equal(await page.locator(".grid").getByText("Rex", { exact: true }).count(), 2)
      await close()
    }
  })

  test("the code of each experiment is copied with a click, and does what the page says", {}, async () => {
    const { page, defects, close } = await open()
    for (const experiment of experiments) {
      const section = page.locator(`#${experiment.id}`)
      const copied: string[] = []
      for (const title of ["curl", "A test in JavaScript", "A test in Python"]) {
        await section.getByRole("button", { name: `Copy: ${title}` }).click()
        copied.push((await page.evaluate("navigator.clipboard.readText()")) as string)
      }
      await assertCurl(experiment, copied[0] as string)
      await assertTest(process.execPath, ["--test"], `${experiment.id}.test.mjs`, copied[1] as string)
      await assertTest("python3", [], "test_experiment.py", copied[2] as string)
    }
    assert.deepEqual(defects, [])
    await close()
  })
})

const run = promisify(execFile)

/** Every request has the expected status; 000 is that of curl without a response. */
async function assertCurl({ steps, pets }: (typeof experiments)[number], text: string): Promise<void> {
  const { stdout, stderr } = await run("sh", ["-c", text])
  const expected = steps.flatMap(({ times = 1, expected }) =>
    Array(times).fill(Number.isInteger(expected) ? expected : 0),
  )
  assert.deepEqual([...stdout.matchAll(/(?<=^| )\d{3}(?= |$)/gm)].map(Number), [200, ...expected, 200])
  assert.equal(
    stdout
      .split("\n")
      .at(-2)
      ?.match(/"name":"Rex"/g)?.length,
    pets,
  )
  const failures = steps.filter(({ expected }) => typeof expected === "string").length
  assert.equal(stderr.match(/^curl: \((28|52)\)/gm)?.length ?? 0, failures, stderr)
}

/** The test passes, and fails where the service does something else. */
async function assertTest(program: string, args: string[], file: string, text: string): Promise<void> {
  using directory = temporaryDirectory()
  const { NODE_TEST_CONTEXT, ...env } = process.env
  const execute = async (content: string) => {
    writeFileSync(join(directory.path, file), content)
    return run(program, [...args, file], { cwd: directory.path, env })
  }
  await execute(text)
  const other = text
    .replace(/fault=lose|wait=2/, "wait=0")
    .replaceAll("free-key", "special-key")
    .replace("P1DT1M", "PT1M")
  assert.notEqual(other, text)
  await assert.rejects(execute(other), ({ stdout, stderr }) => /AssertionError/.test(stdout + stderr))
}
