// Runs beside two other files at most.
import assert from "node:assert/strict"
import { join } from "node:path"
import { after, describe, test } from "node:test"
import type { Browser } from "playwright-core"
import { steadyClock, systemClock } from "../../src/core/kernel/clock.ts"
import { basePath } from "../../src/core/kernel/network/path.ts"
import type { TaskVerdict } from "../../src/examiner/verdict.ts"
import { createSandboxClient } from "../../src/parts/sandbox/client/sandbox-client.ts"
import { openAdapter, timeoutSeconds } from "../../src/parts/sandbox/exam/adapter.ts"
import { chapters } from "../../src/parts/sandbox/exam/chapters.ts"
import { type ExamStep, inputAt } from "../../src/parts/sandbox/exam/task.ts"
import { stagesOf } from "../../src/parts/sandbox/examination/instructions.ts"
import { assertFits, browserPath, openBrowser, openWatchedPage } from "../harness/browser.ts"
import { serverUrl } from "../harness/database.ts"
import { before, usePetstore } from "../harness/use.ts"

const tasks = chapters.flatMap((chapter) => chapter.tasks.filter((task) => "steps" in task))

describe("the exam without an adapter", { skip: serverUrl && "named sandboxes need SQLite" }, () => {
  // The clients wait in real time.
  const petstore = usePetstore({ clock: systemClock, steady: steadyClock })

  /** What the sandbox says of a client, which an adapter makes do the steps of a task. */
  async function judge(args: readonly string[], task: (typeof tasks)[number]) {
    const sandbox = createSandboxClient({ url: petstore.url, name: `judged-${crypto.randomUUID()}` })
    const adapter = await openAdapter({ command: process.execPath, args, environment: process.env })
    const given = { task: task.name, url: sandbox.url + basePath, key: "special-key", timeoutSeconds }
    const take = (step: ExamStep) =>
      adapter.say({ ...given, do: step.action, input: inputAt(sandbox.url, step) }).catch(() => undefined)
    const outcome = async () => (await sandbox.getExam()).value.tasks.find(({ name }) => name === task.name)
    for (const [n, steps] of stagesOf(task).entries()) {
      await sandbox.startExamTask({ params: { task: task.name }, query: { step: n + 1 } })
      for (const step of steps) await take(step)
    }
    for (const step of task.furtherSteps ?? []) if ((await outcome())?.outcome === "open") await take(step)
    await adapter.close()
    // Longer than it waits for a further request.
    await sandbox.advanceClock({ body: { advance: "PT11S" } })
    const verdict = await outcome()
    await sandbox.deleteSandbox({ params: { name: sandbox.url.replace(/^.*\//, "") } })
    return verdict
  }

  test("clients that petstore exam says pass or miss each task are judged so by their requests alone", async () => {
    const clients = { passed: "right.mjs", missed: "wrong.mjs" }
    const jobs = Object.entries(clients)
      .flatMap((client) => tasks.map((task) => ({ client, task })))
      // Its pauses are equal, which those of one beside others are not.
      .filter(({ client: [, file], task }) => file !== "wrong.mjs" || !/^(waits-longer|varies)-/.test(task.name))
    const others: object[] = []
    const judgeNext = async (left: typeof jobs) => {
      for (let job = left.shift(); job; job = left.shift()) {
        const [outcome, file] = job.client
        const verdict = await judge([join(import.meta.dirname, "exam", file)], job.task)
        if (verdict?.outcome !== outcome) others.push({ file, ...verdict })
      }
    }
    await Promise.all(Array.from({ length: 8 }, () => judgeNext(jobs)))
    assert.deepEqual(others, [])
  })

  describe("in a browser", { skip: browserPath === undefined && "NO BROWSER: install Debian's chromium" }, () => {
    let browser: Browser
    before(async () => {
      browser = await openBrowser(browserPath as string)
    })
    after(() => (browser as Browser | undefined)?.close())

    test("lights turn as a client sends, in each tab and after a reload, and the result is kept as JSON, JUnit and a badge", async () => {
      const { page, defects } = await openWatchedPage(browser, petstore.url)
      await page.goto(petstore.url)
      await page.getByRole("link", { name: "Examine it", exact: true }).click()
      await assertFits(page, "/exam")
      await page.getByRole("button", { name: "Examine a client" }).click()
      await page.getByRole("button", { name: "Start with waits-in-seconds" }).waitFor()
      await assertFits(page, "/exam/NAME")
      const url = (await page.locator(".copyable code").first().textContent()) ?? ""
      const send = async (path: string, init: RequestInit = {}) => {
        const headers = { api_key: "special-key", "content-type": "application/json", ...init.headers }
        return (await fetch(url + path, { ...init, headers })).status
      }
      const start = (name: string) => page.getByRole("button", { name, exact: true }).first().click()
      const current = page.locator("section.card")

      await start("Start with waits-in-seconds")
      await current.getByText("Nothing was sent yet").waitFor()
      assert.deepEqual([await send("/pet/1"), await send("/pet/1")], [429, 200])
      await current.getByText(/the request was repeated \d+ ms too early/).waitFor()
      await start("takes-another-key-for-another-pet")
      const rex = { method: "POST", body: JSON.stringify({ name: "Rex", photoUrls: [] }) }
      for (const key of ["a", "b"]) await send("/pet", { ...rex, headers: { "idempotency-key": key } })
      await current.getByText("passed", { exact: true }).waitFor()
      await start("leaves-404")
      await current.getByRole("heading", { name: "leaves-404" }).waitFor()
      await send("/pet/999999")
      await current.getByText("Nothing more may be sent").waitFor()
      await assertFits(page, "a task that was started")
      const summary = "1 passed, 1 missed, "
      const other = await page.context().newPage()
      for (const tab of [page, other]) {
        await tab.goto(page.url())
        await tab.getByText(summary).waitFor()
        await tab.locator("section.card").getByRole("heading", { name: "leaves-404" }).waitFor()
      }

      const keep = async (name: string) => (await fetch(`${page.url()}/${name}`)).text()
      const verdicts: TaskVerdict[] = JSON.parse(await keep("exam.json"))
      assert.deepEqual(
        verdicts.flatMap(({ name, outcome }) => (outcome === "unclaimed" ? [] : [[name, outcome]])),
        [
          ["waits-in-seconds", "missed"],
          ["takes-another-key-for-another-pet", "passed"],
        ],
      )
      const junit = await keep("junit.xml")
      assert.equal(junit.match(/<testcase /g)?.length, verdicts.length)
      assert.equal(junit.match(/<failure message="after Retry-After: 1 the request was repeated/g)?.length, 1)
      assert.match(await keep("badge.svg"), new RegExp(`^<svg .*1 of ${tasks.length} passed`))
      assert.equal((await fetch(`${petstore.url}/exam/none`)).status, 404)
      assert.deepEqual(defects, [])
    })
  })
})
